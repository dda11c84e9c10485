import { useMemo } from "preact/hooks";
import type { ClickReport } from "../../ads/answers";
import { inUnits, unitOf, unitScale } from "../../calendar";
import type { DayRange } from "../../day_range";
import { csvName, csvOf, dayColumns, download } from "../../csv";
import { dayRows, dayTotal, reasonAccount } from "../../days";
import { dayOf, whole } from "../../format";
import { day } from "../../scale";
import { Figure, Figures } from "../figures";
import { Mark } from "../mark";
import { Series } from "../series";

interface Props {
  report: ClickReport | null;
  range: DayRange;
  theme: string;
  tables: { asTable: boolean; toggle: () => void };
}

/** Clicks without money: what was counted and refused, by day, or by week or month where days are many. */
export function ClickReportPanels({ report, range, theme, tables }: Props) {
  const account = useMemo(() => reasonAccount(report ?? { events: 0, counted: 0, refused: {} }), [report]);
  const today = dayOf(Date.now() / 1000, range.tz);
  const days = useMemo(() => (
    report === null || report.events === 0 ? [] : dayRows(account, { ...range, days: report.days }, today)), [account, report, range.from, range.to, today]);
  const unit = unitOf(days.reduce((sum, { seconds }) => sum + seconds, 0) / day);
  const rows = useMemo(() => inUnits(account, days, unit), [account, days, unit]);
  const columns = dayColumns(account).filter(({ name }) => name !== "people").map((one) => (one.name === "day" ? { ...one, name: unit } : one));
  const exact = <Mark kind="exact" />;
  const value = (count: number | undefined) => (count === undefined ? null : whole(count));
  return (
    <>
      <Figures account={account} sum={report && dayTotal(account, report)} when={`${range.spoken}, ${range.tz}`}>
        <Figure name="events" label="Events" mark={exact} value={value(report?.events)}>{report && "counted and refused"}</Figure>
        <Figure name="clicks" label="Clicks" mark={exact} value={value(report?.clicks)}>{report && "counted"}</Figure>
        <Figure name="sales" label="Sales" mark={exact} value={value(report?.sales)}>{report && "counted"}</Figure>
        <Figure name="refunds" label="Refunds" mark={exact} value={value(report?.refunds)}>{report && "amounts below zero"}</Figure>
        <Figure name="refused" label="Refused" mark={exact} value={value(report === null ? undefined : report.events - report.counted)}>
          {report && <a href="/how-we-count">how we count</a>}
        </Figure>
      </Figures>
      <Series id="days" account={account} rows={rows} scale={unitScale(unit)} heading="Events a day" title={`Events by ${unit}`} mark="exact"
        spoken={range.spoken} theme={theme} tables={tables}
        waiting={report === null ? "Waiting for the server." : "No events in this range."}
        save={() => download(csvName("clicks", range.from ?? "all", today), csvOf(columns, rows.filter((row) => row.all > 0)))} />
    </>
  );
}
