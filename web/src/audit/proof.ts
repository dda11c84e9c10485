// Whether an entry is in the log: counted again in the browser, from the bytes of the entry and the hashes of the proof, as RFC 9162,
// section 2.1.3.2, has it. What it does not check is the signature of the head.

import type { No } from "../ask";
import { ask } from "../ask";
import { lineAddress, proofAddress } from "./address";
import { readHashes, type Head } from "./answers";

export interface Proof {
  /** The bytes of the entry, which are hashed. */
  line: string;
  leaf: string;
  hashes: readonly string[];
  size: number;
  root: string;
  /** The root that follows from leaf and hashes. Null: the browser counts no hashes here. */
  counted: string | null;
}

/** "crypto.subtle" is there on https and localhost only. */
export function canCount(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/** What of a line is hashed: all but its last member, the leaf. */
export function bytesOfLine(line: string): string {
  const at = line.lastIndexOf(',"leaf":');
  if (at < 0) throw new TypeError("a line of an entry was expected");
  return `${line.slice(0, at)}}`;
}

export async function leafOf(bytes: string): Promise<Uint8Array> {
  return hash(Uint8Array.of(0), new TextEncoder().encode(bytes));
}

/** The root of a tree of `size` leaves in which `leaf` has this number. Null: hashes of that many cannot prove it. */
export async function rootOf(leaf: Uint8Array, number: number, size: number, hashes: readonly string[]): Promise<Uint8Array | null> {
  if (number < 0 || number >= size) return null;
  // Numbers may be above 32 bits, so they are halved, not shifted.
  let [place, last] = [number, size - 1];
  let root = leaf;
  for (const each of hashes) {
    if (last === 0) return null;
    const other = fromBase64(each);
    if (place % 2 === 1 || place === last) {
      root = await hash(Uint8Array.of(1), other, root);
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      root = await hash(Uint8Array.of(1), root, other);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? root : null;
}

/** Asks for what proves an entry under this head, and counts its root. */
export async function prove(entry: number, head: Head): Promise<{ kind: "found"; value: Proof } | No> {
  const [line, hashes] = await Promise.all([askLine(entry), ask(proofAddress(entry, head.size), readHashes)]);
  if (line.kind !== "found") return line;
  if (hashes.kind !== "found") return hashes;
  const bytes = bytesOfLine(line.value);
  const leaf = canCount() ? await leafOf(bytes) : null;
  const root = leaf === null ? null : await rootOf(leaf, entry, head.size, hashes.value);
  return {
    kind: "found",
    value: {
      line: bytes, hashes: hashes.value, size: head.size, root: head.root,
      leaf: leaf === null ? "" : toBase64(leaf),
      counted: leaf === null ? null : root === null ? "" : toBase64(root),
    },
  };
}

/** A line is text, byte for byte; a refusal is JSON as everywhere. */
async function askLine(entry: number): Promise<{ kind: "found"; value: string } | No> {
  let text = "";
  const keep: typeof fetch = async (address, more) => {
    const answer = await fetch(address, more);
    if (!answer.ok) return answer;
    text = (await answer.text()).trimEnd();
    return Response.json(null);
  };
  const answer = await ask(lineAddress(entry), () => text, keep, { headers: { Accept: "application/x-ndjson" } });
  return answer.kind === "found" && text === "" ? { kind: "failed", detail: `There is no entry ${entry}.` } : answer;
}

async function hash(...parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", all));
}

function half(number: number): number {
  return Math.floor(number / 2);
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
