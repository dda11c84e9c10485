import { expect, test } from "vitest";
import { readActivity, readFriends, readPerson, readPopular, readReads, readTakenBack, readTrending } from "./answers";

const noon = Date.UTC(2026, 10, 28, 12) / 1000;

test("what friends read", () => {
  const urls = [{ url: "https://a.example/", readers: ["u2"], count: 3, latest: "2026-11-28T12:00:00Z" }];
  const article = { url: "https://a.example/", readers: ["u2"], count: 3, latest: noon };
  expect(readActivity({ urls, actor: "u1" })).toEqual({ articles: [article], more: false });
  expect(readActivity({ urls: [], more: true })).toEqual({ articles: [], more: true });
  expect(() => readActivity({ urls: [{ url: 1 }] })).toThrow(TypeError);
});

test("rankings", () => {
  expect(readPopular({ urls: [{ url: "a", readers: 7 }], floor: 5, complete: true, provisional: true }))
    .toEqual({ articles: [{ url: "a", readers: 7 }], floor: 5, complete: true, provisional: true });
  const one = { url: "a", score: 2.5, fast: 9, slow: 3, expected: 4, readers: 7 };
  expect(readTrending({ urls: [one], formula: { text: "fast / expected" } }))
    .toEqual({ articles: [{ url: "a", score: 2.5, fast: 9, expected: 4, readers: 7 }], formula: "fast / expected" });
});

test("a person, and what they share", () => {
  expect(readPerson({ actor: "u1", reading: "private", until: "2026-11-28T12:00:00Z", sites: ["a.example"], to: "friends", since: null }))
    .toEqual({ actor: "u1", reading: "private", until: noon, sites: ["a.example"], to: "friends", since: null });
  expect(readPerson({ actor: "u1", reading: "else" }), "what is not known to be shared is not")
    .toEqual({ actor: "u1", reading: "off", until: null, sites: null, to: "anyone", since: null });
  expect(readFriends({ actor: "u1", friends: ["u2"], count: 1 })).toBe(1);
  const read = { url: "a", time: "2026-11-28T12:00:00Z", until: "2026-11-28T12:00:00Z" };
  expect(readReads({ reads: [read], next: "x" })).toEqual({ reads: [{ url: "a", time: noon, until: noon }], more: true });
  expect(readTakenBack({ taken_back: 2 })).toBe(2);
});
