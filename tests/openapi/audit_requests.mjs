// The same as requests.mjs, of the audit log.

const audit = "/api/v1/audit";
const problem = (status, type, field) => ({ status, type, field });
const invalid = (field) => problem(400, "invalid-input", field);
const get = (target, more) => ({ method: "GET", target: `${audit}${target}`, ...more });

export const auditSamples = {
  [`GET ${audit}`]: { target: audit },
  [`GET ${audit}/head`]: { target: `${audit}/head` },
  [`GET ${audit}/checkpoint`]: { target: `${audit}/checkpoint` },
  [`GET ${audit}/key`]: { target: `${audit}/key` },
  [`GET ${audit}/inclusion`]: { target: `${audit}/inclusion?entry=0&size=1` },
  [`GET ${audit}/consistency`]: { target: `${audit}/consistency?from=0&to=1` },
  [`GET ${audit}/tile/{tile}`]: { target: `${audit}/tile/0/000.p/1` },
};

const huge = "99999999999999999999";

export const auditRequests = [
  get("?after=0&limit=1000", { status: 200 }),
  get("/head", { status: 200, headers: { Accept: "application/json" } }),
  get("/head?size=1", { headers: { Accept: "application/json" }, ...invalid("size") }),
  get("?after=9007199254740991", { status: 200 }),
  get("?opened=true&limit=3", { status: 200 }),
  get("?limit=2", { status: 200, headers: { Accept: "application/x-ndjson" } }),
  get("?limit=2", { status: 200, headers: { Accept: "text/csv" } }),
  get("?after=9007199254740992", { ...invalid("after") }),
  get("?after=x", { ...invalid("after") }),
  get("?after=-1", { ...invalid("after") }),
  get("?after=", { ...invalid("after") }),
  get(`?after=${huge}`, { ...invalid("after") }),
  get("?limit=0", { ...invalid("limit") }),
  get("?limit=1001", { ...invalid("limit") }),
  get("?opened=yes", { ...invalid("opened") }),
  get("?before=1", { ...invalid("before") }),
  get("/head?size=1", { ...invalid("size") }),
  get("/key?a=1", { ...invalid("a") }),
  get("/inclusion?entry=0&size=1", { status: 200 }),
  get("/inclusion?entry=0", { ...invalid("size") }),
  get("/inclusion?size=1", { ...invalid("entry") }),
  get("/inclusion?entry=1&size=1", { ...invalid("entry") }),
  get("/inclusion?entry=0&size=9007199254740991", { ...invalid("size") }),
  get(`/inclusion?entry=0&size=${huge}`, { ...invalid("size") }),
  get("/inclusion?entry=-1&size=1", { ...invalid("entry") }),
  get("/inclusion?entry=0&size=1&root=a", { ...invalid("root") }),
  get("/consistency?from=1&to=1", { status: 200 }),
  get("/consistency?from=1", { ...invalid("to") }),
  get("/consistency?to=1", { ...invalid("from") }),
  get("/consistency?from=2&to=1", { ...invalid("from") }),
  get("/consistency?from=1&to=9007199254740991", { ...invalid("to") }),
  get("/consistency?from=a&to=1", { ...invalid("from") }),
  get("/tile/entries/000.p/1", { status: 200 }),
  get("/tile/0/000", { ...problem(404, "not-found", "tile") }),
  get("/tile/0/000.p/255", { ...problem(404, "not-found", "tile") }),
  get("/tile/0/000.p/0", { ...problem(404, "not-found", "tile") }),
  get("/tile/0/0", { ...problem(404, "not-found", "tile") }),
  get("/tile/64/000", { ...problem(404, "not-found", "tile") }),
  get("/tile/63/x999/x999/x999/x999/x999/999", { ...problem(404, "not-found", "tile") }),
  get("/tile/entries/x001/000", { ...problem(404, "not-found", "tile") }),
  get("/tile/%00", { ...problem(404, "not-found", "tile") }),
  get("/tile/", { ...problem(404, "not-found", "tile") }),
];
