import { groupsOf, type Kind } from "../../ads/address";
import type { Group, Income, IncomeRow } from "../../ads/income";
import { isInTime } from "../../ads/rows";
import { csvName, csvOf, download, nameCell, type Column } from "../../csv";
import { dayOf } from "../../format";
import type { Changes } from "../../page";
import { Mark } from "../mark";
import { IncomeChart } from "./income_chart";
import { IncomeTable } from "./income_table";

interface Props {
  income: Income | null;
  kind: Kind;
  /** Null: none was chosen. */
  group: Group | null;
  spoken: string;
  theme: string;
  tables: { asTable: boolean; toggle: () => void };
  change: (changes: Changes) => void;
}

const headings: Record<Group, string> = {
  day: "Income a day", week: "Income a week", month: "Income a month", hour: "Income an hour",
  ad: "Income by ad", publisher: "Income by publisher", reseller: "Income by reseller",
};

/** Income by day, week, month or hour as a chart or its table; by ad or publisher as a table. */
export function IncomeSeries({ income, kind, group, spoken, theme, tables: { asTable, toggle }, change }: Props) {
  // Until the answer to another grouping is there, the rows are still of the one before.
  const shown = income?.group ?? group ?? "day";
  const drawn = isInTime(shown) && !asTable;
  const empty = income !== null && income.rows.length === 0;
  return (
    <section class="panel series" aria-labelledby="income-title" data-series="income">
      <header class="panel-head">
        <h2 id="income-title">{headings[shown]}</h2>
        {income !== null && <Mark kind={income.provisional ? "provisional" : income.sealed ? "sealed" : "exact"} />}
        <div class="tools">
          <label>
            <span class="unseen">Rows by</span>
            <select class="small" value={group ?? shown} onChange={(event) => change({ by: event.currentTarget.value })}>
              {groupsOf(kind).map((one) => <option key={one} value={one}>by {one}</option>)}
            </select>
          </label>
          {isInTime(shown) && (
            <button type="button" class="button" aria-pressed={asTable} onClick={toggle}>Table <kbd>t</kbd></button>
          )}
          <button type="button" class="button" disabled={income === null || empty} onClick={() => income && save(income)}>CSV</button>
        </div>
      </header>
      {(income === null || empty) && <p class="faint waiting">{empty ? "No clicks in this range." : "Waiting for the server."}</p>}
      {income !== null && !empty && (drawn
        ? <IncomeChart income={income} spoken={spoken} theme={theme} />
        : <IncomeTable income={income} title={headings[shown]} />)}
    </section>
  );
}

/** Money goes into the file as the server wrote it. */
export function incomeColumns(group: Group): Column<IncomeRow>[] {
  return [
    { name: group, of: ({ name }) => nameCell(name) },
    { name: "clicks", of: ({ clicks }) => clicks },
    { name: "sales", of: ({ sales }) => sales },
    { name: "refunds", of: ({ refunds }) => refunds },
    { name: "amount", of: ({ amount }) => amount },
    ...(group === "day" ? [{ name: "reward_percent", of: ({ fraction }: IncomeRow) => fraction }] : []),
    { name: "income", of: ({ income }) => income },
    ...(group === "day" ? [{ name: "sealed", of: ({ sealed }: IncomeRow) => String(sealed) }] : []),
  ];
}

function save({ rows, group, from, to, tz, currency }: Income): void {
  const end = to ?? dayOf(Date.now() / 1000, tz);
  download(csvName(`income-${currency}-by-${group}`, from ?? "all", end), csvOf(incomeColumns(group), rows));
}
