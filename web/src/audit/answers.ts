// What the server says of the audit log.

import { array, instant, number, object, string } from "../messages";

export interface Head {
  origin: string;
  /** Entries under it. */
  size: number;
  /** In base64. */
  root: string;
  /** Unix second. */
  signed: number;
  /** Whose signature it has, as Go's `sumdb/note` writes a key. */
  key: string;
}

export function readHead(value: unknown): Head {
  const { origin, size, root, signed, key } = object(value);
  return { origin: string(origin), size: number(size), root: string(root), signed: instant(signed), key: string(key) };
}

export interface Entry {
  number: number;
  /** Unix second, with a fraction. */
  time: number;
  kind: string;
  author: string;
  detail: Readonly<Record<string, unknown>>;
  /** In base64. */
  leaf: string;
  /** What it says of persons: null where one of them was erased. */
  said: readonly (string | null)[];
}

export function readEntries(value: unknown): Entry[] {
  return array(object(value).entries).map((one) => {
    const { entry, time, kind, author, detail, leaf, said } = object(one);
    return {
      number: number(entry), time: instant(time), kind: string(kind), author: string(author), detail: object(detail), leaf: string(leaf),
      said: said === undefined ? [] : array(said).map((each) => (each === null ? null : string(object(each).payload))),
    };
  });
}

/** The hashes that lead from a leaf to the root, in base64. */
export function readHashes(value: unknown): string[] {
  return array(object(value).hashes).map(string);
}
