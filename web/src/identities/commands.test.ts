import { expect, test } from "vitest";
import { matchCommand, sampleIds } from "./commands";

test("a match can be pasted as it is", () => {
  expect(matchCommand({ origin: "http://h", keyed: false }, sampleIds)).toBe("curl -H 'Content-Type: application/json' -d "
    + `'{"ids":[{"identifier":"www","id_name":"id","id_value":"w111"},{"identifier":"crm","id_name":"email","id_value":"maren@example.org"}]}' `
    + "http://h/api/v1/identities/match");
  expect(matchCommand({ origin: "http://h", keyed: true }, [{ identifier: "a", idName: "b", idValue: "o'neil" }]))
    .toContain(`"id_value":"o'\\''neil"`);
});
