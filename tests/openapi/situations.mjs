// What no single request can bring about: a server that stops, a disk that is full, a pool that is busy.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { answers, ask, open, request } from "./wire.mjs";
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

/** Writes until the disk is full for PUT, GET and POST; yields [request, answer] of each that failed. */
export async function* fillUp(port) {
  const filler = "f".repeat(1000);
  const put = { ...samples["PUT /api/v1/counter/{object}"] };
  const get = { ...samples["GET /api/v1/counter/{object}"], headers: { Connection: "close" } };
  for (let round = 0, failed = false; !failed; round++) {
    if (round > 10_000) throw new Error("the disk is not full after 10,000 tokens");
    // Behind a PUT, in one piece with it, a GET counts what the PUT wrote and shares its fate.
    const connection = open(port);
    connection.send(request({ ...put, body: `${round} ${filler}` }) + request(get));
    const both = answers(await connection.until());
    failed = both.length === 2 && both.every(({ status }) => status === 503);
    if (failed) yield* [[put, both[0]], [get, both[1]]];
  }
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

/** Lists so many counters at once that the pool for it turns some away; resolves with the first such answer. */
export async function overloadListing(port) {
  const body = Array.from({ length: 10_000 }, (_, i) => `{"object":"o${i}","token":"t"}\n`).join("");
  await ask(port, { method: "POST", target: "/api/v1/counter", body });
  const list = { method: "GET", target: "/api/v1/counters?sort=count&limit=1", headers: { Connection: "close" } };
  const connections = Array.from({ length: 300 }, () => open(port));
  for (const connection of connections) connection.send(request(list));
  const turnedAway = connections.map(async (connection) => {
    const [answer] = answers(await connection.until());
    if (answer.status === 200) throw new Error("served");
    return answer;
  });
  const answer = await Promise.any(turnedAway);
  for (const connection of connections) connection.close();
  await Promise.allSettled(turnedAway);
  return [list, answer];
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
