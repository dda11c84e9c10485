// What the address of the page "Identities" asks for, and where the server answers it.

import type { No } from "../ask";
import { addressOf } from "../counters";
import { withQuestion } from "../views_address";
import { guards, type Guard } from "./answers";

/** A name of somebody in some network. */
export interface Id {
  identifier: string;
  idName: string;
  idValue: string;
}

/** What somebody looks for: an id, a profile, or something that is neither. */
export type Wanted = { kind: "id"; id: Id } | { kind: "profile"; sid: string } | { kind: "unclear"; text: string };

const sidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The text that is looked for. Null: none. */
export function findOf(search: string): string | null {
  return new URLSearchParams(search).get("find") || null;
}

/**
 * An id as one text: network/id name/value. A value may hold slashes; in a network and an id name, which hardly ever do, they are
 * written %2F, so that each text is one id.
 */
export function idText({ identifier, idName, idValue }: Id): string {
  return `${escaped(identifier)}/${escaped(idName)}/${idValue}`;
}

export function wantedOf(text: string): Wanted {
  const trimmed = text.trim();
  if (sidForm.test(trimmed)) return { kind: "profile", sid: trimmed.toLowerCase() };
  const [identifier = "", idName = "", ...rest] = text.split("/");
  const id = { identifier: unescaped(identifier), idName: unescaped(idName), idValue: rest.join("/") };
  return id.identifier === "" || id.idName === "" || id.idValue === "" ? { kind: "unclear", text } : { kind: "id", id };
}

/** As the server names the parts of an id. */
export function written({ identifier, idName, idValue }: Id): Record<string, string> {
  return { identifier, id_name: idName, id_value: idValue };
}

/** Where the server says in which profile an id is, or why a browser cannot ask. */
export function idAddress({ identifier, idName, idValue }: Id): string | No {
  return [identifier, idName, idValue].reduce<string | No>(
    (path, part) => (typeof path === "string" ? addressOf(`${path}/`, part) : path), "/api/v1/identities");
}

/** Where the server lists links that unite nobody: of one guard, or of all. */
export function contestedAddress(guard: Guard | null, cursor: string | null): string {
  const asked = new URLSearchParams({ limit: "100" });
  if (guard !== null) asked.set("guard", guard);
  if (cursor !== null) asked.set("cursor", cursor);
  return withQuestion("/api/v1/identities/contested", asked);
}

/** The guard that the page's address names. Null: none. */
export function guardOf(search: string): Guard | null {
  const named = new URLSearchParams(search).get("guard");
  return guards.find((one) => one === named) ?? null;
}

/** Of which two ids it is asked how they are tied, as they were written. */
export interface Ends {
  from: string;
  to: string;
}

/** Null: of none. */
export function endsOf(search: string): Ends | null {
  const asked = new URLSearchParams(search);
  const [from, to] = [asked.get("from") ?? "", asked.get("to") ?? ""];
  return from === "" || to === "" ? null : { from, to };
}

/** Where the server says how two ids are tied, or what keeps them apart. */
export function tieAddress(from: Id, to: Id): string {
  const asked = new URLSearchParams();
  for (const [end, id] of [["from", from], ["to", to]] as const) {
    for (const [part, text] of Object.entries(written(id))) asked.set(`${end}_${part}`, text);
  }
  return withQuestion("/api/v1/identities/path", asked);
}

export function profilePath(sid: string): string {
  return `/api/v1/profiles/${sid}`;
}

function escaped(part: string): string {
  return part.replaceAll("%", "%25").replaceAll("/", "%2F");
}

function unescaped(part: string): string {
  return part.replaceAll("%2F", "/").replaceAll("%2f", "/").replaceAll("%25", "%");
}
