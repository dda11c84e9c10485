import { expect, test } from "vitest";
import { tokenAccount } from "./account";
import { csvName, csvOf, dayColumns, nameCell, secondColumns } from "./csv";
import { dayStart, reasonAccount } from "./days";

test("a second's row says all that the table says, in UTC", () => {
  const rows = [
    { from: 1763719200, seconds: 60, all: 9, parts: { fresh: 4, already: 2, unsure: 3 }, slowest: 0.31 },
    { from: 1763719260, seconds: 60, all: 0, parts: { fresh: 0, already: 0, unsure: 0 }, slowest: null },
  ];
  expect(csvOf(secondColumns(tokenAccount, true), rows)).toBe(
    "time,seconds,put,new,already_counted,above_limit,slowest_commit_ms\r\n"
    + "2025-11-21T10:00:00Z,60,9,4,2,3,0.31\r\n"
    + "2025-11-21T10:01:00Z,60,0,0,0,0,\r\n");
});

test("a day's row has a column for each reason", () => {
  const account = reasonAccount({ events: 5, counted: 1, refused: { not_human: 1, repeat: 3 } });
  const parts = { counted: 1, "refused repeat": 3, "refused not_human": 1 };
  const row = { from: dayStart("2026-11-20"), seconds: 86_400, all: 5, parts, people: 1 };
  expect(csvOf(dayColumns(account), [row, { ...row, people: null }])).toBe(
    "day,events,counted,refused_repeat,refused_not_human,people\r\n2026-11-20,5,1,3,1,1\r\n2026-11-20,5,1,3,1,\r\n");
});

test("a reason of any name stays in its cell", () => {
  const account = reasonAccount({ events: 1, counted: 0, refused: { 'a,"b"': 1 } });
  expect(csvOf(dayColumns(account), [])).toBe('day,events,counted,"refused_a,""b""",people\r\n');
});

test("files are named by what they hold", () => {
  expect(csvName("tokens", "1h", "2025-11-21T10:00:00Z")).toBe("footfall-tokens-1h-2025-11-21T100000Z.csv");
});

test("a name is no formula", () => {
  expect(["=1+1", "+a", "-a", "@a", "a=b"].map(nameCell)).toEqual(["'=1+1", "'+a", "'-a", "'@a", "a=b"]);
});
