// The same as requests.mjs, of KairosDB's interface, and of Prometheus' remote write. What points come to is tested in tests/acceptance/kairos_test.cpp.

const points = "/api/v1/datapoints";
const query = `${points}/query`;
const tags = `${query}/tags`;
const written = "/api/v1/write";
const ofPrometheus = { "Content-Encoding": "snappy", "Content-Type": "application/x-protobuf" };
const badRequest = { status: 400, type: "invalid-input" };
const now = Date.now();
const load = (more) => ({ name: "load", tags: { host: "a" }, timestamp: now, value: 1, ...more });
const asked = (metric, more) => JSON.stringify({ start_relative: { value: 1, unit: "hours" }, metrics: [{ name: "load", ...metric }], ...more });
const everyGroup = [
  { name: "tag", tags: ["host"] }, { name: "time", group_count: 2, range_size: { value: 1, unit: "days" } }, { name: "value", range_size: 10 },
  { name: "bin", bins: [1, 2.5] },
];
const minutes = { value: 1, unit: "minutes" };
const everyAggregator = [
  ...["avg", "count", "dev", "first", "gaps", "last", "max", "min", "sum"].map((name) => ({ name, sampling: minutes, align_sampling: true })),
  { name: "percentile", percentile: 0.9, sampling: minutes }, { name: "least_squares", sampling: minutes }, { name: "diff" }, { name: "div", divisor: 2 },
  { name: "rate", unit: "seconds" }, { name: "sampler", unit: "seconds" }, { name: "scale", factor: 2 }, { name: "trim", trim: "both" },
  { name: "filter", filter_op: "lt", threshold: 0 },
];
const get = (target, body) => ({ method: "GET", target: `${target}?query=${encodeURIComponent(body)}` });
const post = (target, body, more) => ({ method: "POST", target, body, ...more });

export const kairosSamples = {
  "POST /api/v1/datapoints": { target: points, body: JSON.stringify([load()]), status: 204 },
  // A message of no series, packed.
  "POST /api/v1/write": { target: written, body: "\0", headers: ofPrometheus, status: 204 },
  "GET /api/v1/datapoints/query": get(query, asked()),
  "POST /api/v1/datapoints/query": { target: query, body: asked() },
  "GET /api/v1/datapoints/query/tags": get(tags, asked()),
  "POST /api/v1/datapoints/query/tags": { target: tags, body: asked() },
  "GET /api/v1/metricnames": { target: "/api/v1/metricnames?prefix=l" },
  "GET /api/v1/health/check": { target: "/api/v1/health/check", status: 204 },
};

export const kairosRequests = [
  post(points, JSON.stringify(load({ ttl: 60, type: "double", datapoints: [[now - 1, 2], [now - 2, 3, "long"]] })), { status: 204 }),
  post(points, "[]", { status: 204 }),
  ...["", "{", "7", "[7]", JSON.stringify(load({ tags: {} })), JSON.stringify(load({ value: "1" })), JSON.stringify(load({ timestamp: 1 })), JSON.stringify(load({ type: "string" }))]
    .map((body) => post(points, body, { status: 400 })),
  post(points, "x", { headers: { "Content-Encoding": "gzip" }, status: 400 }),
  post(points, "x", { headers: { "Content-Type": "application/gzip" }, status: 400 }),
  post(points, "x", { headers: { "Content-Encoding": "br" }, status: 415, type: "unsupported-encoding" }),
  ...["", "x", "\u0001\u0000x"].map((body) => post(written, body, { headers: ofPrometheus, ...badRequest })),
  post(written, "\0", { headers: { ...ofPrometheus, "Content-Encoding": null }, status: 415, type: "unsupported-encoding" }),
  post(written, "\0", { headers: { ...ofPrometheus, "Content-Type": "application/x-protobuf;proto=io.prometheus.write.v2.Request" }, status: 415, type: "unsupported-type" }),
  post(`${written}?x=1`, "\0", { headers: ofPrometheus, ...badRequest, field: "x" }),
  ...[query, tags].flatMap((target) => [
    post(target, asked({ group_by: everyGroup, aggregators: everyAggregator, limit: 100, order: "desc", tags: { host: ["a"] } }, { time_zone: "Europe/Berlin" }), { status: 200 }),
    { ...get(target, asked({ exclude_tags: true })), status: 200 },
    ...["", "{", "{}", asked({ aggregators: [{ name: "mean" }] }), asked({ aggregators: [{ name: "save_as" }] }), asked({ group_by: [{ name: "host" }] }), asked({}, { time_zone: "Mars" })]
      .flatMap((body) => [post(target, body, { status: 400 }), { ...get(target, body), status: 400 }]),
    post(target, "x".repeat(70_000), { status: 413, type: "body-too-large" }),
    { method: "GET", target: `${target}?query=%ff`, ...badRequest, field: "query" },
  ]),
  { method: "GET", target: "/api/v1/metricnames?prefix=%ff", ...badRequest, field: "prefix" },
  ...[points, query, tags].map((target) => post(`${target}?x=1`, "{}", { ...badRequest, field: "x" })),
  ...[query, tags, "/api/v1/metricnames", "/api/v1/tagnames", "/api/v1/tagvalues", "/api/v1/health/status", "/api/v1/health/check", "/api/v1/version"]
    .map((target) => ({ method: "GET", target: `${target}?x=1`, ...badRequest, field: "x" })),
];
