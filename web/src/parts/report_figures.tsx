import type { Asked } from "../ask";
import { dayStart, dayTotal, reasonAccount } from "../days";
import { daysText, plusMinus, rate, shares, whole, wholeOrNone } from "../format";
import type { ProfileReport, Report, Rules } from "../reports";
import { ProfileFigure } from "./by_profile";
import { Figure, Figures } from "./figures";
import { Mark, PeopleMark } from "./mark";

interface Props {
  report: Report | null;
  rules: Rules | null;
  /** Of people by profile; null: they are not shown. */
  profiles: Asked<ProfileReport> | null;
}

/** What happened to an object, or to all: views, people, refusals, and by which rules. */
export function ReportFigures({ report, rules, profiles }: Props) {
  const account = reasonAccount(report ?? { events: 0, counted: 0, refused: {} });
  const refused = report && report.events - report.counted;
  const parts = report && shares([report.counted, report.events - report.counted]);
  const mark = <Mark kind={report?.provisional === true ? "provisional" : "exact"} />;
  return (
    <Figures account={account} sum={report && dayTotal(account, report)} when={report && stretch(report)}>
      <Figure name="counted" label="Views counted" mark={mark} value={report && whole(report.counted)}>
        {report && (parts === null ? "no events" : `${parts[0]} of events`)}
      </Figure>
      <Figure name="people" label="People" mark={report && <PeopleMark {...report} />} value={report && wholeOrNone(report.people)}>
        {report && peopleNote(report)}
      </Figure>
      {profiles !== null && <ProfileFigure asked={profiles} />}
      <Figure name="per-person" label="Views per person"
        value={report && (report.people ? rate(report.counted / report.people) : "–")}>
        {report && "counted ÷ people"}
      </Figure>
      <Figure name="refused" label="Refused" mark={mark} value={refused === null ? null : whole(refused)}>
        {report && (parts === null ? "no events" : `${parts[1]} of events`)}
      </Figure>
      <Figure name="rules" label="Rules" value={rules && `v${rules.version}`}>
        {rules && <a href="/how-we-count">how we count</a>}
      </Figure>
    </Figures>
  );
}

function peopleNote({ people, exact, error, provisional }: Report): string {
  if (people === null) return "of reads not counted here";
  if (exact) return "each counted once";
  return provisional ? `estimated, ${plusMinus(error)}` : "± is the standard error";
}

/** The days a report speaks of, and of which zone they are. */
function stretch(report: Report): string {
  const { from, to } = report;
  const days = from === null || to === null ? "all time" : daysText(dayStart(from), dayStart(to));
  return `${days}, ${report.tz}`;
}
