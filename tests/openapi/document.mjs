// What the program's description of its API has to say, and whether an answer keeps to it: src/api/openapi.json, and behind it
// the fragment src/JOB/routes/openapi.json of each job that has one.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";

// The packages are the dashboard's: web/package.json pins them.
const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { Ajv2020 } = require("ajv/dist/2020");

const sources = new URL("../../src/", import.meta.url);
const read = async (path) => JSON.parse(await readFile(new URL(path, sources), "utf8"));

async function fragments() {
  const paths = (await readdir(sources)).map((job) => `${job}/routes/openapi.json`);
  return Promise.all(paths.filter((path) => existsSync(new URL(path, sources))).map(read));
}

/** The program merges them by code of its own; that two define the same is its business to find (api/openapi_merge.h). */
function withFragment(base, { tags = [], paths = {}, components = {} }) {
  const kinds = Object.entries(components).map(([kind, members]) => [kind, { ...base.components[kind], ...members }]);
  return {
    ...base,
    tags: [...base.tags, ...tags],
    paths: { ...base.paths, ...paths },
    components: { ...base.components, ...Object.fromEntries(kinds) },
  };
}

export const document = (await fragments()).reduce(withFragment, await read("api/openapi.json"));

/** Of this every answer is free: framing, and what `info` says of all of them. */
const unnamedHeaders = ["date", "content-type", "content-length", "connection", "transfer-encoding", "x-content-type-options"];

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
require("ajv-formats").default(ajv);
ajv.addKeyword("components");
ajv.addKeyword("example");
const compiled = new Map();

/** The part of the document that a reference stands for. */
export function resolved(part) {
  if (part?.$ref === undefined) return part;
  const found = part.$ref.slice(2).split("/").reduce((at, name) => at?.[name.replaceAll("~1", "/").replaceAll("~0", "~")], document);
  assert.ok(found !== undefined, `${part.$ref} leads nowhere`);
  return resolved(found);
}

function validatorOf(schema) {
  if (!compiled.has(schema)) compiled.set(schema, ajv.compile({ components: document.components, allOf: [schema] }));
  return compiled.get(schema);
}

export function checkSchema(schema, value, what) {
  const validate = validatorOf(schema);
  assert.ok(validate(value), `${what}: ${JSON.stringify(value)?.slice(0, 300)}: ${ajv.errorsText(validate.errors)}`);
}

export function fits(schema, value) {
  return validatorOf(schema)(value);
}

/** [{ name: "GET /metrics", path, method, operation }, ..] */
export const operations = Object.entries(document.paths).flatMap(([path, item]) => ["get", "put", "post", "delete"]
  .filter((method) => item[method] !== undefined)
  .map((method) => ({
    name: `${method.toUpperCase()} ${path}`, path, method: method.toUpperCase(), operation: item[method],
    parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])].map(resolved),
  })));

/** Which requests a path takes: a placeholder is a segment, at the end all that is left. */
const patterns = Object.keys(document.paths).map((path) => {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return { path, pattern: new RegExp(`^${literal.replace(/\{\w+\}$/, ".*").replace(/\{\w+\}/g, "[^/]*")}$`, "s") };
}).sort((left, right) => right.path.length - left.path.length);

/** The path of the document that a request goes to: with this method if it is given; undefined if there is none. */
export function pathOf(target, method) {
  const asked = target.replace(/^http:\/\/[^/]*/, "").split("?")[0];
  return patterns.find(({ path, pattern }) => pattern.test(asked) && (method === undefined || methodsOf(path).includes(method)))?.path;
}

/** The methods that are answered there. */
export function methodsServing(target) {
  return ["GET", "PUT", "POST", "DELETE"].filter((method) => pathOf(target, method) !== undefined);
}

function methodsOf(path) {
  return operations.filter((each) => each.path === path).map(({ method }) => method);
}

/** What is documented of the answer to a request: its name, and the responses by status. HEAD is answered as GET. */
function documented(method, target) {
  const served = method === "HEAD" ? "GET" : method;
  const path = pathOf(target, served);
  const outside = document["x-outside-operations"];
  if (path !== undefined) return { name: `${method} ${path}`, responses: document.paths[path][served.toLowerCase()].responses };
  return pathOf(target) === undefined ? { name: "unknown-path", responses: { 404: outside["unknown-path"] } }
    : { name: "other-method", responses: { 405: outside["other-method"] } };
}

/** "PUT /api/v1/counter/{object} 200 application/json", for each that the document has; "-" stands for no body. */
export function everyAnswer() {
  const outside = Object.entries(document["x-outside-operations"])
    .map(([name, response]) => [name, name === "unknown-path" ? 404 : 405, response]);
  const inside = operations.flatMap(({ name, operation }) =>
    Object.entries(operation.responses).map(([status, response]) => [name, status, response]));
  return [...outside, ...inside].flatMap(([name, status, response]) =>
    Object.keys(resolved(response).content ?? { "-": null }).map((type) => `${name} ${status} ${type}`));
}

/** Holds an answer to the document and returns which answer of everyAnswer() it is; throws if it is none. */
export function checkAnswer({ method, target }, { status, headers, body }) {
  const { name, responses } = documented(method, target);
  const what = `${name} ${status}`;
  const response = resolved(responses[status]);
  assert.ok(response !== undefined, `${what} is not documented; ${method} ${target.slice(0, 100)} answered: ${body.slice(0, 300)}`);
  checkHeaders(response, headers, what);
  if (response.content === undefined) {
    assert.equal(body, "", `${what} has a body`);
    return `${what} -`;
  }
  const type = headers.get("content-type");
  const media = response.content[type];
  assert.ok(media !== undefined, `${what}: content type ${type} is not documented`);
  if (method === "HEAD") {
    assert.equal(body, "", `${what} has a body`);
  } else if (media["x-line"] !== undefined) {
    checkSchema(media.schema, body, `${what} ${type}`);
    for (const line of body.split("\n").slice(0, -1)) checkSchema(media["x-line"], JSON.parse(line), `${what} a line`);
  } else {
    checkSchema(media.schema, type.endsWith("json") ? JSON.parse(body) : body, `${what} ${type}`);
  }
  return `${what} ${type}`;
}

function checkHeaders(response, headers, what) {
  const named = Object.entries(response.headers ?? {});
  for (const [name, part] of named) {
    const { required, schema } = resolved(part);
    const value = headers.get(name.toLowerCase());
    assert.ok(value !== undefined || !required, `${what} has no ${name}`);
    if (value !== undefined) checkSchema(schema, schema.type === "integer" ? Number(value) : value, `${what} ${name}`);
  }
  const known = [...unnamedHeaders, ...named.map(([name]) => name.toLowerCase())];
  assert.deepEqual([...headers.keys()].filter((name) => !known.includes(name)), [], `${what} has headers that are not documented`);
  assert.equal(headers.get("x-content-type-options"), "nosniff", what);
}
