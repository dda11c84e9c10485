import { expect, test } from "vitest";
import { beforeOf, entryAddress, entryOf, lineAddress, numberOf, pageAddress, proofAddress } from "./address";
import { readEntries, readHead } from "./answers";
import { bytesOfLine, leafOf, rootOf, toBase64 } from "./proof";
import { actOf, forgotten, wordsOf } from "./says";

test("which entries are asked for stands in the address", () => {
  expect([entryOf("?entry=0"), entryOf("?entry=x"), entryOf(""), beforeOf("?before=101")]).toEqual([0, null, null, 101]);
  expect([numberOf("-1"), numberOf("1e3"), numberOf(" 17 "), numberOf("9999999999999999")]).toEqual([null, null, 17, null]);
  expect(pageAddress(0)).toBeNull();
  expect(pageAddress(3)).toBe("/api/v1/audit?limit=3&opened=true");
  expect(pageAddress(120)).toBe("/api/v1/audit?limit=50&after=69&opened=true");
  expect(entryAddress(0)).toBe("/api/v1/audit?limit=1&opened=true");
  expect(lineAddress(17)).toBe("/api/v1/audit?limit=1&after=16");
  expect(proofAddress(17, 100)).toBe("/api/v1/audit/inclusion?entry=17&size=100");
});

// Roots of RFC 6962's test vectors (certificate-transparency): leaves "", 00, 10, 2021, 3031, 40414243, 5051.., 6061..
const leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (each) => parseInt(each, 16));
const digest = async (...parts: Uint8Array[]) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(parts.flatMap((part) => [...part]))));

async function treeOf(hashes: readonly Uint8Array[]): Promise<Uint8Array> {
  if (hashes.length === 1) return hashes[0]!;
  let left = 1;
  while (left * 2 < hashes.length) left *= 2;
  return digest(Uint8Array.of(1), await treeOf(hashes.slice(0, left)), await treeOf(hashes.slice(left)));
}

async function pathOf(number: number, hashes: readonly Uint8Array[]): Promise<Uint8Array[]> {
  if (hashes.length === 1) return [];
  let left = 1;
  while (left * 2 < hashes.length) left *= 2;
  const [near, far] = number < left ? [hashes.slice(0, left), hashes.slice(left)] : [hashes.slice(left), hashes.slice(0, left)];
  return [...await pathOf(number < left ? number : number - left, near), await treeOf(far)];
}

test("a proof leads from each leaf to the root of each size, and from no other leaf", async () => {
  const all = await Promise.all(leaves.map((hex) => digest(Uint8Array.of(0), bytes(hex))));
  expect(toBase64(await treeOf(all))).toBe(toBase64(bytes("5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328")));
  for (let size = 1; size <= all.length; size++) {
    const root = toBase64(await treeOf(all.slice(0, size)));
    for (let number = 0; number < size; number++) {
      const hashes = (await pathOf(number, all.slice(0, size))).map(toBase64);
      expect(toBase64((await rootOf(all[number]!, number, size, hashes))!)).toBe(root);
      const other = await rootOf(all[(number + 1) % all.length]!, number, size, hashes);
      expect(other === null ? "" : toBase64(other)).not.toBe(root);
      expect(await rootOf(all[number]!, number, size, [...hashes, root])).toBeNull();
    }
  }
  expect(await rootOf(all[0]!, 3, 3, [])).toBeNull();
});

test("what is hashed is the line without its leaf", async () => {
  expect(bytesOfLine('{"entry":0,"detail":{"a":",\\"leaf\\":"},"people":[],"leaf":"x="}')).toBe('{"entry":0,"detail":{"a":",\\"leaf\\":"},"people":[]}');
  expect(() => bytesOfLine("{}")).toThrow(TypeError);
  expect(toBase64(await leafOf(""))).toBe("bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=");
});

test("what the server says is read, and is a sentence before it is data", () => {
  const head = { origin: "o", size: 2, root: "r", signed: "2026-11-29T10:00:00Z", key: "k", checkpoint: "c" };
  expect(readHead(head)).toEqual({ origin: "o", size: 2, root: "r", signed: 1795946400, key: "k" });
  const line = { entry: 1, time: "2026-11-29T10:00:00.5Z", kind: "key_added", author: "ann", detail: { name: "shop", scopes: ["read"] }, people: ["h", "i"], leaf: "l" };
  const [entry] = readEntries({ entries: [{ ...line, said: [null, { salt: "s", payload: "{}" }] }], next: null });
  expect(entry).toMatchObject({ number: 1, kind: "key_added", said: [null, "{}"] });
  expect(forgotten(entry!)).toBe(1);
  expect(wordsOf(entry!)).toBe('name: shop · scopes: ["read"]');
  expect(wordsOf({ detail: { method: "POST", said: { person: 0 } } })).toBe("method: POST");
  expect([actOf("key_added"), actOf("some_new_kind")]).toEqual(["An API key was added", "some new kind"]);
});
