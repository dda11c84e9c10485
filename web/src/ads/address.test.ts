import { expect, test } from "vitest";
import { dayRangeOf } from "../day_range";
import {
  clicksAddress, groupOf, incomeAddress, inCurrency, liveAddress, partiesAddress, partyOf, partyPath, rateAddress, splitAddress,
  statementAddress, stretchOf, toParty, weekRange,
} from "./address";
import { withQuery } from "../range";

const range = dayRangeOf("?from=2026-10-01&to=2026-11-21&tz=Europe%2FBerlin", 0);
const name = "/a b?c=1&d=ü";

test("a party stands in the address whole, and only one of them", () => {
  const search = withQuery("?days=7d&publisher=p&by=ad", toParty({ kind: "reseller", name }));
  expect(partyOf(search)).toEqual({ kind: "reseller", name });
  expect(new URLSearchParams(search).get("publisher")).toBeNull();
  expect(partyOf(withQuery(search, toParty(null)))).toBeNull();
  expect(partyOf("?reseller=")).toBeNull();
});

test("live clicks are of all, of an ad, of a reseller", () => {
  expect(liveAddress("?days=7d")).toBe("/api/v1/live/clicks");
  expect(liveAddress("?ad=a%2F1")).toBe("/api/v1/live/clicks?ad=a%2F1");
  expect(liveAddress("?reseller=r")).toBe("/api/v1/live/clicks?reseller=r");
  expect(liveAddress("?publisher=p")).toBe("/api/v1/live/clicks");
  expect(liveAddress("?reseller=a+b%2Bc")).toBe("/api/v1/live/clicks?reseller=a%20b%2Bc");
});

test("the live chart begins with the hour", () => {
  expect(stretchOf("").key).toBe("1h");
  expect(stretchOf("?range=5m").key).toBe("5m");
});

test("questions name the days, the zone and the grouping", () => {
  const path = partyPath({ kind: "reseller", name });
  expect(path).toBe("/api/v1/resellers/%2Fa%20b%3Fc%3D1%26d%3D%C3%BC");
  expect(incomeAddress("/r", range, "hour")).toBe("/r/income?from=2026-10-01&to=2026-11-21&tz=Europe%2FBerlin&group_by=hour");
  expect(incomeAddress("/r", dayRangeOf("", 0), "day")).toBe("/r/income");
  expect(clicksAddress("/r", range)).toBe("/r/clicks?from=2026-10-01&to=2026-11-21&tz=Europe%2FBerlin");
  expect(splitAddress(range)).toBe("/api/v1/ledger/split?from=2026-10-01&to=2026-11-21");
  expect(inCurrency("/r/income", "EUR")).toBe("/r/income?currency=EUR");
  expect(inCurrency("/r/income?from=2026-10-01", "EUR")).toBe("/r/income?from=2026-10-01&currency=EUR");
  expect(partiesAddress("publisher", "a&b", "EUR", 10)).toBe("/api/v1/publishers?prefix=a%26b&limit=10");
  expect(partiesAddress("reseller", "", "EUR", 10)).toBe("/api/v1/resellers?sort=amount&currency=EUR&limit=10");
  expect(partiesAddress("reseller", "", null, 10)).toBe("/api/v1/resellers?sort=amount&limit=10");
  expect(partyPath({ kind: "ad", name: ".." })).toMatchObject({ kind: "failed" });
});

test("a change is tried before it is made", () => {
  expect(rateAddress("/r", "2026-10-15", true, null)).toBe("/r/rates/2026-10-15?dry_run=1");
  expect(rateAddress("/r", "2026-10-15", false, null)).toBe("/r/rates/2026-10-15");
  expect(rateAddress("/r", "2026-10-15", true, "by mistake")).toBe("/r/rates/2026-10-15?reason=by%20mistake&dry_run=1");
});

test("a statement is of one currency", () => {
  expect(statementAddress("/r", "2026-10", null)).toBe("/r/statements/2026-10");
  expect(statementAddress("/r", "2026-10", "EUR")).toBe("/r/statements/2026-10?currency=EUR");
});

test("rows are grouped as the address says, where such rows are", () => {
  expect(groupOf("?by=month", "reseller")).toBe("month");
  expect(groupOf("?by=reseller", "reseller")).toBeNull();
  expect(groupOf("", "reseller")).toBeNull();
  expect(groupOf("?by=reseller", "publisher")).toBe("reseller");
});

test("a week is made of the last four of a long range, and of all hours of a short one", () => {
  expect(weekRange(range, "2026-11-27")).toMatchObject({ from: "2026-10-25", to: "2026-11-21" });
  expect(weekRange(dayRangeOf("", 0), "2026-11-27")).toMatchObject({ from: "2026-10-31", to: "2026-11-27" });
  expect(weekRange(dayRangeOf("?from=2026-11-20&to=2026-11-21", 0), "2026-11-27")).toMatchObject({ from: "2026-11-20", to: "2026-11-21" });
});
