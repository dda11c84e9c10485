import { expect, test } from "vitest";
import { eventAccount, partsShown, sumText, tokenAccount, zeroOf } from "./account";
import { total } from "./history";

test("the line of an account adds up in words", () => {
  const sum = total(zeroOf(eventAccount), [{ parts: { counted: 1000, refused: 1 } }, { parts: { counted: 234, refused: 0 } }]);
  expect(sumText(eventAccount, sum)).toBe("1,235 events = 1,234 counted + 1 refused");
  const one = total(zeroOf(eventAccount), [{ parts: { counted: 1, refused: 0 } }]);
  expect(sumText(eventAccount, one)).toBe("1 event = 1 counted + 0 refused");
});

test("a rare part is spoken of only where there is any", () => {
  const sum = (unsure: number) => total(zeroOf(tokenAccount), [{ parts: { fresh: 2, already: 1, unsure } }]);
  expect(sumText(tokenAccount, sum(0))).toBe("3 put = 2 new + 1 already counted");
  expect(sumText(tokenAccount, sum(4))).toBe("7 put = 2 new + 1 already counted + 4 above a limit");
  expect(partsShown(tokenAccount, sum(0))).toHaveLength(2);
});
