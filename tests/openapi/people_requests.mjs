
// The same as requests.mjs, of people: consent and friends.

const people = "/api/v1/people";
const long = (bytes) => "n".repeat(bytes);
const problem = (status, type, field) => ({ status, type, field });
const invalid = (field) => problem(400, "invalid-input", field);
const line = (said) => `${JSON.stringify(said)}\n`;

export const peopleSamples = {
  [`POST ${people}`]: { target: people, headers: { "Content-Type": "application/x-ndjson" }, body: line({ actor: "sample", reading: "shared", friends: ["u2"] }) },
  [`GET ${people}/{actor}`]: { target: `${people}/sample` },
  [`PUT ${people}/{actor}`]: { target: `${people}/sample`, body: '{"reading":"shared"}' },
  [`DELETE ${people}/{actor}`]: { target: `${people}/erased`, status: 202 },
  "GET /api/v1/erasures": { target: "/api/v1/erasures" },
  "GET /api/v1/erasures/{receipt}": { target: `/api/v1/erasures/${"0".repeat(48)}`, ...problem(404, "not-found", "receipt") },
  [`GET ${people}/{actor}/friends`]: { target: `${people}/sample/friends` },
  [`PUT ${people}/{actor}/friends`]: { target: `${people}/sample/friends`, body: '{"friends":["u2"]}' },
  [`POST ${people}/{actor}/friends`]: { target: `${people}/sample/friends`, body: '{"add":["u3"],"remove":["u2"]}' },
  [`GET ${people}/{actor}/reads`]: { target: `${people}/sample/reads` },
  [`DELETE ${people}/{actor}/reads`]: { target: `${people}/sample/reads?url=https%3A%2F%2Fnews.example%2Fa` },
  "GET /api/v1/reading/popular": { target: "/api/v1/reading/popular?actor=sample" },
  "GET /api/v1/reading/trending": { target: "/api/v1/reading/trending" },
  "GET /api/v1/reading/activity": { target: "/api/v1/reading/activity?actor=sample" },
  "GET /api/v1/reading/readers": { target: "/api/v1/reading/readers?url=https%3A%2F%2Fnews.example%2Fa" },
  "POST /api/v1/reading/who": { target: "/api/v1/reading/who", body: '{"actor":"sample","urls":["https://news.example/a"]}' },
};

const odd = `${people}/%22%C3%BC%2F`;
const person = (body, more) => ({ method: "PUT", target: odd, body, ...more });
const listed = (method, body, more) => ({ method, target: `${odd}/friends`, body, ...more });

const who = (body, more) => ({ method: "POST", target: "/api/v1/reading/who", body: JSON.stringify(body), ...more });
const urls = ["https://news.example/a"];
const ranked = (target, more) => ({ method: "GET", target: `/api/v1/reading/${target}`, ...more });
const reads = (query, more) => ({ method: "GET", target: `${odd}/reads${query}`, ...more });
const takeBack = (query, more) => ({ method: "DELETE", target: `${odd}/reads${query}`, ...more });

export const peopleRequests = [
  { method: "DELETE", target: `${people}/erased?dry_run=true`, status: 200 },
  { method: "DELETE", target: `${people}/erased?dry_run=7`, ...invalid("dry_run") },
  { method: "DELETE", target: `${people}/erased?all=true`, ...invalid("all") },
  { method: "DELETE", target: `${people}/a%01b`, ...invalid("actor") },
  { method: "DELETE", target: `${people}/${long(2000)}`, ...problem(414, "name-too-long", "actor") },
  { method: "GET", target: "/api/v1/erasures/x", ...problem(404, "not-found", "receipt") },
  { method: "GET", target: "/api/v1/erasures/x?limit=1", ...invalid("limit") },
  { method: "GET", target: "/api/v1/erasures?limit=0", ...invalid("limit") },
  { method: "GET", target: "/api/v1/erasures?limit=1001", ...invalid("limit") },
  { method: "GET", target: "/api/v1/erasures?cursor=x", ...invalid("cursor") },
  { method: "GET", target: `/api/v1/erasures?cursor=${"g".repeat(48)}`, ...invalid("cursor") },
  { method: "GET", target: "/api/v1/erasures?whose=1", ...invalid("whose") },
  ranked("popular", { status: 200 }),
  ranked("popular?scope=all&window=30d&limit=1000&per_site=2", { status: 200 }),
  ranked("popular?scope=friends&actor=u1&window=1h", { status: 200 }),
  ranked("popular?scope=nobody", { ...invalid("scope") }),
  ranked("popular?scope=friends", { ...invalid("actor") }),
  ranked("popular?scope=friends&actor=", { ...invalid("actor") }),
  ranked("popular?window=2h", { ...invalid("window") }),
  ranked("popular?limit=0", { ...invalid("limit") }),
  ranked("popular?limit=1001", { ...invalid("limit") }),
  ranked("popular?per_site=-1", { ...invalid("per_site") }),
  ranked("popular?day=1", { ...invalid("day") }),
  ranked("trending?limit=2&per_site=0", { status: 200 }),
  ranked("trending?limit=0", { ...invalid("limit") }),
  ranked("trending?per_site=1001", { ...invalid("per_site") }),
  ranked("trending?window=24h", { ...invalid("window") }),
  ranked("activity?actor=u1&limit=100", { status: 200 }),
  ranked("readers?url=no%20URL&by=profile", { status: 200 }),
  ranked("readers?url=https%3A%2F%2Fnews.example%2Fa", { status: 200 }),
  ranked("readers", { ...invalid("url") }),
  ranked("readers?by=profile&url=", { ...invalid("url") }),
  ranked("readers?by=profile&url=%ff", { ...invalid("url") }),
  ranked("readers?by=people&url=a", { ...invalid("by") }),
  ranked("readers?by=profile&url=a&limit=1", { ...invalid("limit") }),
  ranked("activity", { ...invalid("actor") }),
  ranked("activity?actor=%ff", { ...invalid("actor") }),
  ranked("activity?actor=u1&limit=101", { ...invalid("limit") }),
  who({ friends: ["u2"], urls: ["HTTP://News.example/a", "no URL"], names: 1 }, { status: 200 }),
  who({ actor: "u1", friends: [], urls }, { status: 200 }),
  who({ urls }, { ...invalid("actor") }),
  who({ actor: null, friends: null, urls }, { ...invalid("actor") }),
  who({ actor: "u1" }, { ...invalid("urls") }),
  who({ actor: "u1", urls: [] }, { ...invalid("urls") }),
  who({ actor: "u1", urls: [7] }, { ...invalid("urls") }),
  who({ actor: "u1", urls: [""] }, { ...invalid("urls") }),
  who({ actor: "u1", urls: Array(101).fill("https://news.example/a") }, { ...invalid("urls") }),
  who({ friends: Array.from({ length: 5001 }, (_, at) => `u${at}`), urls }, { ...invalid("friends") }),
  who({ actor: "u1", urls, names: -1 }, { ...invalid("names") }),
  who({ actor: "u1", urls, names: 1000001 }, { ...invalid("names") }),
  who({ actor: "u1", urls, window: "24h" }, { ...invalid("window") }),
  who([], { ...invalid() }),
  { method: "GET", target: `${people}/nobody`, status: 200 },
  { method: "GET", target: `${people}/nobody/friends`, status: 200 },
  person("{}", { status: 200 }),
  person('{"reading":"private","until":"2999-01-01T00:00:00Z","sites":["News.example"],"to":"friends"}', { status: 200 }),
  { method: "GET", target: odd, status: 200 },
  person('{"reading":"shared","until":null,"sites":null,"to":null}', { status: 200 }),
  listed("PUT", JSON.stringify({ friends: ["\"ü/", "u2", "u2"] }), { status: 200 }),
  listed("POST", '{"add":["u3"]}', { status: 200 }),
  { method: "GET", target: `${odd}/friends`, status: 200 },
  listed("PUT", '{"friends":[]}', { status: 200 }),
  { method: "POST", target: people, body: "", status: 200 },
  { method: "POST", target: people, body: line({ actor: "p1" }) + line({ actor: "p1", reading: "off" }) + "none\n", status: 200 },
  { method: "POST", target: people, body: line({ actor: "p1", add: ["p2"], remove: ["p3"] }) + line({ actor: "p1", add: [] }) + line({ actor: "p1", remove: "p3" }), status: 200 },
  reads("", { status: 200 }),
  reads("?limit=1000", { status: 200 }),
  takeBack("?url=a&url=b", { ...invalid("url") }),
  reads("?limit=0", { ...invalid("limit") }),
  reads("?limit=1001", { ...invalid("limit") }),
  reads("?after=x", { ...invalid("after") }),
  reads("?after=17", { ...invalid("after") }),
  reads("?url=a", { ...invalid("url") }),
  takeBack("?url=no%20URL", { status: 200 }),
  takeBack("?site=News.example", { status: 200 }),
  takeBack("?from=2026-01-01T00:00:00Z", { status: 200 }),
  takeBack("?all=true", { status: 200 }),
  takeBack("", { ...invalid("all") }),
  takeBack("?url=a&site=b.example", { ...invalid("site") }),
  takeBack("?url=", { ...invalid("url") }),
  takeBack(`?url=${long(1025)}`, { ...invalid("url") }),
  takeBack("?site=https://news.example/", { ...invalid("site") }),
  takeBack("?site=", { ...invalid("site") }),
  takeBack("?from=yesterday", { ...invalid("from") }),
  takeBack("?from=2999-01-01T00:00:00Z", { ...invalid("from") }),
  takeBack("?all=false", { ...invalid("all") }),
  takeBack("?since=2026-01-01T00:00:00Z", { ...invalid("since") }),
  { method: "DELETE", target: `${people}/${long(1025)}/reads?all=true`, ...problem(414, "name-too-long", "actor") },
  person("", { ...invalid() }),
  person('{"reading":"on"}', { ...invalid("reading") }),
  person('{"reading":"shared","sites":[]}', { ...invalid("sites") }),
  person('{"reading":"shared","until":"2999-01-01T00:00:00Z"}', { ...invalid("until") }),
  person('{"read":"shared"}', { ...invalid("read") }),
  listed("PUT", "{}", { ...invalid("friends") }),
  listed("PUT", JSON.stringify({ friends: Array.from({ length: 5001 }, (_, at) => `u${at}`) }), { ...invalid("friends") }),
  listed("POST", "{}", { ...invalid("add") }),
  listed("POST", '{"remove":[""]}', { ...invalid("remove") }),
  { method: "GET", target: `${people}/${long(1025)}`, ...problem(414, "name-too-long", "actor") },
  { method: "GET", target: `${people}/%00`, ...invalid("actor") },
  { method: "GET", target: `${people}/u1/enemies`, ...problem(404, "not-found", "actor") },
  { method: "PUT", target: `${people}/u1/enemies`, body: "{}", ...problem(404, "not-found", "actor") },
  { method: "POST", target: people, body: "x", headers: { "Content-Encoding": "br" }, ...problem(415, "unsupported-encoding") },
];

const lengths = [0, 1, 1024, 1025];
const consents = [
  {}, { reading: "shared" }, { reading: "private" }, { reading: "off" }, { reading: "on" }, { reading: null }, { reading: 1 }, { to: "friends" }, { to: "all" },
  { sites: ["news.example"] }, { sites: [] }, { sites: [1] }, { sites: null }, { sites: Array(100).fill("a.example") }, { sites: Array(101).fill("a.example") },
  { reading: "private", until: "2999-01-01T00:00:00Z" }, { until: null }, { until: 7 }, { friends: [] }, { friends: null }, { friends: ["u1", "u1"] },
  { friends: [""] }, { friends: [7] }, { friends: "u1" }, { friends: ["a\u0007"] }, { reading: "shared", friends: ["u2"], sites: ["b.example"] }, { more: 1 },
];

/** Lines that are taken if and only if their schema takes them. */
export const personLines = [
  ...lengths.map((bytes) => ({ actor: long(bytes), reading: "off" })),
  ...consents.map((consent) => ({ actor: "p", ...consent })),
  { reading: "shared" }, { actor: null, reading: "shared" }, { actor: 7, reading: "shared" }, { actor: "a\u0000b", reading: "shared" }, { actor: "ü", reading: "shared" },
  [], "text", 7, null,
];
