// What no single request can bring about: a server that stops, a disk that is full, a pool that is busy.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { answers, ask, open, request } from "./wire.mjs";
import { adsQuestions } from "./ads_requests.mjs";
import { samples } from "./requests.mjs";

/** A server in which no file can grow over a few MiB; ends with `close`. */
export async function withSmallFiles(binary, data) {
  // Ignored signals stay ignored over exec, so a write beyond the limit fails instead of ending the program.
  const script = 'trap "" XFSZ; ulimit -f 4096; exec "$0" serve --listen 127.0.0.1:0 --data "$1"';
  const child = spawn("sh", ["-c", script, binary, data], { stdio: ["ignore", "pipe", "ignore"] });
  const exit = once(child, "exit");
  let said = "";
  const port = await new Promise((resolve, reject) => {
    child.stdout.on("data", (bytes) => {
      said += bytes;
      const found = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(said);
      if (found !== null) resolve(Number(found[1]));
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}; heard: ${said}`)));
  });
  return { port, close: async () => { child.kill("SIGKILL"); await exit; } };
}

/** Sends requests in one piece until all of them fail; yields [request, answer] of each. */
async function* failTogether(port, asked, bodyOf) {
  for (let round = 0; round < 10_000; round++) {
    const connection = open(port);
    const pieces = asked.map((each) => ({ ...each }));
    pieces[0].body = bodyOf(round);
    pieces.at(-1).headers = { ...pieces.at(-1).headers, Connection: "close" };
    connection.send(pieces.map(request).join(""));
    const all = answers(await connection.until());
    if (all.length === asked.length && all.every(({ status }) => status === 503)) {
      for (const [i, answer] of all.entries()) yield [asked[i], answer];
      return;
    }
  }
  throw new Error("the disk is not full after 10,000 rounds");
}

/** Writes until the disk is full for PUT, GET, POST, and events of both doors; yields [request, answer] of each that failed. */
export async function* fillUp(port) {
  const filler = "f".repeat(1000);
  // Behind a PUT, in one piece with it, a GET counts what the PUT wrote and shares its fate.
  const tokens = [samples["PUT /api/v1/counter/{object}"], samples["GET /api/v1/counter/{object}"]];
  yield* failTogether(port, tokens, (round) => `${round} ${filler}`);
  const doors = [samples["POST /api/v1/events"], samples["POST /footfall"], samples["GET /pixel.gif"]];
  const event = `{"action":"view","object":"filler","attributes":{"filler":"${filler}"}}\n`;
  yield* failTogether(port, doors, () => event.repeat(100));
  const post = samples["POST /api/v1/counter"];
  for (let round = 0; ; round++) {
    if (round > 1000) throw new Error("the disk is not full after 1,000 batches");
    const body = Array.from({ length: 100 }, (_, i) => `{"object":"filler","token":"${round} ${i} ${filler}"}\n`).join("");
    const answer = await ask(port, { ...post, body });
    if (answer.status !== 200) {
      yield [post, answer];
      return;
    }
  }
}

/** Asks so much at once that the pools for short and for long reads turn some away; resolves with the first such answer to each question. */
export async function overloadReads(port) {
  const body = Array.from({ length: 10_000 }, (_, i) => `{"object":"o${i}","token":"t"}\n`).join("");
  await ask(port, { method: "POST", target: "/api/v1/counter", body });
  const today = Date.now() - (Date.now() % 86_400_000);
  const day = (back) => new Date(today - back * 86_400_000).toISOString().slice(0, 10);
  const views = Array.from({ length: 31 * 24 }, (_, hour) => {
    const time = new Date(today - hour * 3_600_000).toISOString();
    return `{"action":"view","object":"a","actor":"u${hour}","time":"${time}"}\n`;
  });
  await ask(port, { method: "POST", target: "/api/v1/events", body: views.join("") });
  // Lists and a month by the hour keep the threads busy; the others find the queues full of them.
  const long = "/api/v1/counters?sort=count&limit=1";
  const short = `/api/v1/views/a?from=${day(29)}&to=${day(0)}&group_by=hour`;
  const targets = [long, "/api/v1/events", "/api/v1/views", "/api/v1/top", "/api/v1/trending", "/api/v1/hot", short, "/api/v1/events/a"];
  const asked = [...targets.map((target) => ({ method: "GET", target })), ...adsQuestions].map((each) => ({ ...each, headers: { Connection: "close" } }));
  const slow = [asked[0], asked[4]];
  const connections = Array.from({ length: 100 }, () => asked.flatMap((each) => [each, ...slow])).flat()
    .map((each) => ({ each, connection: open(port) }));
  for (const { each, connection } of connections) connection.send(request(each));
  const turnedAway = connections.map(async ({ each, connection }) => {
    const [answer] = answers(await connection.until());
    if (answer.status !== 503) throw new Error("served");
    return [each, answer];
  });
  const firsts = await Promise.all(asked.map((each) => Promise.any(turnedAway.filter((_, i) => connections[i].each === each))));
  for (const { connection } of connections) connection.close();
  await Promise.allSettled(turnedAway);
  return firsts;
}

/** Tells the server to stop while a request is half sent; resolves with the answer to it. */
export async function askWhileStopping({ port, child }) {
  const ready = request({ method: "GET", target: "/healthz/ready" });
  const stream = open(port);
  stream.send(request({ method: "GET", target: "/api/v1/live/counters" }));
  await stream.until((text) => text.includes("event: history"));
  const asking = open(port);
  asking.send(ready);
  const before = await asking.until((text) => text.endsWith("ready\n"));
  asking.send(ready.slice(0, 20));
  child.kill("SIGTERM");
  await stream.until();  // the server ends its streams once it is stopping
  asking.send(ready.slice(20));
  const [answer] = answers((await asking.until()).slice(before.length));
  return [{ method: "GET", target: "/healthz/ready" }, answer];
}
