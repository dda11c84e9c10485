// The same as requests.mjs, of identities.

const identities = "/api/v1/identities";
const invalid = (field) => ({ status: 400, type: "invalid-input", field });
const missing = (field) => ({ status: 404, type: "not-found", field });
const id = (identifier, value) => ({ identifier, id_name: "id", id_value: value });
const end = (name, { identifier, id_name, id_value }) => `${name}_identifier=${identifier}&${name}_id_name=${id_name}&${name}_id_value=${id_value}`;
const path = (from, to) => `${identities}/path?${end("from", from)}&${end("to", to)}`;
const nobody = "00000000-0000-5000-8000-000000000000";
const nothing = "0".repeat(32);

/** Of a profile and a fact that nobody knows: those that are known are asked of by openapi_test.mjs. */
export const identitiesSamples = {
  [`POST ${identities}/match`]: { target: `${identities}/match`, body: JSON.stringify({ ids: [id("www", "sample"), id("shop", "sample")], source: "crm" }) },
  [`GET ${identities}/{identifier}/{id_name}/{id_value}`]: { target: `${identities}/www/id/sample` },
  [`GET ${identities}/contested`]: { target: `${identities}/contested` },
  [`GET ${identities}/path`]: { target: path(id("www", "sample"), id("shop", "sample")) },
  "GET /api/v1/profiles/{sid}": { target: `/api/v1/profiles/${nobody}`, ...missing("sid") },
  "DELETE /api/v1/profiles/{sid}": { target: `/api/v1/profiles/${nobody}`, ...missing("sid") },
  "GET /api/v1/profiles/{sid}/why": { target: `/api/v1/profiles/${nobody}/why`, ...missing("sid") },
  "POST /api/v1/profiles/{sid}/detach": { target: `/api/v1/profiles/${nobody}/detach`, body: JSON.stringify({ ids: [id("shop", "sample")] }), ...missing("sid") },
  [`POST ${identities}/decisions`]: { target: `${identities}/decisions`, body: JSON.stringify({ kind: "accept", fact: nothing }), ...missing("fact") },
  [`POST ${identities}/undo`]: { target: `${identities}/undo`, body: JSON.stringify({ source: "nobody of this name" }) },
  [`POST ${identities}/revoke`]: { target: `${identities}/revoke`, body: JSON.stringify({ decisions: { author: "nobody of this name" } }) },
  [`DELETE ${identities}/decisions/{decision}`]: { target: `${identities}/decisions/${nothing}`, ...missing("decision") },
};

const match = (body, more) => ({ method: "POST", target: `${identities}/match`, body: JSON.stringify(body), ...more });
const batch = (body, more) => ({ method: "POST", target: `${identities}/match`, headers: { "Content-Type": "application/x-ndjson", ...more.headers }, body, ...more.answer });
const undo = (query, body, more) => ({ method: "POST", target: `${identities}/undo${query}`, body: JSON.stringify(body), ...more });
const revoke = (query, body, more) => ({ method: "POST", target: `${identities}/revoke${query}`, body: JSON.stringify(body), ...more });
const decide = (body, more) => ({ method: "POST", target: `${identities}/decisions`, body: JSON.stringify(body), ...more });

export const identitiesRequests = [
  match({ ids: [id("ü/\"", "7"), id("www", "w1")], time: "2026-11-01T00:00:00Z", source: "crm" }, { status: 200 }),
  match({ ids: [id("www", "null")] }, { ...invalid("ids[0].id_value") }),
  match({}, { ...invalid("ids") }),
  batch(`${JSON.stringify({ ids: [id("www", "w1"), id("crm", "p1")] })}\n\n{"ids":7}\nno JSON\n`, { answer: { status: 200 } }),
  batch("", { answer: { status: 200 } }),
  batch("x", { headers: { "Content-Encoding": "br" }, answer: { status: 415, type: "unsupported-encoding", field: "Content-Encoding" } }),
  batch("x\n".repeat(100_001), { answer: { status: 413, type: "too-many-lines" } }),
  match({ ids: "x".repeat(70_000) }, { status: 413, type: "body-too-large" }),
  { method: "GET", target: `${identities}/%C3%BC%2F%22/id/7`, status: 200 },
  { method: "GET", target: `${identities}/www/id/nobody`, ...missing() },
  { method: "GET", target: `${identities}/www/id/w1?as_of=2020-01-01T00:00:00Z`, ...missing() },
  { method: "GET", target: `${identities}/www/id/w1?as_of=tomorrow`, ...invalid("as_of") },
  { method: "GET", target: `${identities}/www/id/w1?as_of=2999-01-01T00:00:00Z`, ...invalid("as_of") },
  { method: "GET", target: `${identities}/www/id/w1?limit=1`, ...invalid("limit") },
  { method: "GET", target: `${identities}/contested?limit=1000`, status: 200 },
  { method: "GET", target: `${identities}/contested?limit=1001`, ...invalid("limit") },
  { method: "GET", target: `${identities}/contested?cursor=7`, ...invalid("cursor") },
  { method: "GET", target: `${identities}/contested?guard=shared&limit=7`, status: 200 },
  { method: "GET", target: `${identities}/contested?guard=kiosk`, ...invalid("guard") },
  { method: "GET", target: path(id("www", "w1"), id("www", "nobody")), ...missing("to_id_value") },
  { method: "GET", target: path(id("www", "nobody"), id("www", "w1")), ...missing("from_id_value") },
  { method: "GET", target: path(id("www", "w1"), id("www", "")), ...invalid("to_id_value") },
  { method: "GET", target: `${identities}/path?${end("to", id("www", "w1"))}`, ...invalid("from_identifier") },
  { method: "GET", target: `${path(id("www", "w1"), id("www", "w1"))}&limit=1`, ...invalid("limit") },
  { method: "GET", target: `/api/v1/profiles/${nobody}`, ...missing("sid") },
  { method: "GET", target: "/api/v1/profiles/7", ...missing("sid") },
  { method: "DELETE", target: `/api/v1/profiles/${nobody}?dry_run=true`, ...missing("sid") },
  { method: "DELETE", target: `/api/v1/profiles/${nobody}?dry_run=maybe`, ...invalid("dry_run") },
  { method: "DELETE", target: `/api/v1/profiles/${nobody}?force=1`, ...invalid("force") },
  { method: "GET", target: `/api/v1/profiles/${nobody}/why`, ...missing("sid") },
  { method: "POST", target: `/api/v1/profiles/${nobody}/detach`, body: "{}", ...missing("sid") },
  { method: "POST", target: `/api/v1/profiles/${nobody}/detach?dry_run=7`, body: "{}", ...invalid("dry_run") },
  undo("?limit=7&dry_run=true", { source: "crm", from: "2026-10-01T00:00:00Z", until: "2026-12-01T00:00:00Z", reason: "a broken form" }, { status: 200 }),
  undo("", {}, { ...invalid("source") }),
  undo("", { source: "crm", from: "yesterday" }, { ...invalid("from") }),
  undo("", { source: "crm", from: "2026-11-02T00:00:00Z", until: "2026-11-01T00:00:00Z" }, { ...invalid("until") }),
  undo("?limit=1001", { source: "crm" }, { ...invalid("limit") }),
  undo("?cursor=7", { source: "crm" }, { ...invalid("cursor") }),
  revoke("?limit=7&dry_run=true", { decisions: { author: "ann", reason: "a broken form", from: "2026-10-01T00:00:00Z", until: "2026-12-01T00:00:00Z" }, reason: "it was right" }, { status: 200 }),
  revoke("", {}, { ...invalid("decisions") }),
  revoke("", { decisions: { from: "2026-10-01T00:00:00Z" } }, { ...invalid("decisions") }),
  revoke("?limit=1001", { decisions: { author: "ann" } }, { ...invalid("limit") }),
  revoke("?cursor=7", { decisions: { author: "ann" } }, { ...invalid("cursor") }),
  decide({ kind: "merge", fact: nothing }, { ...invalid("kind") }),
  decide({ kind: "reject", fact: nothing }, { ...missing("fact") }),
  decide({ kind: "lift", id: id("www", "w1"), reason: "a family" }, { status: 409, type: "conflict", field: "id" }),
  decide({ kind: "lift", id: id("www", "nobody") }, { ...missing("id") }),
  decide({ kind: "lift", fact: nothing }, { ...invalid("fact") }),
  { method: "DELETE", target: `${identities}/decisions/7`, ...invalid("decision") },
  { method: "DELETE", target: `${identities}/decisions/${nothing}`, ...missing("decision") },
];

/** Asks of a profile all that there is to ask: `send` answers what came as JSON. */
export async function askOfProfile(send) {
  const kiosk = id("kiosk", "k");
  await send({ method: "POST", target: `${identities}/match`, body: JSON.stringify({ ids: [id("www", "a"), kiosk] }) });
  const { sid } = await send({ method: "POST", target: `${identities}/match`, body: JSON.stringify({ ids: [id("www", "b"), kiosk] }) });
  const profile = `/api/v1/profiles/${sid}`;
  await send({ method: "GET", target: profile });
  const { facts } = await send({ method: "GET", target: `${profile}/why` });
  await send({ method: "POST", target: `${profile}/detach?dry_run=true`, body: JSON.stringify({ facts: [facts[0].fact] }) });
  await send({ method: "POST", target: `${profile}/detach?dry_run=true`, body: JSON.stringify({ links: { source: "", from: "2026-11-01T00:00:00Z" } }) });
  const { decision } = await send({ method: "POST", target: `${profile}/detach`, body: JSON.stringify({ ids: [kiosk], reason: "a kiosk" }) });
  await send({ method: "POST", target: `${identities}/match`, body: JSON.stringify({ ids: [id("www", "b"), kiosk] }) });  // contested now
  const { next } = await send({ method: "POST", target: `${identities}/undo?dry_run=true&limit=1`, body: JSON.stringify({ source: "" }) });
  await send({ method: "POST", target: `${identities}/undo?dry_run=true&cursor=${next}`, body: JSON.stringify({ source: "" }) });
  await send({ method: "GET", target: `${identities}/contested?limit=1` });
  await send({ method: "DELETE", target: `${identities}/decisions/${decision}?reason=wrong` });
  await send({ method: "POST", target: `${identities}/decisions`, body: JSON.stringify({ kind: "reject", fact: facts[1].fact, reason: "a guess" }) });
  await send({ method: "GET", target: `${profile}/why` });
  await send({ method: "POST", target: `${identities}/revoke?dry_run=true`, body: JSON.stringify({ decisions: { reason: "a guess" } }) });
  // With more others than an id may have that unites somebody.
  for (let other = 0; other < 65; other++) {
    await send({ method: "POST", target: `${identities}/match`, body: JSON.stringify({ ids: [id("www", `of kiosk ${other}`), kiosk] }) });
  }
  await send({ method: "GET", target: `${identities}/kiosk/id/k` });
  await send({ method: "POST", target: `${identities}/decisions?dry_run=true`, body: JSON.stringify({ kind: "lift", id: kiosk }) });
  await send({ method: "POST", target: `${identities}/decisions`, body: JSON.stringify({ kind: "lift", id: kiosk, reason: "a family" }) });
  await send({ method: "GET", target: `${profile}/why` });
  await send({ method: "GET", target: path(id("www", "a"), kiosk) });
  await send({ method: "GET", target: path(id("www", "b"), kiosk) });
}
