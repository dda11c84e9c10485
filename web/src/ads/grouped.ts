// Rows of days put together into weeks and months.

import { beginOf, unitBetween } from "../calendar";
import type { AskedGroup, Group, Income, IncomeRow } from "./income";
import { sumOfAmounts } from "./money";

/** What the server is asked for, to show rows by `group`; null: as it fits. */
export function askedFor(group: Group | null): AskedGroup {
  return group === null || group === "week" ? "day" : group;
}

/** Income with its rows by `group`, of which askedFor() was told; null: by day, week or month, whichever can be read. */
export function groupedBy(group: Group | null, income: Income): Income {
  if (income.group !== "day" || group === "day") return income;
  const first = income.from ?? income.rows[0]?.name;
  const last = income.to ?? income.rows.at(-1)?.name;
  const unit = group === "week" ? group : first === undefined || last === undefined ? "day" : unitBetween(first, last);
  if (unit === "day") return income;
  const days = new Map<string, IncomeRow[]>();
  for (const row of income.rows) {
    const begin = beginOf(unit, row.name);
    days.set(begin, [...days.get(begin) ?? [], row]);
  }
  return { ...income, group: unit, rows: [...days].map(([begin, rows]) => sumOf(unit === "month" ? begin.slice(0, 7) : begin, rows)) };
}

function sumOf(name: string, rows: readonly IncomeRow[]): IncomeRow {
  const count = (of: "clicks" | "sales" | "refunds") => rows.reduce((sum, row) => sum + row[of], 0);
  return {
    name, clicks: count("clicks"), sales: count("sales"), refunds: count("refunds"),
    amount: sumOfAmounts(rows.map(({ amount }) => amount)), income: sumOfAmounts(rows.map(({ income }) => income)),
    fraction: null, sealed: rows.every(({ sealed }) => sealed),
  };
}
