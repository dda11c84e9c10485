import { expect, test } from "vitest";
import { contestedAddress, endsOf, guardOf, findOf, idAddress, idText, profilePath, wantedOf, type Id, tieAddress } from "./address";

const id: Id = { identifier: "www", idName: "id", idValue: "w111" };
const sid = "0b1c2d3e-4f50-5a6b-8c7d-9e0f1a2b3c4d";

test("what is looked for stands in the address", () => {
  expect(findOf("?find=www%2Fid%2Fw111")).toBe("www/id/w111");
  expect(findOf("?find=")).toBeNull();
});

test("a text is an id, a profile, or unclear", () => {
  expect(wantedOf("www/id/w111")).toEqual({ kind: "id", id });
  expect(wantedOf("web/url/https://a.example/b")).toEqual({ kind: "id", id: { identifier: "web", idName: "url", idValue: "https://a.example/b" } });
  expect(wantedOf(` ${sid.toUpperCase()} `)).toEqual({ kind: "profile", sid });
  for (const text of ["w111", "www/w111", "www/id/", "//w111"]) expect(wantedOf(text), text).toEqual({ kind: "unclear", text });
  expect(wantedOf("www/id/ w "), "spaces of a value are its own").toMatchObject({ id: { idValue: " w " } });
});

test("every id has a text of its own", () => {
  for (const one of [id, { identifier: "a/b", idName: "100%", idValue: "c/%2F" }, { identifier: "%2F", idName: "%25", idValue: "%" }]) {
    expect(wantedOf(idText(one)), idText(one)).toEqual({ kind: "id", id: one });
  }
});

test("an id and a profile are asked for where the server has them", () => {
  expect(idAddress({ identifier: "a/b", idName: "id", idValue: "c d" })).toBe("/api/v1/identities/a%2Fb/id/c%20d");
  expect(idAddress({ ...id, idValue: ".." })).toMatchObject({ kind: "failed" });
  expect(idAddress({ ...id, identifier: "\ud800" })).toMatchObject({ kind: "failed" });
  expect(profilePath(sid)).toBe(`/api/v1/profiles/${sid}`);
});

test("of which ids it is asked how they are tied, and where", () => {
  expect(endsOf("?find=x&from=a/b/c&to=d/e/f")).toEqual({ from: "a/b/c", to: "d/e/f" });
  expect(endsOf("?from=a/b/c")).toBeNull();
  const id = (idValue: string) => ({ identifier: "www", idName: "id", idValue });
  expect(tieAddress(id("w 1"), id("w&2"))).toBe(
    "/api/v1/identities/path?from_identifier=www&from_id_name=id&from_id_value=w%201&to_identifier=www&to_id_name=id&to_id_value=w%262");
});

test("where contested links are listed, by guard and from where on", () => {
  expect(contestedAddress(null, null)).toBe("/api/v1/identities/contested?limit=100");
  expect(contestedAddress("shared", "ff")).toBe("/api/v1/identities/contested?limit=100&guard=shared&cursor=ff");
  expect([guardOf("?guard=parting"), guardOf("?guard=mood"), guardOf("")]).toEqual(["parting", null, null]);
});
