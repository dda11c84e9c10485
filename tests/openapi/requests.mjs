// Requests and what is to come back: good ones, bad ones, and those every operation has to refuse alike.

import { document, methodsOf, operations } from "./document.mjs";

const bodyLimit = 16 * 1024 * 1024;
const counter = "/api/v1/counter";
const counters = "/api/v1/counters";
const json = { Accept: "application/json" };
const long = (bytes) => "n".repeat(bytes);

const problem = (status, type, field) => ({ status, type, field });

/** A good request of each operation; the stream, which has no end, is watched elsewhere. */
export const samples = {
  "PUT /api/v1/counter/{object}": { target: `${counter}/sample`, body: "t1" },
  "GET /api/v1/counter/{object}": { target: `${counter}/sample` },
  "POST /api/v1/counter": { target: counter, body: '{"object":"sample","token":"t1"}\n' },
  "GET /api/v1/counters": { target: counters },
  "GET /api/v1/live/counters": { target: "/api/v1/live/counters" },
};
for (const { name, method, path } of operations) samples[name] = { method, target: path, ...samples[name] };

const answered = [
  { method: "PUT", target: `${counter}/a`, body: "t1", headers: json, status: 200 },
  { method: "PUT", target: `${counter}/a`, body: "t1", headers: { "Content-Type": "application/x-www-form-urlencoded" }, status: 200 },
  { method: "PUT", target: `${counter}/a?counter=default&ttl=60`, body: "t2", status: 200 },
  { method: "PUT", target: `${counter}/%22%C3%BC%00/b/..`, body: "\u0000", headers: json, status: 200 },
  { method: "PUT", target: `${counter}/${long(1024)}`, body: long(1024), headers: json, status: 200 },
  { method: "PUT", target: `${counter}/chunked`, body: "2\r\nt1\r\n0\r\n\r\n", status: 200,
    headers: { "Content-Length": null, "Transfer-Encoding": "chunked" } },
  { method: "GET", target: `${counter}/a`, headers: { Accept: "text/html, application/json;q=0.9" }, status: 200 },
  { method: "GET", target: `${counter}/nobody`, headers: json, status: 200 },
  { method: "GET", target: `${counter}/a`, headers: { Accept: "image/png" }, status: 200 },
  { method: "GET", target: `http://127.0.0.1:8080${counter}/a`, headers: { Host: "footfall.example" }, status: 200 },
  { method: "POST", target: counter, body: "", status: 200 },
  { method: "POST", target: counter, body: '\n{"object":"b","token":"t","ttl":9}\nno JSON\n{"object":""}\n', status: 200 },
  { method: "GET", target: `${counters}?sort=count`, status: 200 },
  { method: "GET", target: `${counters}?sort=name&limit=1`, status: 200 },
  { method: "GET", target: `${counters}?cursor=%C3%BC`, status: 200 },
  { method: "GET", target: "/", headers: { "If-None-Match": '"0123456789abcdef"' }, status: 200 },
  { method: "GET", target: "/healthz/ready", headers: { Host: "footfall.example" }, status: 200 },
  { method: "GET", target: "/healthz/live", headers: { Host: "footfall.example" }, status: 200 },
];

const ofOneObject = ["PUT", "GET"].flatMap((method) => [
  ...["", "%ff", "%", "%zz", "%ed%a0%80"].map((name) => ({ target: `${counter}/${name}`, ...problem(400, "invalid-input", "object") })),
  { target: `${counter}/${long(1025)}`, ...problem(414, "name-too-long", "object") },
  { target: `${counter}/a?counter=%ff`, ...problem(400, "invalid-input", "counter") },
  { target: `${counter}/a?counter=no`, ...problem(404, "not-found", "counter") },
].map((asked) => ({ method, body: method === "PUT" ? "t" : "", ...asked })));

const refused = [
  ...ofOneObject,
  ...["PUT", "GET"].map((method) => ({ method, body: "t", target: `${counter}/a?countr=x`, ...problem(400, "invalid-input", "countr") })),
  { method: "POST", target: `${counter}?ttl=60`, ...problem(400, "invalid-input", "ttl") },
  { method: "GET", target: `${counters}?counter=default&&=&sort=name&order=up`, ...problem(400, "invalid-input", "order") },
  { method: "PUT", target: `${counter}/a`, ...problem(400, "invalid-input", "token") },
  { method: "PUT", target: `${counter}/a`, body: long(1025), ...problem(413, "token-too-long", "token") },
  { method: "POST", target: `${counter}?counter=%ff`, ...problem(400, "invalid-input", "counter") },
  { method: "POST", target: `${counter}?counter=no`, ...problem(404, "not-found", "counter") },
  { method: "PUT", target: `${counter}/a`, body: "x", headers: { "Content-Encoding": "gzip" }, ...problem(415, "unsupported-encoding", "Content-Encoding") },
  { method: "POST", target: counter, body: "x", headers: { "Content-Encoding": "gzip" }, ...problem(400, "invalid-input", "Content-Encoding") },
  { method: "POST", target: counter, body: "x", headers: { "Content-Encoding": "br" }, ...problem(415, "unsupported-encoding", "Content-Encoding") },
  { method: "POST", target: counter, body: "x\n".repeat(100_001), ...problem(413, "too-many-lines") },
  { method: "GET", target: `${counters}?counter=no`, ...problem(404, "not-found", "counter") },
  { method: "GET", target: `${counters}?counter=%zz`, ...problem(400, "invalid-input", "counter") },
  { method: "GET", target: `${counters}?sort=count&cursor=a`, ...problem(400, "invalid-input", "cursor") },
  { method: "GET", target: `${counters}?cursor=%ff`, ...problem(400, "invalid-input", "cursor") },
  ...["/nowhere", "/api/v1", "/api/v1/", "/api/v2/counters", "/api/v1/counters/", "/openapi.yaml", "/problems/not-found", "//"]
    .map((target) => ({ method: "GET", target, ...problem(404, "not-found") })),
];

/** Of every parameter with a range or a list of values: its ends and what is just outside, as the document has them. */
const atTheEnds = operations.flatMap(({ name, parameters }) => parameters.flatMap((parameter) => {
  const { minimum, maximum, enum: values } = parameter.schema;
  if (parameter.in !== "query" || (minimum === undefined && values === undefined)) return [];
  const good = values ?? [minimum, maximum];
  const bad = [...(values === undefined ? [minimum - 1, maximum + 1, "18446744073709551616"] : []), "", "x", "-1", "1.5", "+1", "%ff"];
  const ask = (value) => ({ ...samples[name], target: `${samples[name].target}?${parameter.name}=${value}` });
  return [
    ...good.map((value) => ({ ...ask(value), status: 200 })),
    ...bad.map((value) => ({ ...ask(value), ...problem(400, "invalid-input", parameter.name) })),
  ];
}));

const refusedByAll = operations.flatMap(({ name, operation }) => {
  const asked = samples[name];
  const strangers = [
    [{ Host: "footfall.example" }, "host-not-loopback", "Host"], [{ Host: "127.evil.example" }, "host-not-loopback", "Host"],
    [{ Origin: "http://footfall.example" }, "other-origin", "Origin"], [{ Origin: "null" }, "other-origin", "Origin"],
  ];
  return [
    { ...asked, headers: { "Bad Name": "x" }, ...problem(400, "malformed-request") },
    { ...asked, body: "", headers: { "Content-Length": bodyLimit + 1 }, ...problem(413, "body-too-large") },
    { ...asked, headers: { Host: null }, ...problem(400, "malformed-request", "Host") },
    { ...asked, headers: { Host: "127.0.0.1\r\nHost: 127.0.0.1" }, ...problem(400, "malformed-request", "Host") },
    { ...asked, target: `${asked.target}?${long(9000)}`, ...problem(414, "target-too-long") },
    { ...asked, headers: { "X-Long": long(9000) }, ...problem(431, "header-too-large") },
    ...(operation.responses[403] === undefined ? [] : strangers)
      .map(([headers, type, field]) => ({ ...asked, headers, ...problem(403, type, field) })),
  ];
});

const methods = ["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE"];
const otherMethods = Object.keys(document.paths).flatMap((path) => methods.filter((method) => !methodsOf(path).includes(method))
  .map((method) => ({ method, target: path.replace("{object}", "a"), ...problem(405, "method-not-allowed") })));

const heads = operations.filter(({ name, method }) => method === "GET" && name !== "GET /")
  .map(({ name }) => ({ ...samples[name], method: "HEAD", status: 200 }));

/** A good request of every operation that ends; HEAD of the stream ends, too. */
const good = Object.values(samples).filter(({ target }) => !target.includes("/live/")).map((asked) => ({ ...asked, status: 200 }));

export const requests = [...good, ...heads, ...answered, ...refused, ...atTheEnds, ...refusedByAll, ...otherMethods];

/** Lines of a batch; whether the server takes one must be what the schema of a line says. */
export const lines = [
  { object: "l", token: "t" }, { object: "l", token: "t", ttl: 1 }, { object: "l", token: "t", ttl: 630720000 },
  { object: "l", token: "t", more: [1] }, { object: long(1024), token: long(1024) },
  {}, [], "l", 1, null, { object: "l" }, { token: "t" }, { object: "", token: "t" }, { object: "l", token: "" },
  { object: 1, token: "t" }, { object: "l", token: null }, { object: long(1025), token: "t" }, { object: "l", token: long(1025) },
  { object: "l", token: "t", ttl: 0 }, { object: "l", token: "t", ttl: -1 }, { object: "l", token: "t", ttl: 1.5 },
  { object: "l", token: "t", ttl: "60" }, { object: "l", token: "t", ttl: null }, { object: "l", token: "t", ttl: 630720001 },
];
