import { useState } from "preact/hooks";
import { changesMade, type Adjustment, type ChangeMade, type Income } from "../../ads/income";
import { differenceText } from "../../ads/money";
import { csvName, csvOf, download, nameCell, type Column } from "../../csv";
import { dayStart } from "../../days";
import { dayOf, daysText, dayText, reasonText, timestamp } from "../../format";
import { some } from "./income_figures";
import { moment } from "./ledger_check";
import { Money } from "./money";

/** What changed after the fact, by what, and where the difference stands. */
export function Adjustments({ income }: { income: Income | null }) {
  const changes = changesMade(income?.adjustments ?? []);
  return (
    <section class="panel adjustments" aria-labelledby="adjustments-title">
      <header class="panel-head">
        <h2 id="adjustments-title">Adjustments</h2>
        {income !== null && <p class="faint">{income.currency}</p>}
        {income !== null && changes.length > 0 && (
          <div class="tools"><button type="button" class="button" onClick={() => save(income)}>CSV</button></div>
        )}
      </header>
      {income === null && <p class="faint">Waiting for the server.</p>}
      {income !== null && changes.length === 0 && <p class="faint">No day of this range changed after the fact.</p>}
      {income !== null && changes.length > 0 && (
        <>
          <Table changes={changes} />
          <p class="faint foot">
            Corrected is the sum of what was posted in this range:{" "}
            <b><Money amount={income.corrected} text={differenceText} /></b> {income.currency}. What
            moved at once is in its own day's income already.
          </p>
        </>
      )}
    </section>
  );
}

function Table({ changes }: { changes: readonly ChangeMade[] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The list of adjustments" data-scrolls>
      <table class="ledger ledger-cards" aria-labelledby="adjustments-title">
        <thead>
          <tr>
            <th scope="col">Change</th>
            <th scope="col">Days</th>
            <th scope="col">Posted</th>
            <th scope="col" class="number">Was</th>
            <th scope="col" class="number">Is</th>
            <th scope="col" class="number">Difference</th>
          </tr>
        </thead>
        {changes.map((change) => <Change key={`${change.cause} ${change.recorded} ${change.reason}`} change={change} />)}
      </table>
    </div>
  );
}

const causes: Readonly<Record<string, string>> = {
  late: "Clicks that came late", rate: "A change of the rate", restated: "Clicks judged anew",
};

/** A change with the sum of its days, and on demand each of them. */
function Change({ change }: { change: ChangeMade }) {
  const [open, setOpen] = useState(false);
  const { cause, reason, author, recorded, days } = change;
  const what = causes[cause] ?? reasonText(cause);
  return (
    <tbody>
      <tr class="change">
        <th scope="row">
          {what}{reason !== null && reason !== "" && <>: <q>{reason}</q></>}
          <span class="faint who">{[author && `by ${author}`, recorded !== null && moment(recorded)].filter(Boolean).join(", ")}</span>
        </th>
        <td class="days">
          {days.length > 1
            ? (
              <button type="button" class="why" aria-expanded={open} aria-label={`${some(days.length, "day")} of ${what}, ${spanOf(days)}`}
                onClick={() => setOpen(!open)}>{some(days.length, "day")}</button>
            )
            : dayOfOne(days[0])}
          {days.length > 1 && <span class="faint who">{spanOf(days)}</span>}
        </td>
        <td class="posted">{[...new Set(days.map(postedText))].join(", ")}</td>
        <Amounts of={change} />
      </tr>
      {open && days.map((one) => (
        <tr class="day" key={`${one.day} ${one.posted}`}>
          <th scope="row"><span class="unseen">of these: </span>{dayOfOne(one)}</th>
          <td class="days" />
          <td class="posted">{postedText(one)}</td>
          <Amounts of={one} />
        </tr>
      ))}
    </tbody>
  );
}

function Amounts({ of: { was, is, difference } }: { of: Pick<ChangeMade, "was" | "is" | "difference"> }) {
  return (
    <>
      <td class="number" data-label="Was"><Money amount={was} /></td>
      <td class="number" data-label="Is"><Money amount={is} /></td>
      <td class="number" data-label="Difference"><Money amount={difference} text={differenceText} /></td>
    </>
  );
}

function dayOfOne(one: Adjustment | undefined): string {
  return one === undefined || one.day === null ? "all its days" : dayText(dayStart(one.day));
}

function spanOf(days: readonly Adjustment[]): string {
  const [first, last] = [days[0]?.day ?? null, days.at(-1)?.day ?? null];
  return first === null || last === null ? "" : daysText(dayStart(first), dayStart(last));
}

function postedText({ posted }: Adjustment): string {
  return posted === null ? "at once" : `in ${dayText(dayStart(posted), "month")}`;
}

/** Money goes into the file as the server wrote it. */
const columns: readonly Column<Adjustment>[] = [
  { name: "day", of: ({ day }) => day },
  { name: "posted", of: ({ posted }) => posted },
  { name: "cause", of: ({ cause }) => cause },
  { name: "was", of: ({ was }) => was },
  { name: "is", of: ({ is }) => is },
  { name: "difference", of: ({ difference }) => difference },
  { name: "recorded_at", of: ({ recorded }) => (recorded === null ? null : timestamp(recorded)) },
  { name: "author", of: ({ author }) => (author === null ? null : nameCell(author)) },
  { name: "reason", of: ({ reason }) => (reason === null ? null : nameCell(reason)) },
];

function save({ adjustments, from, to, tz, currency }: Income): void {
  const end = to ?? dayOf(Date.now() / 1000, tz);
  download(csvName(`adjustments-${currency}`, from ?? "all", end), csvOf(columns, adjustments));
}
