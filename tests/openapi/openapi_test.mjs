// Holds every answer of the real program to the description of its API (document.mjs), and that document to what the program does:
//
//   FOOTFALL_BINARY=build/release/footfall node tests/openapi/openapi_test.mjs
//
// An answer that is not documented fails, and so does a documented one that nothing here brings about and that
// `beyondReach` does not name.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { startServer, stopServer } from "../../web/test/server.mjs";
import { checkAnswer, checkSchema, document, everyAnswer, fits, methodsServing, operations, pathOf, resolved } from "./document.mjs";
import { backUp } from "./backups.mjs";
import { beyondReach, typesBeyondReach } from "./beyond_reach.mjs";
import { askOfProfile } from "./identities_requests.mjs";
import { personLines } from "./people_requests.mjs";
import { memberLines } from "./segments_requests.mjs";
import { envelopes, eventLines, lines, requests, samples } from "./requests.mjs";
import { askWhileStopping, fillUp, overloadReads, withSmallFiles } from "./situations.mjs";
import { answers, ask, events, open, request } from "./wire.mjs";

const binary = process.env.FOOTFALL_BINARY;
assert.ok(binary, "FOOTFALL_BINARY names the program to test");

const reached = new Set();
const typesReached = new Set();
let folder;
let server;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "footfall-openapi-"));
  server = await startServer(binary, join(folder, "data"));
});

after(async () => {
  if (server) await stopServer(server);
  await rm(folder, { recursive: true, force: true });
});

function check(asked, answer) {
  assert.ok(answer !== undefined, `${asked.method} ${asked.target.slice(0, 100)} was not answered`);
  const which = checkAnswer(asked, answer);
  if (asked.method !== "HEAD") reached.add(which);
  if (asked.method !== "HEAD" && answer.headers.get("content-type") === "application/problem+json") typesReached.add(JSON.parse(answer.body).type);
}

test("the document is OpenAPI 3.1", async () => {
  const require = createRequire(new URL("../../web/package.json", import.meta.url));
  const { Validator } = await import(pathToFileURL(require.resolve("@seriousme/openapi-schema-validator")).href);
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert.ok(valid, JSON.stringify(errors, undefined, 1));
});

test("its references lead somewhere, and every component is used", () => {
  const used = new Set([...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference));
  for (const $ref of used) resolved({ $ref });
  const { securitySchemes, ...components } = document.components;
  assert.ok(operations.every(({ operation }) => (operation.security ?? []).flatMap(Object.keys).every((name) => name in securitySchemes)));
  const there = Object.entries(components).flatMap(([kind, all]) => Object.keys(all).map((name) => `#/components/${kind}/${name}`));
  assert.deepEqual(there.filter((reference) => !used.has(reference)), []);
});

test("operations have names of their own, parameters and tags that are there", () => {
  const names = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(names).size, names.length);
  const tags = document.tags.map(({ name }) => name);
  for (const { name, path, operation, parameters } of operations) {
    const inPath = parameters.filter((parameter) => parameter.in === "path").map((parameter) => `{${parameter.name}}`);
    assert.deepEqual(inPath, path.match(/\{\w+\}/g) ?? [], name);
    assert.ok(operation.tags.every((tag) => tags.includes(tag)), name);
  }
});

test("its examples keep to its schemas", () => {
  let checked = 0;
  const walk = (part, place) => {
    if (part === null || typeof part !== "object") return;
    for (const [type, media] of Object.entries(part.content ?? {})) {
      const examples = [media.example, ...Object.values(media.examples ?? {}).map(({ value }) => value)].filter((each) => each !== undefined);
      for (const example of examples) checkSchema(media.schema, example, `${place} ${type}`);
      checked += examples.length;
      if (media["x-line"] === undefined) continue;
      for (const line of media.example.trimEnd().split("\n")) checkSchema(media["x-line"], JSON.parse(line), `${place} a line`);
      checked++;
    }
    for (const [name, each] of Object.entries(part)) walk(each, `${place}/${name}`);
  };
  walk(document, "");
  assert.ok(checked > 45, `${checked} examples`);
});

test("the program serves this document", async () => {
  const answer = await ask(server.port, { method: "GET", target: "/openapi.json" });
  // Tags stand in the order in which jobs are registered, which is not known here.
  const byTags = ({ tags, ...rest }) => ({ ...rest, tags: new Map(tags.map(({ name, ...tag }) => [name, tag])) });
  assert.deepEqual(byTags(JSON.parse(answer.body)), byTags(document));
});

/** Whether `answer` is not only a documented one but the one that `asked` is in the table for. */
function checkExpected(asked, answer) {
  assert.equal(answer.status, asked.status, answer.body.slice(0, 300));
  if (asked.type === undefined || asked.method === "HEAD") return;
  const { type, status, field } = JSON.parse(answer.body);
  assert.equal(type, `/problems/${asked.type}`);
  assert.equal(status, answer.status);
  if (asked.field !== undefined) assert.equal(field, asked.field);
  if (status === 405) {
    const allowed = answer.headers.get("allow").split(", ").filter((method) => method !== "HEAD");
    assert.deepEqual(allowed.sort(), methodsServing(asked.target).sort());
  }
}

/** Asks; on a cluster an event is found a moment after it was answered for: until then, again. */
async function askInTime(asked) {
  const patience = process.env.FOOTFALL_TEST_LOG === "kafka" && asked.method === "GET" ? 10_000 : 0;
  for (const until = Date.now() + patience; ;) {
    const answer = await ask(server.port, asked);
    if (answer?.status === asked.status || Date.now() >= until) return answer;
  }
}

test("every request is answered as documented", async () => {
  const wrong = [];
  for (const asked of requests) {
    const answer = await askInTime(asked);
    try {
      check(asked, answer);
      checkExpected(asked, answer);
    } catch (error) {
      wrong.push(`${asked.method} ${asked.target.slice(0, 100)} ${JSON.stringify(asked.headers ?? {}).slice(0, 100)}: ${error.message}`);
    }
  }
  assert.deepEqual(wrong, []);
});

/** Posts all of `parts` in one batch; the server has to reject those that `schema` does not take, and no other. */
async function takesWhatFits(path, type, schema, parts, body) {
  const asked = { method: "POST", target: path, headers: { "Content-Type": type }, body };
  const answer = await ask(server.port, asked);
  check(asked, answer);
  const { accepted, rejected } = JSON.parse(answer.body);
  const refused = new Set(rejected.map(({ line }) => line - 1));
  const disputed = parts.filter((part, i) => fits(schema, part) === refused.has(i));
  assert.deepEqual(disputed.map((part) => JSON.stringify(part).slice(0, 200)), []);
  assert.ok(accepted > 4 && refused.size > 10);
  assert.equal(accepted, parts.length - refused.size);
}

for (const [what, path, parts] of [
  ["a line of tokens", "/api/v1/counter", lines], ["a line of events", "/api/v1/events", eventLines], ["a line of people", "/api/v1/people", personLines],
  ["a line of members", "/api/v1/segments/{segment}/members", memberLines],
]) {
  test(`${what} is taken if and only if its schema takes it`, async () => {
    const type = "application/x-ndjson";
    const schema = document.paths[path].post.requestBody.content[type]["x-line"];
    await takesWhatFits(path.replace("{segment}", "sample"), type, schema, parts, parts.map((part) => `${JSON.stringify(part)}\n`).join(""));
  });
}

test("an envelope of CloudEvents is taken if and only if its schema takes it", async () => {
  const type = "application/cloudevents-batch+json";
  const { schema } = document.paths["/api/v1/events"].post.requestBody.content[type];
  await takesWhatFits("/api/v1/events", type, schema.items, envelopes, JSON.stringify(envelopes));
});

test("the cursor leads from page to page over every object", async () => {
  const names = async (query) => {
    const answer = await ask(server.port, { method: "GET", target: `/api/v1/counters?${query}` });
    const { counters, next } = JSON.parse(answer.body);
    return { names: counters.map(({ object }) => object), next };
  };
  const all = await names("limit=1000");
  const paged = [];
  for (let next = ""; next !== null;) {
    const page = await names(`limit=2&cursor=${encodeURIComponent(next)}`);
    paged.push(...page.names);
    next = page.next;
  }
  assert.ok(all.names.length > 4);
  assert.deepEqual(paged, all.names);
});

for (const target of ["/", "/footfall.js"]) {
  test(`the ETag of ${target} is honoured`, async () => {
    const asked = { method: "GET", target };
    const { headers } = await ask(server.port, asked);
    const again = { ...asked, headers: { "If-None-Match": headers.get("etag") } };
    const answer = await ask(server.port, again);
    check(again, answer);
    assert.equal(answer.status, 304);
    const head = await ask(server.port, { ...asked, method: "HEAD" });
    check({ ...asked, method: "HEAD" }, head);
  });
}

/** Watches a stream while `meanwhile` does something, until `enough`, then again; all it says has to be documented, and all that is to be said. */
async function watchAll(asked, meanwhile, enough) {
  const watch = async (isEnough, doing = async () => {}) => {
    const stream = open(server.port);
    stream.send(request(asked));
    await stream.until((text) => text.includes("event: history"));
    await doing();
    const [answer] = answers(await stream.until(isEnough));
    stream.close();
    check(asked, answer);
    return events(answer.body);
  };
  const heard = await watch((text) => enough.every((pattern) => pattern.test(text)), meanwhile);
  heard.push(...await watch((text) => /event: history\n.*\n\n/.test(text)));  // now there is something to tell

  const schemas = document.paths[pathOf(asked.target)].get.responses[200].content["text/event-stream"]["x-events"];
  for (const { event, data, id } of heard) {
    assert.ok(schemas[event] !== undefined, `the event ${event} is not documented`);
    const value = JSON.parse(data);
    checkSchema(schemas[event], value, event);
    if (event === "second") assert.equal(id, String(value.time));
    if (event === "hello") assert.equal(value.version, document.info.version, "info.version is not the program's");
  }
  // A client that keeps up, of a server that does, is told of nothing left out (src/api/shared_reports_test.cpp).
  const said = Object.keys(schemas).filter((event) => event !== "left_out");
  assert.deepEqual([...new Set(heard.map(({ event }) => event))].sort(), said.sort());
  const history = JSON.parse(heard.findLast(({ event }) => event === "history").data).seconds;
  assert.ok(history.length > 0, "a history without what just happened");
}

test("every event of the stream of counters is as documented", () => watchAll(
  samples["GET /api/v1/live/counters"],
  () => ask(server.port, samples["PUT /api/v1/counter/{object}"]),
  [/"put":[1-9].*\n\n/, /event: largest\n.*\n\n/]));

test("every event of the stream of views is as documented", () => watchAll(
  { method: "GET", target: "/api/v1/live/views?object=watched&action=view" },
  () => ask(server.port, { ...samples["POST /api/v1/events"], body: '{"action":"view","object":"watched","actor":"u1"}\n'.repeat(30) }),
  [/"counted":1,"refused":29}\n\n/, /event: report\ndata: .*"events":30,.*\n\n/, /event: events\n.*\n\n/]));

test("every event of the stream of a segment's changes is as documented", async () => {
  const of = (path) => `/api/v1/${path}watched`;
  const member = (value) => `${JSON.stringify({ identifier: "www", id_name: "id", id_value: value })}\n`;
  const members = { method: "POST", target: `${of("segments/")}/members`, headers: { "Content-Type": "application/x-ndjson" } };
  await ask(server.port, { ...members, body: member("nobody but watched") });
  const asked = { method: "GET", target: of("live/segments/"), headers: { "Last-Event-ID": "7/1" } };
  const stream = open(server.port);
  stream.send(request(asked));
  await stream.until((text) => /event: change\n.*\n\n/.test(text));
  await ask(server.port, { method: "DELETE", target: of("segments/") });
  const [answer] = answers(await stream.until((text) => /event: gone\n.*\n\n/.test(text)));
  stream.close();
  check(asked, answer);
  const heard = events(answer.body);
  const schemas = document.paths["/api/v1/live/segments/{segment}"].get.responses[200].content["text/event-stream"]["x-events"];
  for (const { event, data, id } of heard) {
    const value = JSON.parse(data);
    checkSchema(schemas[event], value, event);
    if (event === "change") assert.equal(id, value.id);
  }
  assert.deepEqual(heard.map(({ event }) => event), ["hello", "anew", "change", "gone"]);
});

test("every event of the stream of clicks is as documented", () => watchAll(
  { method: "GET", target: "/api/v1/live/clicks?ad=watched&reseller=r1" },
  () => ask(server.port, { ...samples["POST /api/v1/events"], body: '{"action":"click","object":"/a","ad":"watched","reseller":"r1","actor":"u1"}\n'.repeat(3) }),
  [/event: history\n.*\n\n/, /"counted":[1-9].*\n\n/]));

test("pages of the sites that were named may tell of events, and do nothing else", async () => {
  const open = await startServer(binary, join(folder, "open"), 0, ["--sites", "https://example.org"]);
  const isOpen = ["POST /footfall", "GET /pixel.gif", "GET /footfall.js", "GET /how-we-count", "GET /r/{ad}"];
  try {
    await ask(open.port, samples["PUT /api/v1/ads/{id}"]);
    for (const { name, operation } of operations.filter((each) => each.operation.responses[403] !== undefined)) {
      const good = isOpen.includes(name) ? samples[name].status ?? 200 : 403;
      for (const [origin, status] of [["https://example.org", good], [undefined, good], ["http://example.org", 403]]) {
        const asked = { ...samples[name], headers: { Host: "count.example", ...(origin === undefined ? {} : { Origin: origin }) } };
        const answer = await ask(open.port, asked);
        check(asked, answer);
        assert.equal(answer.status, status, `${operation.operationId} for ${origin}`);
      }
    }
  } finally {
    await stopServer(open);
  }
});

test("a backup that was asked for is made, and listed", () => backUp(binary, folder, check));

/** Starts a server with a key of each scope; `keys` holds them by it. */
async function startKeyed(name) {
  const keyed = await startServer(binary, join(folder, name));
  const keys = {};
  for (const scope of ["admin", "read", "write", "people", "money"]) {
    const asked = { method: "POST", target: "/api/v1/keys", headers: withKey(keys.admin), body: JSON.stringify({ name: scope, scopes: [scope] }) };
    const answer = await ask(keyed.port, asked);
    check(asked, answer);
    keys[scope] = JSON.parse(answer.body).key;
  }
  return { ...keyed, keys };
}

const withKey = (key) => (key === undefined ? {} : { Authorization: `Bearer ${key}` });

/** A good request that ends: of a stream only the header. */
const ending = (name) => ({ ...samples[name], ...(name.includes("/live/") ? { method: "HEAD" } : {}) });

test("every operation asks for the scope that it names, and those that name none for nothing", async () => {
  const keyed = await startKeyed("keyed");
  const stranger = { Host: "count.example", Origin: "https://elsewhere.example" };
  const send = async (name, headers) => {
    const asked = { ...ending(name), headers: { ...samples[name].headers, ...headers } };
    const answer = await ask(keyed.port, asked);
    check(asked, answer);
    return { status: answer.status, type: answer.status < 400 || asked.method === "HEAD" ? "" : JSON.parse(answer.body).type.slice("/problems/".length) };
  };
  // GET too: what is asked with HEAD above has a body that says why.
  const refused = async (name, headers) => {
    const answer = await ask(keyed.port, { ...samples[name], headers: { ...samples[name].headers, ...headers } });
    check(samples[name], answer);
    const { type, detail } = JSON.parse(answer.body);
    return { status: answer.status, type: type.slice("/problems/".length), detail };
  };
  try {
    for (const { name, operation } of operations) {
      if (operation.security === undefined) {
        const { status } = await send(name, {});
        assert.notEqual(status, 403, name);
        assert.equal(status === 401, name === "POST /api/v1/session", `${name} needs a key, and names no scope`);
        continue;
      }
      const [scope] = operation.security[0].key;
      const without = await refused(name, {});
      assert.deepEqual([without.status, without.type], [401, "key-required"], name);
      const wrong = await refused(name, withKey(`ff_${"A".repeat(43)}`));
      assert.deepEqual([wrong.status, wrong.type], [401, "key-refused"], name);
      for (const [has, key] of Object.entries(keyed.keys)) {
        if (scope === undefined || has === scope || has === "admin") {
          const { status } = await send(name, { ...stranger, ...withKey(key) });
          assert.ok(![401, 403].includes(status), `${name} with ${has}: ${status}`);
        } else {
          const { status, type, detail } = await refused(name, withKey(key));
          assert.deepEqual([status, type], [403, "scope-missing"], `${name} with ${has}`);
          assert.ok(detail.endsWith(`the scope ${scope}`), detail);
        }
      }
    }
  } finally {
    await stopServer(keyed);
  }
});

test("a key that is bound to a party is refused whatever is not about it", async () => {
  const keyed = await startKeyed("bound");
  const send = async (asked) => {
    const answer = await ask(keyed.port, asked);
    check(asked, answer);
    return answer;
  };
  const admin = withKey(keyed.keys.admin);
  try {
    for (const kind of ["reseller", "publisher"]) {
      const made = await send({ method: "POST", target: "/api/v1/keys", headers: admin, body: JSON.stringify({ name: kind, [kind]: "x y" }) });
      assert.equal(made.status, 201);
      const { key, scopes, [kind]: id } = JSON.parse(made.body);
      assert.deepEqual([scopes, id], [[], "x y"]);
      for (const { name, operation } of operations) {
        if (operation.security === undefined || operation.security[0].key.length === 0) continue;
        const answer = await send({ ...samples[name], headers: { ...samples[name].headers, ...withKey(key) } });
        const isAboutParty = operation["x-party"] !== undefined;
        assert.deepEqual([answer.status, JSON.parse(answer.body).type], isAboutParty ? [404, "/problems/not-found"] : [403, "/problems/key-bound"], name);
      }
      const own = `/api/v1/${kind}s/x%20y`;
      await send({ method: "PUT", target: `${own}/rates/2013-11-30`, headers: admin, body: '{"reward_percent":"0.3"}' });
      for (const what of ["income?group_by=none", "rates", "clicks", "statements/2013-11"]) {
        assert.equal((await send({ method: "GET", target: `${own}/${what}`, headers: withKey(key) })).status, 200, what);
      }
      const another = await send({ method: "GET", target: "/api/v1/live/clicks?reseller=z", headers: withKey(key) });
      assert.equal(another.status, 404);
      const caller = await send({ method: "GET", target: "/api/v1/session", headers: withKey(key) });
      assert.deepEqual(JSON.parse(caller.body), { name: kind, scopes: [], [kind]: "x y" });
      const signedIn = await send({ method: "POST", target: "/api/v1/session", body: JSON.stringify({ key }) });
      assert.deepEqual([signedIn.status, JSON.parse(signedIn.body).field], [403, "key"]);
    }
    const { keys } = JSON.parse((await send({ method: "GET", target: "/api/v1/keys", headers: admin })).body);
    assert.deepEqual(keys.filter(({ scopes }) => scopes.length === 0).map(({ name, reseller, publisher }) => [name, reseller ?? publisher]),
      [["publisher", "x y"], ["reseller", "x y"]]);
  } finally {
    await stopServer(keyed);
  }
});

test("keys and sessions are answered as documented", async () => {
  const keyed = await startKeyed("sessions");
  const send = async (method, target, headers = {}, body = "") => {
    const asked = { method, target, headers, body };
    const answer = await ask(keyed.port, asked);
    check(asked, answer);
    return answer;
  };
  try {
    const admin = withKey(keyed.keys.admin);
    const again = await send("POST", "/api/v1/keys", admin, '{"name":"read","scopes":["read"]}');
    assert.equal(again.status, 409);
    const { keys } = JSON.parse((await send("GET", "/api/v1/keys", admin)).body);
    assert.deepEqual(keys.map(({ name }) => name), ["admin", "money", "people", "read", "write"]);
    const signedIn = await send("POST", "/api/v1/session", {}, JSON.stringify({ key: keyed.keys.read }));
    assert.equal(signedIn.status, 200);
    const cookie = { Cookie: signedIn.headers.get("set-cookie").split(";")[0] };
    assert.equal((await send("GET", "/api/v1/session", cookie)).status, 200);
    assert.equal((await send("GET", "/api/v1/counters", cookie)).status, 200);
    assert.equal((await send("GET", "/api/v1/counters", { ...cookie, Origin: "http://elsewhere.example" })).status, 403);
    assert.equal((await send("DELETE", "/api/v1/session", { Origin: "http://elsewhere.example" })).status, 403);
    assert.equal((await send("DELETE", "/api/v1/keys/read", admin)).status, 200);
    assert.equal((await send("GET", "/api/v1/counters", cookie)).status, 401);
  } finally {
    await stopServer(keyed);
  }
});

test("a profile is answered as documented", () => askOfProfile(async (asked) => {
  const answer = await ask(server.port, asked);
  check(asked, answer);
  assert.equal(answer.status, 200, answer.body);
  return JSON.parse(answer.body);
}));

test("a full disk is answered as documented", async () => {
  const small = await withSmallFiles(binary, join(folder, "small"));
  try {
    for await (const [asked, answer] of fillUp(small.port)) {
      check(asked, answer);
      assert.equal(answer.status, 503);
    }
  } finally {
    await small.close();
  }
});

test("an erasure is answered as documented", async () => {
  const send = async (asked, status) => {
    const answer = await ask(server.port, asked);
    check(asked, answer);
    assert.equal(answer.status, status, answer.body);
    return JSON.parse(answer.body);
  };
  const ids = ["one", "other"].map((id_value) => ({ identifier: "erased", id_name: "id", id_value }));
  const { sid } = await send({ method: "POST", target: "/api/v1/identities/match", body: JSON.stringify({ ids }) }, 200);
  const target = `/api/v1/profiles/${sid}`;
  await send({ method: "DELETE", target: `${target}?dry_run=true` }, 200);
  await send({ method: "DELETE", target, headers: { "If-Match": '"0123456789abcdef"' } }, 412);
  const { receipt } = await send({ method: "DELETE", target }, 202);
  await send({ method: "GET", target: `/api/v1/erasures/${receipt}` }, 200);
});

test("a busy server is answered as documented", async () => {
  const busy = await startServer(binary, join(folder, "busy"));
  try {
    for (const [asked, answer] of await overloadReads(busy.port)) {
      check(asked, answer);
      assert.equal(answer.status, 503);
    }
  } finally {
    await stopServer(busy, "SIGKILL");  // it still has hundreds of lists to make
  }
});

test("a server that stops is answered as documented", async () => {
  const [asked, answer] = await askWhileStopping(server);
  check(asked, answer);
  assert.equal(answer.status, 503);
  assert.equal(JSON.parse(answer.body).type, "/problems/draining");
});

test("every documented answer was given", () => {
  const excused = (which) => beyondReach.find(([pattern]) => pattern.test(which));
  assert.deepEqual(everyAnswer().filter((which) => !reached.has(which) && !excused(which)), []);
  assert.deepEqual([...reached].filter(excused), [], "these can be had after all: take them off beyondReach");
  for (const [pattern] of beyondReach) assert.ok(everyAnswer().some((which) => pattern.test(which)), `${pattern} stands for nothing`);
  const types = document.components.schemas.ProblemType.enum;
  assert.deepEqual(types.filter((type) => !typesReached.has(type) && !typesBeyondReach.includes(type)), []);
});
