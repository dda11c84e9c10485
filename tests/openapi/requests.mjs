// Requests and what is to come back: good ones, bad ones, and those every operation has to refuse alike.

import { adsRequests, adsSamples } from "./ads_requests.mjs";
import { auditRequests, auditSamples } from "./audit_requests.mjs";
import { document, operations, pathOf } from "./document.mjs";
import { identitiesRequests, identitiesSamples } from "./identities_requests.mjs";
import { peopleRequests, peopleSamples } from "./people_requests.mjs";
import { kairosRequests, kairosSamples } from "./kairos_requests.mjs";
import { metricsRequests, metricsSamples } from "./metrics_requests.mjs";
import { segmentsRequests, segmentsSamples } from "./segments_requests.mjs";

const bodyLimit = 16 * 1024 * 1024;
const counter = "/api/v1/counter";
const counters = "/api/v1/counters";
const events = "/api/v1/events";
const views = "/api/v1/views";
const keys = "/api/v1/keys";
const session = "/api/v1/session";
const live = "/api/v1/live/views";
const ads = "/api/v1/ads";
const json = { Accept: "application/json" };
const ndjson = { "Content-Type": "application/x-ndjson" };
const oneJson = { "Content-Type": "application/json" };
const long = (bytes) => "n".repeat(bytes);

/** The target with a parameter, in place of the one of that name that it has. */
const withQuery = (target, query) => {
  const [path, ...rest] = target.split("?");
  const others = rest.join("?").split("&").filter((each) => each !== "" && each.split("=")[0] !== query.split("=")[0]);
  return `${path}?${[...others, query].join("&")}`;
};
const problem = (status, type, field) => ({ status, type, field });

/** A good request of each operation; the stream, which has no end, is watched elsewhere. */
export const samples = {
  "PUT /api/v1/counter/{object}": { target: `${counter}/sample`, body: "t1" },
  "GET /api/v1/counter/{object}": { target: `${counter}/sample` },
  "POST /api/v1/counter": { target: counter, body: '{"object":"sample","token":"t1"}\n' },
  "GET /api/v1/counters": { target: counters },
  "GET /api/v1/live/counters": { target: "/api/v1/live/counters" },
  "POST /api/v1/events": { target: events, headers: ndjson, body: '{"id":"sample","time":"2026-11-21T10:00:00Z","action":"view","object":"sample","actor":"u1"}\n' },
  "GET /api/v1/events/{id}": { target: `${events}/sample` },
  "GET /api/v1/views/{object}": { target: `${views}/sample?from=2026-11-21&to=2026-11-21` },
  "GET /api/v1/views": { target: `${views}?from=2026-11-21&to=2026-11-21` },
  ...adsSamples,
  ...auditSamples,
  ...peopleSamples,
  ...identitiesSamples,
  ...segmentsSamples,
  ...kairosSamples,
  ...metricsSamples,
  "POST /api/v1/backups": { target: "/api/v1/backups", ...problem(409, "conflict") },
  "POST /footfall": { target: "/footfall", body: "object=sample", status: 204 },
  "POST /api/v1/keys": { target: keys, body: '{"name":"sample","scopes":["read"]}', status: 201 },
  "DELETE /api/v1/keys/{name}": { target: `${keys}/sample`, ...problem(404, "not-found", "name") },
  "POST /api/v1/session": { target: session, body: `{"key":"ff_${"A".repeat(43)}"}`, ...problem(409, "conflict") },
  "DELETE /api/v1/session": { target: session, status: 204 },
  "GET /pixel.gif": { target: "/pixel.gif?object=sample" },
  "PUT /api/v1/ads/{id}": { target: `${ads}/sample`, body: '{"targets":["https://shop.example/"]}', status: 201 },
  "GET /api/v1/ads/{id}": { target: `${ads}/sample` },
  "GET /api/v1/ads/{id}/link": { target: `${ads}/sample/link` },
  "GET /r/{ad}": { target: "/r/sample", status: 302 },
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

/** An event in which everything is said. */
const full = {
  id: "full", time: "2026-11-21T10:00:00.25+05:30", action: "click", object: "full", actor: "ü", address: "2001:db8::1",
  agent: "Mozilla/5.0", referrer: "https://example.org/", amount: "-0.50", currency: "USD", reseller: "r", ad: "a", publisher: "p",
  identifiers: [{ identifier: "www", id_name: "id", id_value: "w111" }], attributes: { plan: ["free", 1.5, null] },
};
const envelope = { specversion: "1.0", source: "/s", id: "1", type: "org.example.view", subject: "e" };
const day = (after) => new Date(Date.UTC(2016, 0, 1) + after * 86_400_000).toISOString().slice(0, 10);

const eventsAnswered = [
  ...[full, [full, { ...full, actor: "another" }], [], {}, [1, full], 7]
    .map((body) => ({ method: "POST", target: events, headers: oneJson, body: JSON.stringify(body), status: 200 })),
  { method: "POST", target: events, headers: { "Content-Type": "Application/JSON; charset=utf-8", "Idempotency-Key": "k" },
    body: '[{"action":"view","object":"k"},{"action":"view","object":"k"}]', status: 200 },
  { method: "POST", target: events, headers: { "Content-Type": "application/cloudevents+json" }, body: JSON.stringify(envelope), status: 200 },
  { method: "POST", target: events, headers: { "Content-Type": "application/cloudevents-batch+json" }, body: JSON.stringify([envelope, {}]), status: 200 },
  { method: "POST", target: events, headers: ndjson, body: "", status: 200 },
  { method: "POST", target: events, headers: ndjson, body: '\n{"action":"view","object":"a","id":"two/1"}\nno JSON\n{"action":"view","object":"b","id":"two/1"}', status: 200 },
  { method: "GET", target: `${events}/two/1`, ...problem(409, "conflict", "object") },
  { method: "GET", target: `${events}/two%2F1?object=b`, status: 200 },
  { method: "GET", target: `${events}/full`, status: 200 },
  { method: "GET", target: `${events}/k/2`, status: 200 },
  { method: "GET", target: `${events}?object=full&limit=2`, status: 200 },
  ...["", "?action=click&limit=1&per_site=0"].map((query) => ({ method: "GET", target: `/api/v1/trending${query}`, status: 200 })),
  ...["", "?limit=100"].map((query) => ({ method: "GET", target: `/api/v1/hot${query}`, status: 200 })),
  ...["1h", "6h", "24h", "7d", "30d"].map((window) => ({ method: "GET", target: `/api/v1/top?by=views&window=${window}`, status: 200 })),
  { method: "GET", target: "/api/v1/top?window=30d&action=read", status: 400, type: "invalid-input", field: "action" },
  { method: "GET", target: `${views}/full?action=click`, status: 200 },
  { method: "GET", target: `${views}/nobody`, status: 200 },
  ...["full?by=profile", "full?by=profile&from=2026-11-01&tz=Asia/Kolkata", "nobody?by=profile", "full?by=actor"]
    .map((asked) => ({ method: "GET", target: `${views}/${asked}`, status: 200 })),
  ...["full?by=people", "full?by=profile&action=read", "full?by=profile&from=2026-11-21&group_by=hour"]
    .map((asked) => ({ method: "GET", target: `${views}/${asked}`, ...problem(400, "invalid-input", "by") })),
  ...["", "/sample"].flatMap((object) => [
    "from=2026-11-20&to=2026-11-21", "from=2026-11-21", "tz=Asia/Kolkata", "tz=Europe%2FBerlin&from=2026-11-21&action=view", `from=${day(0)}&to=${day(3699)}`,
    `group_by=hour&from=${day(0)}&to=${day(30)}`, "group_by=hour&from=2026-10-24&to=2026-10-25&tz=Europe/Berlin",
    "group_by=hour&from=2026-11-21&to=2026-11-21&tz=Asia/Kolkata", "group_by=day&from=2026-11-21",
  ].map((query) => ({ method: "GET", target: `${views}${object}?${query}`, status: 200 }))),
  { method: "POST", target: "/footfall", headers: { "Content-Type": "text/plain;charset=UTF-8", "Sec-GPC": "1", "User-Agent": "Mozilla/5.0" },
    body: "object=%2Fp%C3%BC&action=click&referrer=&amount=5", status: 204 },
  { method: "POST", target: "/footfall", body: `object=${long(1024)}&x=${long(7000)}`, status: 204 },
  { method: "GET", target: "/pixel.gif?object=p&action=read&referrer=https%3A%2F%2Fexample.org%2F&_=17", headers: { Purpose: "prefetch" }, status: 200 },
  { method: "GET", target: "/footfall.js", headers: { "If-None-Match": '"0123456789abcdef"' }, status: 200 },
  { method: "GET", target: `${events}?limit=500`, status: 200 },  // all of the above
];

const eventsRefused = [
  { method: "POST", target: events, headers: { "Content-Type": "text/plain" }, body: "{}", ...problem(415, "unsupported-type", "Content-Type") },
  { method: "POST", target: events, headers: { "Content-Type": "application/jsonx" }, body: "{}", ...problem(415, "unsupported-type", "Content-Type") },
  { method: "POST", target: events, headers: { ...ndjson, "Content-Encoding": "br" }, body: "x", ...problem(415, "unsupported-encoding", "Content-Encoding") },
  { method: "POST", target: events, headers: { ...ndjson, "Content-Encoding": "gzip" }, body: "x", ...problem(400, "invalid-input", "Content-Encoding") },
  { method: "POST", target: events, headers: { ...ndjson, "Idempotency-Key": "a b" }, body: "", ...problem(400, "invalid-input", "Idempotency-Key") },
  { method: "POST", target: events, headers: { ...ndjson, "Idempotency-Key": long(201) }, body: "", ...problem(400, "invalid-input", "Idempotency-Key") },
  { method: "POST", target: `${events}?lane=1`, headers: ndjson, body: "", ...problem(400, "invalid-input", "lane") },
  { method: "POST", target: events, headers: ndjson, body: "x\n".repeat(100_001), ...problem(413, "too-many-lines") },
  { method: "POST", target: events, headers: oneJson, body: `[${"{},".repeat(100_000)}{}]`, ...problem(413, "too-many-lines") },
  ...["", "[{", "{} {}"].map((body) => ({ method: "POST", target: events, headers: oneJson, body, ...problem(400, "invalid-input") })),
  { method: "POST", target: events, headers: { "Content-Type": "application/cloudevents-batch+json" }, body: "{}", ...problem(400, "invalid-input") },
  ...["", "%ff", "%", "%zz"].map((id) => ({ method: "GET", target: `${events}/${id}`, ...problem(400, "invalid-input", "id") })),
  ...["none", long(2000), "0000000000000000-0-0"].map((id) => ({ method: "GET", target: `${events}/${id}`, ...problem(404, "not-found", "id") })),
  { method: "GET", target: `${events}/sample?object=other`, ...problem(404, "not-found", "id") },
  ...[events, `${events}/sample`].map((target) => ({ method: "GET", target: `${target}?object=`, ...problem(400, "invalid-input", "object") })),
  ...[events, `${events}/sample`, live].flatMap((target) => [
    { method: "GET", target: `${target}?object=%ff`, ...problem(400, "invalid-input", "object") },
    { method: "GET", target: `${target}?objct=a`, ...problem(400, "invalid-input", "objct") },
  ]),
  ...[live, views, `${views}/sample`, "/api/v1/top", "/api/v1/trending"].flatMap((target) => ["%ff", "View", "", long(65)]
    .map((action) => ({ method: "GET", target: `${target}?action=${action}`, ...problem(400, "invalid-input", "action") }))),
  ...[
    ["top?window=", "window"], ["top?window=2h", "window"], ["top?window=24H", "window"], ["top?window=1w", "window"],
    ["top?limit=0", "limit"], ["top?limit=101", "limit"], ["top?by=clicks&window=7d", "by"], ["top?per_site=1", "per_site"],
    ["trending?limit=0", "limit"], ["trending?limit=-1", "limit"], ["trending?limit=ten", "limit"], ["trending?per_site=-1", "per_site"],
    ["trending?per_site=1.5", "per_site"], ["trending?per_site=101", "per_site"], ["trending?window=1h", "window"],
    ["hot?limit=0", "limit"], ["hot?limit=101", "limit"], ["hot?limit=", "limit"], ["hot?action=view", "action"],
  ].map(([query, field]) => ({ method: "GET", target: `/api/v1/${query}`, ...problem(400, "invalid-input", field) })),
  { method: "GET", target: `${live}?object=`, ...problem(400, "invalid-input", "object") },
  ...["ad", "reseller"].flatMap((name) => ["", "%ff"]
    .map((value) => ({ method: "GET", target: `/api/v1/live/clicks?${name}=${value}`, ...problem(400, "invalid-input", name) }))),
  ...["/api/v1/live/counters", "/api/v1/live/clicks", "/api/v1/rules"]
    .map((target) => ({ method: "GET", target: `${target}?ruls=1`, ...problem(400, "invalid-input", "ruls") })),
  ...["", "%ff", "%", "%zz", "%ed%a0%80"].map((name) => ({ method: "GET", target: `${views}/${name}`, ...problem(400, "invalid-input", "object") })),
  { method: "GET", target: `${views}/${long(1025)}`, ...problem(414, "name-too-long", "object") },
  ...["", "/sample"].flatMap((object) => [
    ["from=yesterday", "from"], ["from=2026-02-29", "from"], ["from=", "from"], ["from=2026-11-21&to=21.11.2026", "to"], ["to=2026-11-21", "from"],
    ["from=2026-11-21&to=2026-11-20", "from"], [`from=${day(0)}&to=${day(3700)}`, "from"], ["tz=Mars/Olympus", "tz"], ["tz=", "tz"],
    ["tz=%ff", "tz"], ["action=%ff", "action"], ["form=2026-11-21", "form"],
    ["group_by=month", "group_by"], ["group_by=hour", "from"], [`group_by=hour&from=${day(0)}&to=${day(31)}`, "from"],
  ].map(([query, field]) => ({ method: "GET", target: `${views}${object}?${query}`, ...problem(400, "invalid-input", field) }))),
  ...[
    ["", "object"], ["object=", "object"], ["object=%ff", "object"], ["object=%0a", "object"], [`object=${long(1025)}`, "object"], ["object=a&action=A+B", "action"],
    ["object=a&action=sale", "action"], ["object=a&referrer=%zz", "referrer"],
  ].flatMap(([fields, field]) => [
    { method: "POST", target: "/footfall", body: fields, ...problem(400, "invalid-input", field) },
    { method: "GET", target: `/pixel.gif?${fields}`, ...problem(400, "invalid-input", field) },
  ]),
  { method: "POST", target: "/footfall", body: `object=a&x=${long(8192)}`, ...problem(413, "body-too-large") },
  { method: "POST", target: "/footfall", headers: { "Content-Encoding": "br" }, body: "x", ...problem(415, "unsupported-encoding", "Content-Encoding") },
  { method: "POST", target: "/footfall", headers: { "Content-Encoding": "gzip" }, body: "x", ...problem(400, "invalid-input", "Content-Encoding") },
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

/**
 * Of every parameter with a range or a list of values: its ends and what is just outside, as the document has them. What `x-within` says bounds
 * it further, so its ends may be refused.
 */
const atTheEnds = operations.flatMap(({ name, parameters }) => parameters.flatMap((parameter) => {
  const { minimum, maximum, enum: values } = parameter.schema;
  if (parameter.in !== "query" || (minimum === undefined && values === undefined)) return [];
  const good = values ?? (parameter.schema["x-within"] ? [] : [minimum, maximum]);
  const bad = [...(values === undefined ? [minimum - 1, maximum + 1, "18446744073709551616"] : []), "", "x", "-1", "1.5", "+1", "%ff"];
  const ask = (value) => ({ ...samples[name], target: withQuery(samples[name].target, `${parameter.name}=${value}`) });
  return [
    // Of a stream the header, which ends; what is refused whatever its parameters say is so at their ends, too.
    ...good.map((value) => ({ ...ask(value), ...(name.includes("/live/") ? { method: "HEAD" } : {}), status: samples[name].type === undefined ? 200 : samples[name].status })),
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

const keysRefused = [
  ...["", "[]", "{", '{"name":"a","scopes":["read"]} x'].flatMap((body) => [keys, session].map((target) => ({ method: "POST", target, body, ...problem(400, "invalid-input") }))),
  ...["a b", "", "-a", long(65), "ü", 1].map((name) => ({ method: "POST", target: keys, body: JSON.stringify({ name, scopes: ["read"] }), ...problem(400, "invalid-input", "name") })),
  ...[undefined, [], "read", ["fly"], ["read", "read"], [1]].map((scopes) => ({ method: "POST", target: keys, body: JSON.stringify({ name: "a", scopes }), ...problem(400, "invalid-input", "scopes") })),
  ...["reseller", "publisher"].flatMap((kind) => [
    ...["", "i".repeat(257), 1, null].map((id) => ({ method: "POST", target: keys, body: JSON.stringify({ name: "a", [kind]: id }), ...problem(400, "invalid-input", kind) })),
    { method: "POST", target: keys, body: JSON.stringify({ name: "a", scopes: ["read"], [kind]: "x" }), ...problem(400, "invalid-input", kind) },
  ]),
  { method: "POST", target: keys, body: '{"name":"a","reseller":"r","publisher":"p"}', ...problem(400, "invalid-input", "publisher") },
  ...["2027-01-01", "", 7].map((expires) => ({ method: "POST", target: keys, body: JSON.stringify({ name: "a", scopes: ["read"], expires }), ...problem(400, "invalid-input", "expires") })),
  { method: "POST", target: keys, body: '{"name":"a","scopes":["read"],"expires":"2020-01-01T00:00:00Z"}', ...problem(400, "invalid-input") },
  { method: "POST", target: keys, body: '{"name":"a","scopes":["read"],"scope":"write"}', ...problem(400, "invalid-input", "scope") },
  { method: "POST", target: keys, body: `{"name":"${long(9000)}"}`, ...problem(413, "body-too-large") },
  { method: "POST", target: `${keys}?x=1`, body: "{}", ...problem(400, "invalid-input", "x") },
  { method: "GET", target: `${keys}?x=1`, ...problem(400, "invalid-input", "x") },
  { method: "DELETE", target: `${keys}/a?x=1`, ...problem(400, "invalid-input", "x") },
  { method: "DELETE", target: `${keys}/%zz`, ...problem(400, "invalid-input", "name") },
  { method: "GET", target: `${session}?x=1`, ...problem(400, "invalid-input", "x") },
  { method: "POST", target: session, body: '{"key":1}', ...problem(400, "invalid-input", "key") },
  { method: "POST", target: session, body: `{"key":"${long(9000)}"}`, ...problem(413, "body-too-large") },
];

const shopAd = { targets: ["https://shop.example/a?b[]=%C3%BC", "http://[::1]:8080/"], price: "0.25", currency: "EUR", publisher: "paper" };
const ofAds = [
  ...[shopAd, { ...shopAd, price: "12" }, { targets: ["https://shop.example"], publisher: null, currency: null }]
    .map((ad, at) => ({ method: "PUT", target: `${ads}/a%2F%C3%BC`, body: JSON.stringify(ad), status: at === 0 ? 201 : 200 })),
  { method: "PUT", target: `${ads}/a%2F%C3%BC`, body: JSON.stringify(shopAd), status: 200 },
  { method: "GET", target: `${ads}?prefix=a&limit=1&cursor=a`, status: 200 },
  { method: "GET", target: `${ads}?limit=1`, status: 200 },
  { method: "GET", target: `${ads}/a%2F%C3%BC`, status: 200 },
  { method: "GET", target: `${ads}/a%2F%C3%BC/link?reseller=r%26s&to=http%3A%2F%2F%5B%3A%3A1%5D%3A8080%2F`, status: 200 },
  ...["", "?reseller=r&sig=0", "?to=https%3A%2F%2Fshop.example%2Fa%3Fb%5B%5D%3D%25C3%25BC&utm_source=x"]
    .map((query) => ({ method: "GET", target: `/r/a/%C3%BC${query}`, status: 302 })),
  ...["https%3A%2F%2Fevil.example%2F", "%zz", "https://shop.example@evil.example/"]
    .map((to) => ({ method: "GET", target: `/r/sample?to=${to}`, ...problem(400, "invalid-input", "to") })),
  { method: "GET", target: "/r/nobody", ...problem(404, "not-found", "ad") },
  { method: "GET", target: "/r/", ...problem(400, "invalid-input", "ad") },
  ...["reseller", "sig"].map((name) => ({ method: "GET", target: `/r/sample?${name}=%ff`, ...problem(400, "invalid-input", name) })),
  ...["", "/link"].flatMap((part) => [
    { method: "GET", target: `${ads}/nobody${part}`, ...problem(404, "not-found", "id") },
    { method: "GET", target: `${ads}/%zz${part}`, ...problem(400, "invalid-input", "id") },
    { method: "GET", target: `${ads}/sample${part}?x=1`, ...problem(400, "invalid-input", "x") },
  ]),
  { method: "PUT", target: `${ads}/a/link`, body: JSON.stringify(shopAd), ...problem(404, "not-found", "id") },
  { method: "GET", target: `${ads}?x=1`, ...problem(400, "invalid-input", "x") },
  ...["prefix", "cursor"].map((name) => ({ method: "GET", target: `${ads}?${name}=%ff`, ...problem(400, "invalid-input", name) })),
  { method: "GET", target: `${ads}/sample/link?to=https://evil.example/`, ...problem(400, "invalid-input", "to") },
  { method: "GET", target: `${ads}/sample/link?reseller=${long(257)}`, ...problem(400, "invalid-input", "reseller") },
  ...[["{", undefined], ["[]", undefined], ['{"prize":"1"}', "prize"]].map(([body, field]) => ({ method: "PUT", target: `${ads}/a`, body, ...problem(400, "invalid-input", field) })),
  ...[["targets", []], ["targets", "https://a.example/"], ["targets", [1]], ["targets", ["https://good.example@evil.example/"]], ["targets", ["javascript:alert(1)"]],
    ["targets", Array(33).fill("https://a.example/")], ["price", 0.25], ["price", "-1"], ["price", "1.0000001"], ["currency", "euro"], ["publisher", 7], ["publisher", long(257)],
  ].map(([field, value]) => ({ method: "PUT", target: `${ads}/a`, body: JSON.stringify({ ...shopAd, [field]: value }), ...problem(400, "invalid-input", field) })),
  { method: "PUT", target: `${ads}/${long(257)}`, body: JSON.stringify(shopAd), ...problem(400, "invalid-input", "id") },
  { method: "PUT", target: `${ads}/a`, body: long(100_000), ...problem(413, "body-too-large") },
];

const methods = ["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE"];
const otherMethods = Object.keys(document.paths).flatMap((path) => methods.map((method) => ({ method, target: path.replace(/\{\w+\}/g, "a") })))
  .filter(({ method, target }) => pathOf(target, method) === undefined)
  .map((asked) => ({ ...asked, ...problem(405, "method-not-allowed") }));

const heads = operations.filter(({ name, method }) => method === "GET" && name !== "GET /")
  .map(({ name }) => ({ ...samples[name], method: "HEAD", status: samples[name].status ?? 200 }));

/** With a key everybody else would be refused. */
const closesDoor = (name) => name === "POST /api/v1/keys";

/** A good request of every operation that ends; HEAD of the stream ends, too. */
const good = Object.entries(samples).filter(([name]) => !name.includes("/live/") && !closesDoor(name)).map(([, asked]) => asked).map((asked) => ({ status: 200, ...asked }));

export const requests = [...good, ...heads, ...answered, ...eventsAnswered, ...refused, ...eventsRefused, ...keysRefused, ...ofAds, ...adsRequests, ...auditRequests, ...peopleRequests, ...identitiesRequests, ...segmentsRequests, ...kairosRequests, ...metricsRequests, ...atTheEnds, ...refusedByAll, ...otherMethods];

/** Lines of a batch; whether the server takes one must be what the schema of a line says. */
export const lines = [
  { object: "l", token: "t" }, { object: "l", token: "t", ttl: 1 }, { object: "l", token: "t", ttl: 630720000 },
  { object: "l", token: "t", more: [1] }, { object: long(1024), token: long(1024) },
  {}, [], "l", 1, null, { object: "l" }, { token: "t" }, { object: "", token: "t" }, { object: "l", token: "" },
  { object: 1, token: "t" }, { object: "l", token: null }, { object: long(1025), token: "t" }, { object: "l", token: long(1025) },
  { object: "l", token: "t", ttl: 0 }, { object: "l", token: "t", ttl: -1 }, { object: "l", token: "t", ttl: 1.5 },
  { object: "l", token: "t", ttl: "60" }, { object: "l", token: "t", ttl: null }, { object: "l", token: "t", ttl: 630720001 },
];

const viewOf = (more) => ({ action: "view", object: "l", ...more });
const identifiers = (count) => Array.from({ length: count }, (_, i) => ({ identifier: "www", id_name: "id", id_value: `${i}` }));

/** Lines of events, likewise. */
export const eventLines = [
  viewOf(), full, viewOf({ more: [1] }), viewOf({ object: long(1024), actor: long(1024) }), viewOf({ id: "" }), viewOf({ id: long(256) }),
  {}, [], "l", 1, null, { action: "view" }, { object: "l" }, viewOf({ object: "" }), viewOf({ object: null }), viewOf({ object: 1 }), viewOf({ object: "a\nb" }),
  viewOf({ object: long(1025) }), viewOf({ actor: long(1025) }), viewOf({ actor: 1 }), viewOf({ actor: "\u007f" }), viewOf({ id: long(257) }), viewOf({ id: "\u0000" }),
  ...["view", "a_b-c.9", long(64), "", "View", "a b", "ü", long(65), null, 1].map((action) => viewOf({ action })),
  ...["2026-11-21T10:00:00Z", "2026-11-21t10:00:00.123456789+05:30", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z", null, "", "now", "2026-11-21", "2026-02-30T00:00:00Z",
    "2026-11-21T10:00:00", "1969-12-31T23:59:59Z", "2026-11-21T24:00:00Z", 1795255200].map((time) => viewOf({ time })),
  ...["192.0.2.7", "::1", "::ffff:192.0.2.7", "", null, "192.0.2", "192.0.2.256", "192.0.2.7:80", "localhost", "192.0.2.7\u0000", "::1%lo", 7].map((address) => viewOf({ address })),
  ...["", long(5000), "a\tb", `${long(3000)}\t`, null, 1].flatMap((text) => [viewOf({ agent: text }), viewOf({ referrer: text })]),
  ...["0", "-0.005", "12", "007.50", "1000000000000", "-1000000000000.000000", "000999999999999.999999", null, "", "-", "1.", ".5", "1.0000001", "+1", "1e3", " 1",
    "1000000000000.000001", "1000000000001", 5].map((amount) => viewOf({ amount })),
  ...["USD", "", null, "usd", "EURO", 1].map((currency) => viewOf({ currency })),
  ...["reseller", "ad", "publisher"].flatMap((field) => ["r", "", null, long(256), long(257), "\r", {}].map((text) => viewOf({ [field]: text }))),
  ...[[], identifiers(32), null, [{ ...identifiers(1)[0], more: 1 }], identifiers(33), {}, ["w"], [{}], [{ ...identifiers(1)[0], id_value: "" }],
    [{ ...identifiers(1)[0], id_name: null }], [{ ...identifiers(1)[0], identifier: long(257) }]].map((each) => viewOf({ identifiers: each })),
  ...[{}, { a: { b: [1] } }, null, [], "{}"].map((attributes) => viewOf({ attributes })),
];

/** Envelopes of CloudEvents, likewise. */
export const envelopes = [
  envelope, { ...envelope, data: null }, { ...envelope, data: full }, { ...envelope, data: { id: "own", actor: null } }, { ...envelope, time: "2026-11-21T10:00:00Z" },
  { ...envelope, more: 1 }, { ...envelope, type: "view" }, {}, [], 1, viewOf(), { ...envelope, specversion: "0.3" }, { ...envelope, specversion: 1 },
  ...["source", "id", "type"].flatMap((field) => [{ ...envelope, [field]: "" }, { ...envelope, [field]: null }, { ...envelope, [field]: undefined }]),
  { ...envelope, time: "now" }, { ...envelope, subject: 1 }, { ...envelope, data: [] }, { ...envelope, data: "view" }, { ...envelope, data: { actor: 1 } },
  { ...envelope, data: { amount: "1e3" } },
];
