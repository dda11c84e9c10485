import { expect, test } from "vitest";
import { shown, siteOf, someNames } from "./article";

test("an article is shown by the last part of its path, and by what leads there", () => {
  const url = "https://news.example/world/2026/the-sea?page=2";
  expect(shown(url)).toEqual({ way: "news.example/world/2026", title: "the-sea?page=2", link: url });
  expect(shown("https://news.example/world/")).toMatchObject({ way: "news.example", title: "world/" });
  expect(shown("https://news.example/gr%C3%BCne-so%C3%9Fe")).toMatchObject({ way: "news.example", title: "grüne-soße" });
  expect(shown("https://news.example/100%")).toMatchObject({ title: "100%" });
  for (const root of ["https://news.example", "https://news.example/"]) {
    expect(shown(root)).toEqual({ way: "", title: "news.example", link: root });
  }
  expect(shown("https://news.example/?id=7")).toMatchObject({ way: "news.example", title: "?id=7" });
});

test("what is no address of the web leads nowhere", () => {
  for (const name of ["javascript:alert(1)", "post-1", "", " https://a.example/"]) {
    expect(shown(name)).toEqual({ way: "", title: name, link: null });
    expect(siteOf(name)).toBeNull();
  }
  expect(siteOf("https://news.example/a")).toBe("news.example");
});

test("names are left out only where that leaves out two", () => {
  expect(someNames(["a", "b", "c", "d"], 4)).toEqual({ names: ["a", "b", "c", "d"], left: 0 });
  expect(someNames(["a", "b", "c", "d", "e"], 5)).toEqual({ names: ["a", "b", "c"], left: 2 });
  expect(someNames(["a", "b"], 9), "the server left out some").toEqual({ names: ["a", "b"], left: 7 });
});
