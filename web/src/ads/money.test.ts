import { expect, test } from "vitest";
import { amountText, decimalsOf, differenceText, exactText, readAmount, signOf, sumOfAmounts } from "./money";

test("an amount is shown in cents, rounded half to even", () => {
  expect(amountText("1234567.5")).toBe("1,234,567.50");
  expect(amountText("361.582501")).toBe("361.58");
  expect(amountText("-1204")).toBe("−1,204.00");
  expect(["0.225", "0.235", "0.2251", "0.995", "999.9950001", "-0.375"].map(amountText)).toEqual(
    ["0.22", "0.24", "0.23", "1.00", "1,000.00", "−0.38"]);
});

test("what is too small for cents is still not nothing", () => {
  expect(["0.000001", "-0.005", "0.00", "0"].map(amountText)).toEqual(["<0.01", ">−0.01", "0.00", "0.00"]);
  expect(["0.003625", "-0.003625"].map(differenceText)).toEqual(["<+0.01", ">−0.01"]);
});

test("an exact amount has every digit the server wrote", () => {
  expect(exactText("1361.582501")).toBe("1,361.582501");
  expect(exactText("-123")).toBe("−123.00");
  expect(exactText("1.5", 4)).toBe("1.5000");
});

test("exact amounts beside each other have the decimals of the longest", () => {
  expect(decimalsOf(["1", "2.5"])).toBe(2);
  expect(decimalsOf(["1", "2.1234"])).toBe(4);
  expect(decimalsOf([])).toBe(2);
});

test("a difference says where it went", () => {
  expect(differenceText("4.2")).toBe("+4.20");
  expect(differenceText("1204.5")).toBe("+1,204.50");
  expect(differenceText("-4.2")).toBe("−4.20");
  expect(differenceText("0")).toBe("0.00");
  expect(signOf("-0.000")).toBe(0);
});

test("a sum is exact where floating point is not", () => {
  expect(sumOfAmounts(["0.1", "0.2"])).toBe("0.3");
  expect(sumOfAmounts(["9007199254740993.000001", "0.000001"])).toBe("9007199254740993.000002");
  expect(sumOfAmounts(["-0.05", "0.04"])).toBe("-0.01");
  expect(sumOfAmounts(["1.50", "0.5"])).toBe("2");
  expect(sumOfAmounts(["100", "20"])).toBe("120");
  expect(sumOfAmounts([])).toBe("0");
});

test("what is no decimal text is not read as money", () => {
  expect(readAmount("-12.340000")).toBe("-12.340000");
  for (const wrong of [12.5, "1e3", "1,000", "", ".5", null, "12."]) expect(() => readAmount(wrong)).toThrow(TypeError);
});
