// The same as requests.mjs, of clicks and income.

import { operations } from "./document.mjs";

const ledger = "/api/v1/ledger";
const months = `${ledger}/months`;
const kinds = ["reseller", "publisher"];
const long = (bytes) => "n".repeat(bytes);
const problem = (status, type, field) => ({ status, type, field });
const invalid = (field) => problem(400, "invalid-input", field);
const range = "from=2013-11-28&to=2013-12-01";
const rate = '{"reward_percent":"0.3","reason":"as agreed"}';

/** The rate of a party comes first: by it the party is known to the others. */
export const adsSamples = Object.fromEntries([
  ...kinds.flatMap((kind) => {
    const path = `/api/v1/${kind}s`;
    return [
      [`PUT ${path}/{id}/rates/{day}`, { target: `${path}/sample/rates/2013-11-30`, body: rate, status: 201 }],
      [`DELETE ${path}/{id}/rates/{day}`, { target: `${path}/sample/rates/2013-11-30`, status: 201 }],
      [`GET ${path}/{id}/rates`, { target: `${path}/sample/rates` }],
      [`GET ${path}/{id}/income`, { target: `${path}/sample/income?${range}` }],
      [`GET ${path}/{id}/statements/{month}`, { target: `${path}/sample/statements/2013-12` }],
      [`GET ${path}/{id}/clicks`, { target: `${path}/sample/clicks?${range}` }],
    ];
  }),
  ["GET /api/v1/ads/{id}/clicks", { target: `/api/v1/ads/sample/clicks?${range}` }],
  [`PUT ${months}/{month}`, { target: `${months}/2013-10`, body: '{"state":"sealed","reason":"paid"}', status: 201 }],
  [`GET ${ledger}/split`, { target: `${ledger}/split?${range}&currency=USD` }],
]);

const event = (id, day, more) => ({
  id, time: `${day}T10:00:00Z`, action: "click", object: "banner-1", actor: id, amount: "0.005", currency: "USD",
  reseller: "=1+1", ad: "banner-1", publisher: "site, \"3\"", ...more,
});
const clicks = [
  event("c-1", "2013-11-28"), event("c-2", "2013-11-29", { amount: "0.0075" }), event("c-3", "2013-12-01", { amount: "0.01" }),
  { ...event("c-4", "2013-12-01"), time: "2013-12-01T10:00:20Z", actor: "c-3" },
  event("c-5", "2013-12-01", { currency: "EUR", reseller: "two" }), event("c-6", "2013-12-01", { reseller: "two" }),
  event("s-1", "2013-12-01", { action: "sale", amount: "20" }), event("s-2", "2013-12-02", { action: "sale", amount: "-20", ad: "" }),
];
const named = { reseller: "%3D1%2B1", publisher: "site%2C%20%223%22" };

const answered = [
  { method: "POST", target: "/api/v1/events", headers: { "Content-Type": "application/json" }, body: JSON.stringify(clicks), status: 200 },
  ...kinds.flatMap((kind) => {
    const path = `/api/v1/${kind}s/${named[kind]}`;
    return [
      { method: "PUT", target: `${path}/rates/2013-11-01`, body: '{"reward_percent":"0.25"}', status: 201 },
      { method: "PUT", target: `${path}/rates/2013-11-01`, body: '{"reward_percent":"00.250000"}', status: 200 },
      { method: "PUT", target: `${path}/rates/2013-11-30`, body: '{"reward_percent":"1"}', headers: { "If-Match": "*" }, status: 201 },
      { method: "PUT", target: `${path}/rates/2013-10-30?dry_run=true`, body: '{"reward_percent":"0"}', status: 200 },
      { method: "DELETE", target: `${path}/rates/2013-11-30?dry_run=true&reason=why`, status: 200 },
      { method: "DELETE", target: `${path}/rates/2013-10-01`, ...problem(404, "not-found", "day") },
      { method: "PUT", target: `${path}/rates/2013-11-30`, body: rate, headers: { "If-Match": '"0-0"' }, ...problem(412, "version-changed", "If-Match") },
      { method: "PUT", target: `${path}/rates/2013-11-30?dry_run=true`, body: rate, headers: { "If-Match": '"0-0"' }, ...problem(412, "version-changed", "If-Match") },
      { method: "DELETE", target: `${path}/rates/2013-11-30`, headers: { "If-Match": '"0-0"' }, ...problem(412, "version-changed", "If-Match") },
      ...["&group_by=month", "&group_by=hour", "&group_by=ad", `&group_by=${kinds.find((other) => other !== kind)}`, "&group_by=none", "&tz=Asia/Kolkata",
        "&group_by=hour&tz=Asia/Kolkata", "&as_of=2013-12-31", "&as_of=2013-11-28&group_by=none"]
        .map((query) => ({ method: "GET", target: `${path}/income?${range}${query}&currency=USD`, status: 200 })),
      { method: "GET", target: `${path}/income?group_by=month&currency=USD`, status: 200 },
      { method: "GET", target: `${path}/clicks`, status: 200 },
      { method: "GET", target: `${path}/clicks?by=profile`, status: 200 },
      { method: "GET", target: `${path}/rates`, status: 200 },
      ...["text/csv", "text/html", "*/*"].map((Accept) => ({ method: "GET", target: `${path}/statements/2013-12?currency=USD`, headers: { Accept }, status: 200 })),
      { method: "GET", target: `/api/v1/${kind}s?prefix=s&limit=1&cursor=a`, status: 200 },
    ];
  }),
  { method: "PUT", target: `${months}/2013-11`, body: '{"state":"sealed"}', status: 201 },
  { method: "PUT", target: `${months}/2013-11`, body: '{"state":"sealed"}', status: 200 },
  ...kinds.flatMap((kind) => [
    // Of a month that is sealed: made up for in the next one.
    { method: "PUT", target: `/api/v1/${kind}s/${named[kind]}/rates/2013-11-29`, body: rate, status: 201 },
    ...["day", "none"].map((by) => ({ method: "GET", target: `/api/v1/${kind}s/${named[kind]}/income?from=2013-11-01&to=2013-12-31&currency=USD&group_by=${by}`, status: 200 })),
    { method: "GET", target: `/api/v1/${kind}s?sort=amount&currency=EUR`, status: 200 },
  ]),
  { method: "GET", target: "/api/v1/ads/nobody/clicks", status: 200 },
  { method: "GET", target: "/api/v1/ads/banner-1/clicks?tz=Asia/Kolkata", status: 200 },
  ...["*/*", "text/csv", "application/x-ndjson"].map((Accept) => (
    { method: "GET", target: `/api/v1/ads/banner-1/clicks?by=profile&${range}`, headers: { Accept }, status: 200 })),
  { method: "GET", target: `${ledger}/split?${range}&currency=EUR`, status: 200 },
  { method: "GET", target: `${ledger}/split?currency=USD`, status: 200 },
  // As rows, of all that can be had so.
  ...operations.filter(({ name, path, operation }) => !path.startsWith("/api/v1/segment") && name.startsWith("GET ") && operation.responses[200]?.content?.["application/x-ndjson"] !== undefined).flatMap(({ name, path }) => {
    const { target } = adsSamples[name] ?? { target: path };
    const full = Object.entries(named).reduce((at, [kind, id]) => at.replace(`${kind}s/sample`, `${kind}s/${id}`), target);
    const one = path.endsWith("/income") ? "&currency=USD" : path.endsWith("/{id}") || path.endsWith("s") && path.split("/").length === 4 ? "?limit=1" : "";
    return ["text/csv", "application/x-ndjson"].map((Accept) => ({ method: "GET", target: full + one, headers: { Accept }, status: 200 }));
  }),
];

const refused = [
  ...kinds.flatMap((kind) => {
    const path = `/api/v1/${kind}s`;
    return [
      ...["income", "clicks", "rates", "statements/2013-12"].flatMap((what) => [
        { method: "GET", target: `${path}/nobody/${what}`, ...problem(404, "not-found", kind) },
        { method: "GET", target: `${path}/${long(257)}/${what}`, ...problem(414, "name-too-long", kind) },
        { method: "GET", target: `${path}/%ff/${what}`, ...invalid(kind) },
        { method: "GET", target: `${path}/sample/${what}?form=2013-11-28`, ...invalid("form") },
      ]),
      ...["PUT", "DELETE"].flatMap((method) => [
        { method, target: `${path}/${long(257)}/rates/2013-11-30`, body: method === "PUT" ? rate : "", ...problem(414, "name-too-long", kind) },
        { method, target: `${path}/sample/rates/2013-11-31`, body: method === "PUT" ? rate : "", ...invalid("day") },
      ]),
      ...["0.3000001", "1.1", "-0.1", "30", "", "30 %", "1e-1", " 0.3", 0.3, null, undefined]
        .map((share) => ({ method: "PUT", target: `${path}/sample/rates/2013-11-30`, body: JSON.stringify({ reward_percent: share }), ...invalid("reward_percent") })),
      { method: "GET", target: `${path}/sample/income?as_of=2999-01-01`, ...invalid("as_of") },
      { method: "GET", target: `${path}?sort=amount&cursor=a`, ...invalid("sort") },
    ];
  }),
  { method: "GET", target: "/api/v1/resellers/two/income?group_by=month", ...problem(409, "currency-needed", "currency") },
  { method: "GET", target: `/api/v1/publishers/${named.publisher}/income?group_by=month`, ...problem(409, "currency-needed", "currency") },
  { method: "GET", target: "/api/v1/resellers/two/statements/2013-12", ...problem(409, "currency-needed", "currency") },
  { method: "GET", target: `/api/v1/publishers/${named.publisher}/statements/2013-12`, ...problem(409, "currency-needed", "currency") },
  { method: "GET", target: `${ledger}/split`, ...problem(409, "currency-needed", "currency") },
  { method: "GET", target: `${ledger}/split?currency=usd`, ...invalid("currency") },
  { method: "GET", target: `${ledger}/split?from=2013-11-28&to=2013-11-27&currency=USD`, ...invalid("from") },
  { method: "GET", target: "/api/v1/ads/sample/clicks?from=28.11.2013", ...invalid("from") },
  { method: "GET", target: `${months}?month=2013-11`, ...invalid("month") },
  { method: "PUT", target: `${months}/2999-01`, body: '{"state":"sealed"}', ...problem(409, "month-not-over", "month") },
  ...["open", "", null, undefined].map((state) => ({ method: "PUT", target: `${months}/2013-10`, body: JSON.stringify({ state }), ...invalid("state") })),
  ...["2013-13", "2013-1", "2013", "now"].map((month) => ({ method: "PUT", target: `${months}/${month}`, body: '{"state":"sealed"}', ...invalid("month") })),
];

export const adsRequests = [...answered, ...refused];

/** Good requests that may be sent again and again, one of each operation: to a server that has too much to do. */
export const adsQuestions = Object.entries(adsSamples).filter(([name]) => !name.includes("/ads/"))
  .map(([name, { target, body }]) => ({ method: name.split(" ")[0], target, body }))
  .concat([...kinds.map((kind) => `/api/v1/${kind}s`), months, `${ledger}/check`].map((target) => ({ method: "GET", target })));
