// HTTP as bytes: the requests that matter here are those that no HTTP library would send.

import { connect } from "node:net";

/** The bytes of a request. `headers` win over Host and Content-Length; one of value null is not sent. */
export function request({ method, target, headers = {}, body = "" }) {
  const all = { Host: "127.0.0.1", ...(body.length > 0 ? { "Content-Length": Buffer.byteLength(body) } : {}), ...headers };
  const lines = Object.entries(all).filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

/** A connection. `received()` is all bytes so far, a letter each; `until` waits until `enough` says so of it, or for the end. */
export function open(port) {
  const socket = connect(port, "127.0.0.1");
  const chunks = [];
  let ended = false;
  let look = () => {};
  const received = () => Buffer.concat(chunks).toString("latin1");
  socket.on("data", (bytes) => { chunks.push(bytes); look(); });
  socket.on("error", () => {});
  socket.on("close", () => { ended = true; look(); });
  return {
    send: (text) => socket.write(text),
    received,
    until: (enough = () => false) => new Promise((resolve) => {
      look = () => { if (ended || enough(received())) resolve(received()); };
      look();
    }),
    close: () => socket.destroy(),
  };
}

/** Sends a request on a connection of its own and resolves with the answer. */
export async function ask(port, asked) {
  const connection = open(port);
  connection.send(request({ ...asked, headers: { ...asked.headers, Connection: "close" } }));
  const [answer] = answers(await connection.until());
  return answer;
}

/** The answers in `text`, a letter a byte, one after the other: status, headers (names in lower case), body. The last may be cut off. */
export function answers(text) {
  const found = [];
  let rest = Buffer.from(text, "latin1");
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) throw new Error(`no answer in: ${rest}`);
    const [statusLine, ...lines] = rest.subarray(0, end).toString("utf8").split("\r\n");
    const headers = new Map(lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }));
    rest = rest.subarray(end + 4);
    const length = Number(headers.get("content-length") ?? rest.length);
    const body = rest.subarray(0, length).toString("utf8");
    found.push({
      status: Number(statusLine.split(" ")[1]), headers,
      body: headers.get("transfer-encoding") === "chunked" ? unchunk(body) : body,
    });
    rest = rest.subarray(length);
  }
  return found;
}

function unchunk(text) {
  const bytes = Buffer.from(text, "utf8");
  const parts = [];
  for (let at = 0; at < bytes.length;) {
    const line = bytes.indexOf("\r\n", at);
    const size = line < 0 ? 0 : parseInt(bytes.subarray(at, line).toString("latin1"), 16);
    if (size === 0) break;
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return Buffer.concat(parts).toString("utf8");
}

/** The complete events of a stream, comments left out. */
export function events(text) {
  return text.split("\n\n").slice(0, -1).map((block) => {
    const fields = block.split("\n").filter((line) => !line.startsWith(":"))
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]);
    return Object.fromEntries(fields);
  }).filter(({ event }) => event !== undefined);
}
