// The same as requests.mjs, of segments.

const segments = "/api/v1/segments";
const hooks = "/api/v1/webhooks";
const reports = "/api/v1/segment_reports";
const one = `${segments}/sample`;
const ndjson = { "Content-Type": "application/x-ndjson" };
const rows = { Accept: "application/x-ndjson" };
const csv = { Accept: "text/csv" };
const long = (bytes) => "n".repeat(bytes);
const problem = (status, type, field) => ({ status, type, field });
const invalid = (field) => problem(400, "invalid-input", field);
const missing = problem(404, "not-found", "segment");
const unknownReport = problem(404, "not-found", "name");
const unknownHook = problem(404, "not-found", "name");
const id = (value, more) => ({ identifier: "www", id_name: "id", id_value: value, ...more });
const line = (said) => `${JSON.stringify(said)}\n`;

/** In this order: the first ones make what the others ask for. */
export const segmentsSamples = {
  [`POST ${segments}/{segment}/members`]: { target: `${one}/members`, headers: ndjson, body: line(id("w1", { ttl: 3600 })) + line(id("w2")) },
  [`DELETE ${segments}/{segment}/members`]: { target: `${one}/members`, headers: ndjson, body: line(id("w3")) },
  [`GET ${segments}/{segment}/members`]: { target: `${one}/members` },
  [`GET ${segments}/{segment}/members/{identifier}/{id_name}/{id_value}`]: { target: `${one}/members/www/id/w1` },
  [`GET ${segments}/{segment}`]: { target: one },
  [`GET ${segments}/{segment}/changes`]: { target: `${one}/changes` },
  [`GET /api/v1/live/segments/{segment}`]: { target: "/api/v1/live/segments/sample" },
  [`GET ${segments}/{segment}/sizes`]: { target: `${one}/sizes` },
  [`GET ${segments}`]: { target: segments },
  [`POST ${segments}/count`]: { target: `${segments}/count`, body: '{"all":["sample"]}' },
  [`POST ${segments}/overlap`]: { target: `${segments}/overlap`, body: '{"segments":["sample"]}' },
  [`PUT ${reports}/{name}`]: { target: `${reports}/growth`, body: '{"segments":["sample"],"at":"06:30"}', status: 201 },
  [`GET ${reports}/{name}`]: { target: `${reports}/growth` },
  [`GET ${reports}`]: { target: reports },
  [`POST ${reports}/{name}/count`]: { target: `${reports}/growth/count` },
  [`GET ${reports}/{name}/days`]: { target: `${reports}/growth/days` },
  [`GET ${reports}/{name}/days/{day}`]: { target: `${reports}/growth/days/latest` },
  [`DELETE ${reports}/{name}`]: { target: `${reports}/nobody`, ...unknownReport },
  [`PUT ${segments}/{segment}`]: { target: `${segments}/ruled`, body: '{"rule":{"event":{"action":"click","within":"30d"}}}' },
  [`PUT ${hooks}/{name}`]: { target: `${hooks}/crm`, body: '{"segment":"sample","url":"https://192.0.2.1/hook"}', ...invalid("url") },
  [`GET ${hooks}/{name}`]: { target: `${hooks}/nobody`, ...unknownHook },
  [`GET ${hooks}`]: { target: hooks },
  [`POST ${hooks}/{name}/resume`]: { target: `${hooks}/nobody/resume`, ...unknownHook },
  [`DELETE ${hooks}/{name}`]: { target: `${hooks}/nobody`, ...unknownHook },
  [`DELETE ${segments}/{segment}`]: { target: `${segments}/nobody%20of%20this%20name`, ...missing },
};

const odd = `${segments}/%22%C3%BC%2F`;
const members = (method, body, more) => ({ method, target: `${odd}/members`, headers: { ...ndjson, ...more.headers }, body, ...more.answer });
const get = (target, more) => ({ method: "GET", target: `${segments}${target}`, ...more });
const live = (target, more) => ({ method: "GET", target: `/api/v1/live/segments/${target}`, ...more });
const count = (body, more) => ({ method: "POST", target: `${segments}/count`, body: JSON.stringify(body), ...more });
const overlap = (body, more) => ({ method: "POST", target: `${segments}/overlap`, body: JSON.stringify(body), ...more });
const many = (number) => Array.from({ length: number }, (_, at) => `s${at}`);

const hook = (name, body, more) => ({ method: "PUT", target: `${hooks}/${name}`, body: JSON.stringify(body), ...more });
const told = (more) => ({ segment: "sample", url: "https://receiver.invalid/hook", ...more });
const eachHook = (use) => Array.from({ length: 100 }, (_, at) => use(`hook-${at}`));

const report = (name, body, more) => ({ method: "PUT", target: `${reports}/${name}`, body: JSON.stringify(body), ...more });
const compared = (more) => ({ segments: ["sample", '"ü/'], at: "06:30", ...more });
const counted = (more) => ({ method: "POST", target: `${reports}/growth/count`, status: 200, ...more });
const eachReport = (use) => Array.from({ length: 100 }, (_, at) => use(`report-${at}`));
const rule = (name, is, more) => ({ method: "PUT", target: `${segments}/${name}`, body: JSON.stringify({ rule: is }), ...more });
const clicked = { event: { action: "click", within: "30d" } };

export const segmentsRequests = [
  rule("ruled", { any: [clicked, { datum: { name: "age", at_least: 18, at_most: 65 } }] }, { status: 200 }),
  rule("ruled2", { all: [{ segment: "ruled" }, { not: { datum: { name: "city", is: "Oslo" } } }] }, { status: 200 }),
  get("/ruled", { status: 200 }),
  rule("ruled", { segment: "ruled2" }, invalid("rule")),
  rule("ruled", { event: { action: "click", within: "367d" } }, invalid("rule.event.within")),
  rule("ruled", { not: clicked }, invalid("rule")),
  rule("%00", clicked, invalid("segment")),
  { method: "DELETE", target: `${segments}/ruled`, ...problem(409, "conflict") },
  rule("ruled2", null, { status: 200 }),
  rule("nobody", null, missing),
  ...Array.from({ length: 99 }, (_, at) => rule(`many-${at}`, { segment: "sample" }, { status: 200 })),
  rule("one-more", { segment: "sample" }, problem(409, "conflict")),
  ...Array.from({ length: 99 }, (_, at) => ({ method: "DELETE", target: `${segments}/many-${at}`, status: 204 })),
  hook("crm", told(), { status: 201 }),
  hook("crm", told({ network: "www", after: 7 }), { status: 200 }),
  { method: "GET", target: `${hooks}/crm`, status: 200 },
  { method: "GET", target: hooks, status: 200 },
  { method: "POST", target: `${hooks}/crm/resume`, status: 204 },
  { method: "DELETE", target: `${hooks}/crm`, status: 204 },
  ...eachHook((name) => hook(name, told(), { status: 201 })),
  hook("one-more", told(), problem(409, "conflict")),
  ...eachHook((name) => ({ method: "DELETE", target: `${hooks}/${name}`, status: 204 })),
  hook("a%20b", told(), invalid("name")),
  hook("n".repeat(65), told(), invalid("name")),
  hook("crm", {}, invalid("segment")),
  hook("crm", told({ url: null }), invalid("url")),
  hook("crm", told({ url: "http://example.org/" }), invalid("url")),
  hook("crm", told({ url: "https://169.254.169.254/latest" }), invalid("url")),
  hook("crm", told({ url: "https://[::1]/" }), invalid("url")),
  hook("crm", told({ url: "https://a:b@example.org/" }), invalid("url")),
  hook("crm", told({ network: 7 }), invalid("network")),
  hook("crm", told({ network: "" }), invalid("network")),
  hook("crm", told({ after: -1 }), invalid("after")),
  hook("crm", told({ secret: "mine" }), invalid("secret")),
  hook("crm", told({ segment: "nobody of this name" }), missing),
  { method: "GET", target: `${hooks}?limit=1`, ...invalid("limit") },
  members("POST", line(id("w1")) + "\n" + line(id("w2", { ttl: -1 })) + "no JSON\n", { answer: { status: 200 } }),
  members("POST", line(id("w2", { ttl: 60 })), { answer: { status: 200 } }),
  members("POST", "", { answer: { status: 200 } }),
  { method: "DELETE", target: `${reports}/growth`, status: 204 },
  report("growth", compared(), { status: 201 }),
  { method: "GET", target: `${reports}/growth/days/latest`, ...problem(404, "not-found", "day") },
  ...["nobody", "nobody/days", "nobody/days/latest"].map((target) => ({ method: "GET", target: `${reports}/${target}`, ...unknownReport })),
  { method: "POST", target: `${reports}/nobody/count`, ...unknownReport },
  report("growth", compared({ at: "23:59" }), { status: 200 }),
  { method: "GET", target: `${reports}/growth`, status: 200 },
  { method: "GET", target: reports, status: 200 },
  counted(),
  counted({ headers: rows }),
  counted({ headers: csv }),
  { method: "GET", target: `${reports}/growth/days`, status: 200 },
  ...[rows, csv].map((headers) => ({ method: "GET", target: `${reports}/growth/days/latest`, headers, status: 200 })),
  { method: "GET", target: `${reports}/growth/days/2026-13-01`, ...invalid("day") },
  { method: "GET", target: `${reports}/growth/days/1999-01-01`, ...problem(404, "not-found", "day") },
  { method: "GET", target: `${reports}/growth/days?limit=1`, ...invalid("limit") },
  { method: "DELETE", target: `${reports}/growth`, status: 204 },
  ...eachReport((name) => report(name, compared(), { status: 201 })),
  report("one-more", compared(), problem(409, "conflict")),
  ...eachReport((name) => ({ method: "DELETE", target: `${reports}/${name}`, status: 204 })),
  report("a%20b", compared(), invalid("name")),
  report("growth", compared({ segments: [] }), invalid("segments")),
  report("growth", compared({ segments: many(101) }), invalid("segments")),
  report("growth", compared({ segments: ["sample", 7] }), invalid("segments[1]")),
  report("growth", compared({ segments: ["sample", "nobody"] }), problem(404, "not-found", "segments[1]")),
  report("growth", compared({ at: 630 }), invalid("at")),
  report("growth", compared({ at: "6:30" }), invalid("at")),
  report("growth", compared({ every: "day" }), invalid("every")),
  members("DELETE", line(id("w9")) + "[]\n", { answer: { status: 200 } }),
  members("POST", "x", { headers: { "Content-Encoding": "br" }, answer: problem(415, "unsupported-encoding", "Content-Encoding") }),
  members("DELETE", "x", { headers: { "Content-Encoding": "br" }, answer: problem(415, "unsupported-encoding", "Content-Encoding") }),
  members("POST", "x\n".repeat(100_001), { answer: problem(413, "too-many-lines") }),
  members("DELETE", "x\n".repeat(100_001), { answer: problem(413, "too-many-lines") }),
  get("/%22%C3%BC%2F", { status: 200 }),
  get("/%22%C3%BC%2F/members?limit=1", { status: 200 }),
  get("/%22%C3%BC%2F/members", { headers: rows, status: 200 }),
  get("/%22%C3%BC%2F/members", { headers: csv, status: 200 }),
  get("/%22%C3%BC%2F/members?limit=0", invalid("limit")),
  get("/%22%C3%BC%2F/members?limit=10001", invalid("limit")),
  get("/%22%C3%BC%2F/members?cursor=7", invalid("cursor")),
  get("/%22%C3%BC%2F/members?after=7", invalid("after")),
  get("/%22%C3%BC%2F/members/www/id/nobody", { status: 200 }),
  get("/%22%C3%BC%2F/members/www/id/", invalid("id_value")),
  get("/%22%C3%BC%2F/members/www/%00/w1", invalid("id_name")),
  get("/nobody/members/www/id/w1", missing),
  get("/nobody/members", missing),
  get("/nobody/changes", missing),
  get("/nobody", missing),
  get("/a/b", problem(404, "not-found", "segment")),
  get(`/${long(1025)}`, problem(414, "name-too-long", "segment")),
  get("/%ff", invalid("segment")),
  get("/%00", invalid("segment")),
  get("/?prefix=a", invalid("prefix")),
  get("?prefix=sam&limit=1000", { status: 200 }),
  get("", { headers: rows, status: 200 }),
  get("", { headers: csv, status: 200 }),
  get("?limit=1001", invalid("limit")),
  get("?prefix=%ff", invalid("prefix")),
  get("?sort=name", invalid("sort")),
  get("/%22%C3%BC%2F/changes?after=0&network=www&limit=10", { status: 200 }),
  get("/%22%C3%BC%2F/changes", { headers: rows, status: 200 }),
  get("/%22%C3%BC%2F/changes", { headers: csv, status: 200 }),
  get("/%22%C3%BC%2F/changes?after=-1", invalid("after")),
  get("/%22%C3%BC%2F/sizes?from=2026-01-01T00:00:00Z&to=2026-11-01T00:00:00Z", { status: 200 }),
  get("/%22%C3%BC%2F/sizes", { headers: rows, status: 200 }),
  get("/%22%C3%BC%2F/sizes", { headers: csv, status: 200 }),
  get("/nobody/sizes", missing),
  get("/sample/sizes?from=yesterday", invalid("from")),
  get("/sample/sizes?to=2026-02-30T00:00:00Z", invalid("to")),
  get("/sample/sizes?from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z", invalid("from")),
  get("/sample/sizes?from=2020-01-01T00:00:00Z&to=2026-11-01T00:00:00Z", invalid("from")),
  get("/sample/sizes?step=60", invalid("step")),
  get("/%22%C3%BC%2F/changes?network=", invalid("network")),
  get("/%22%C3%BC%2F/changes?limit=ten", invalid("limit")),
  live("nobody", missing),
  live(long(1025), problem(414, "name-too-long", "segment")),
  live("sample?after=-1", invalid("after")),
  live("sample?network=", invalid("network")),
  live("sample?limit=7", invalid("limit")),
  live("sample", { headers: { "Last-Event-ID": "seven" }, ...invalid("Last-Event-ID") }),
  live("sample", { headers: { "Last-Event-ID": "7/-1" }, ...invalid("Last-Event-ID") }),
  { method: "DELETE", target: `${segments}/nobody/members`, headers: ndjson, body: "", ...missing },
  count({ all: ["sample"], any: ["sample"], none: ['"ü/'] }, { status: 200 }),
  count({}, invalid("all")),
  count({ none: ["sample"] }, invalid("all")),
  count({ all: "sample" }, invalid("all")),
  count({ all: [7] }, invalid("all[0]")),
  count({ any: ["sample", "sample"] }, invalid("any[1]")),
  count({ all: many(50), any: many(51) }, invalid("all")),
  count({ not: ["sample"] }, invalid("not")),
  count({ all: ["nobody"] }, problem(404, "not-found")),
  overlap({ segments: ["sample", '"ü/'] }, { status: 200 }),
  overlap({ segments: ["sample", '"ü/'] }, { headers: rows, status: 200 }),
  overlap({ segments: ["sample", '"ü/'] }, { headers: csv, status: 200 }),
  overlap({ segments: ["sample", '"ü/'], combinations: true }, { status: 200 }),
  overlap({ segments: ["sample", '"ü/'], sketch: true }, { status: 200 }),
  overlap({ segments: ["sample", '"ü/'], sketch: true }, { headers: csv, status: 200 }),
  overlap({ segments: many(9), combinations: true }, invalid("combinations")),
  overlap({ segments: many(17), sketch: true }, invalid("sketch")),
  overlap({ segments: ["sample"], sketch: "yes" }, invalid("sketch")),
  overlap({ segments: ["sample"], sketch: true, combinations: true }, invalid("combinations")),
  overlap({ segments: [] }, invalid("segments")),
  overlap({ segments: many(101) }, invalid("segments")),
  overlap({ segments: ["sample", "sample"] }, invalid("segments[1]")),
  overlap({ segments: ["sample", "nobody"] }, problem(404, "not-found")),
  { method: "POST", target: `${segments}/sample2/members`, body: line(id("w1")), status: 200 },
  { method: "DELETE", target: `${segments}/sample2`, status: 204 },
];

export const memberLines = [
  id("w1"), id("ü\"/"), id("w1", { ttl: 1 }), id("w1", { ttl: 3155695200 }), id("n".repeat(256)), { id_value: "a", identifier: "b", id_name: "c" },
  id("w1", { ttl: 0 }), id("w1", { ttl: -1 }), id("w1", { ttl: "60" }), id("w1", { ttl: 1.5 }), id("w1", { ttl: null }), id("w1", { ttl: 3155695201 }),
  id("w1", { tll: 60 }), id(""), id("n".repeat(257)), id(7), id(null), {}, { identifier: "www" }, { identifier: "www", id_name: "id" }, [], "text", 7, null,
];
