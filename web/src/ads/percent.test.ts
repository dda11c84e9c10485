import { expect, test } from "vitest";
import { fractionOf, percentHeight, percentText } from "./percent";

test("however it is typed, a share is sent as decimal text", () => {
  const sent = (typed: string) => fractionOf(typed).fraction;
  expect(sent("30")).toBe("0.3");
  expect(sent("30 %")).toBe("0.3");
  expect(sent(" 30.0% ")).toBe("0.3");
  expect(sent("12,5 %")).toBe("0.125");
  expect(sent("12.3456")).toBe("0.123456");
  expect(sent("5")).toBe("0.05");
  expect(sent("0.3")).toBe("0.003");
  expect(sent(".5")).toBe("0.005");
  expect(sent("007")).toBe("0.07");
  expect(sent("100")).toBe("1");
  expect(sent("0")).toBe("0");
});

test("what is no share says why", () => {
  for (const none of ["", " ", "%"]) expect(fractionOf(none).wrong).toMatch(/is needed/);
  for (const none of ["-5", "3o", "1.2.3", "30 % 1", ".", "1e1"]) expect(fractionOf(none).wrong).toMatch(/no percentage/);
  for (const many of ["100.0001", "101", "3000"]) expect(fractionOf(many).wrong).toMatch(/at most 100/);
  expect(fractionOf("1.23456").wrong).toMatch(/four decimals/);
});

test("a share is read as a percentage", () => {
  expect(percentText("0.3")).toBe("30 %");
  expect(percentText("0.123456")).toBe("12.3456 %");
  expect(percentText("0.05")).toBe("5 %");
  expect(percentText("0.003")).toBe("0.3 %");
  expect(percentText("1")).toBe("100 %");
  expect(percentText("0")).toBe("0 %");
  expect(percentHeight("0.125")).toBe(12.5);
});
