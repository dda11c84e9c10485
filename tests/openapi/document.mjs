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

/** The path of the document that a request goes to; undefined if it knows none. */
export function pathOf(target) {
  const path = target.replace(/^http:\/\/[^/]*/, "").split("?")[0];
  return Object.keys(document.paths).find((each) => {
    const placeholder = each.indexOf("{");
    return placeholder < 0 ? each === path : path.startsWith(each.slice(0, placeholder));
  });
}

export function methodsOf(path) {
  return operations.filter((each) => each.path === path).map(({ method }) => method);
}

/** What is documented of the answer to a request: its name, and the responses by status. HEAD is answered as GET. */
function documented(method, target) {
  const path = pathOf(target);
  const outside = document["x-outside-operations"];
  if (path === undefined) return { name: "unknown-path", responses: { 404: outside["unknown-path"] } };
  const operation = document.paths[path][(method === "HEAD" ? "GET" : method).toLowerCase()];
  if (operation === undefined) return { name: "other-method", responses: { 405: outside["other-method"] } };
  return { name: `${method} ${path}`, responses: operation.responses };
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
