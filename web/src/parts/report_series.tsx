import { useMemo } from "preact/hooks";
import { csvName, csvOf, dayColumns, download, hourColumns } from "../csv";
import { dayRows, earlier, reasonAccount } from "../days";
import { dayOf, wholeOrNone } from "../format";
import { hourRows, hourScale } from "../hours";
import type { HourReport, Report } from "../reports";
import { dayScale } from "../scale";
import { PeopleMark } from "./mark";
import { Series } from "./series";

interface Props {
  report: Report | null;
  /** While there is no report: whether the one that was asked for has hours. */
  byHour: boolean;
  spoken: string;
  theme: string;
  tables: { asTable: boolean; toggle: () => void };
}

/** What a report counts over time: by the hour where it tells of hours, else by the day. */
export function ReportSeries({ report, byHour, ...more }: Props) {
  const account = useMemo(() => reasonAccount(report ?? { events: 0, counted: 0, refused: {} }), [report]);
  const shared = {
    ...more, id: "days", account,
    mark: report?.provisional === true ? "provisional" as const : "exact" as const,
    waiting: report === null ? "Waiting for the server." : "No events in this range.",
  };
  const hours = report === null ? (byHour ? [] : null) : report.hours;
  return hours === null ? <Days report={report} shared={shared} /> : <Hours report={report} hours={hours} shared={shared} />;
}

interface SharedProps {
  report: Report | null;
  shared: Omit<Parameters<typeof Series>[0], "rows" | "scale" | "title" | "heading" | "save">;
}

function Days({ report, shared }: SharedProps) {
  const { account, tables } = shared;
  const today = dayOf(Date.now() / 1000, report?.tz ?? "UTC");
  const rows = useMemo(
    () => (report === null || report.events === 0 ? [] : dayRows(account, report, today)), [account, report, today]);
  const before = report && earlier(account, report, rows);
  const save = () => download(
    csvName("views", report?.from ?? "all", today), csvOf(dayColumns(account), rows.filter((row) => row.all > 0)));
  return (
    <Series {...shared} rows={rows} scale={dayScale} heading="Events a day" title="Events by day" save={save} before={before}
      beside={{
        label: "People",
        of: (row) => wholeOrNone(row.people),
        total: report === null ? "–" : <>{wholeOrNone(report.people)} <PeopleMark {...report} /></>,
      }}>
      {report !== null && <DayNotes report={report} listed={tables.asTable} />}
    </Series>
  );
}

function Hours({ report, hours, shared }: SharedProps & { hours: readonly HourReport[] }) {
  const { account, tables } = shared;
  const now = Math.floor(Date.now() / 60_000) * 60;
  const rows = useMemo(
    () => (report === null || report.events === 0 ? [] : hourRows(account, hours, now)), [account, report, hours, now]);
  const scale = useMemo(() => hourScale(hours, now), [hours, now]);
  const save = () => download(
    csvName("views", report?.from ?? "hours", dayOf(now, report?.tz ?? "UTC")),
    csvOf(hourColumns(account), rows.filter((row) => row.all > 0)));
  return (
    <Series {...shared} rows={rows} scale={scale} heading="Events an hour" title="Events by hour" save={save}>
      {tables.asTable && rows.length > 0 && <p class="faint foot">People are known by days, not by hours.</p>}
    </Series>
  );
}

/** What a reader of the table might stumble over. */
function DayNotes({ report, listed }: { report: Report; listed: boolean }) {
  return (
    <>
      {report.earlierDays && (
        <p class="faint foot">Only the newest days are drawn. All are in the sums; choose a range to see earlier ones.</p>
      )}
      {listed && report.tz === "UTC" && (
        <p class="faint foot">Who came on two days is one person in the total.</p>
      )}
      {listed && report.tz !== "UTC" && (
        <p class="faint foot">People are kept by days of {report.peopleTz}; choose that zone to see them day by day.</p>
      )}
    </>
  );
}
