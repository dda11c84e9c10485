import { expect, test } from "vitest";
import { friendsCommand, readCommand, shareCommand } from "./commands";

test("commands can be pasted as they are", () => {
  const here = { origin: "http://h", keyed: false };
  expect(shareCommand(here, "bob")).toBe(`curl -X PUT -d '{"reading":"shared"}' http://h/api/v1/people/bob`);
  expect(shareCommand({ ...here, keyed: true }, "b b"))
    .toBe(`curl -u ":$FOOTFALL_KEY" -X PUT -d '{"reading":"shared"}' http://h/api/v1/people/b%20b`);
  expect(friendsCommand(here, "ann", ["o'neil"])).toBe(`curl -d '{"add":["o'\\''neil"]}' http://h/api/v1/people/ann/friends`);
  expect(readCommand(here, "bob", "https://a.example/b")).toBe("curl -H 'Content-Type: application/json' -d "
    + `'{"action":"read","object":"https://a.example/b","actor":"bob"}' http://h/api/v1/events`);
});
