import type { Asked } from "../../ask";
import { shownMost } from "../../audit/address";
import type { Entry } from "../../audit/answers";
import { actOf, forgotten, wordsOf } from "../../audit/says";
import { whole } from "../../format";
import { Moment } from "../identities/moment";
import { Trouble } from "../trouble";

interface Props {
  asked: Asked<readonly Entry[]>;
  size: number | null;
  /** The number above all that are shown. */
  end: number;
  chosen: number | null;
  choose: (entry: number) => void;
  /** Null: the newest. */
  turn: (before: number | null) => void;
}

/** Entries, the newest first. */
export function EntryList({ asked, size, end, chosen, choose, turn }: Props) {
  const entries = [...asked.value ?? []].reverse();
  const first = entries.at(-1)?.number ?? 0;
  return (
    <section class="panel entries" aria-labelledby="entries-title">
      <header class="panel-head">
        <h2 id="entries-title">{size !== null && end < size ? `Entries before ${whole(end)}` : "Newest entries"}</h2>
        <div class="tools">
          <button type="button" class="button" disabled={size === null || end >= size}
            onClick={() => turn(size === null || end + shownMost >= size ? null : end + shownMost)}>Newer</button>
          <button type="button" class="button" disabled={first <= 0} onClick={() => turn(first)}>Older</button>
        </div>
      </header>
      <Trouble of={asked} />
      {asked.value === null && asked.no === null && <p class="faint" role="status">Waiting for the server.</p>}
      {entries.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="The list of entries" data-scrolls>
          <table class="ledger ledger-entries" aria-labelledby="entries-title">
            <thead>
              <tr>
                <th scope="col" class="number">Entry</th>
                <th scope="col">What was done</th>
                <th scope="col">By</th>
                <th scope="col">When</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.number} data-entry={entry.number} class={entry.number === chosen ? "chosen" : undefined}>
                  <th scope="row" class="number">
                    <button type="button" class="why" onClick={() => choose(entry.number)} aria-label={`Show entry ${entry.number}`}>{entry.number}</button>
                  </th>
                  <td>
                    <span class="act">{actOf(entry.kind)}</span>
                    <span class="faint detail" title={wordsOf(entry)}>{wordsOf(entry)}</span>
                    <Personal entry={entry} />
                  </td>
                  <td class="author" title={entry.author}>{entry.author}</td>
                  <td class="when"><Moment at={entry.time} /></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** Whether it says something of persons, and whether that is still there. */
function Personal({ entry }: { entry: Entry }) {
  if (entry.said.length === 0) return null;
  const gone = forgotten(entry);
  if (gone === 0) return <span class="faint persons">says something of persons</span>;
  return <span class="persons"><span class="mark">forgotten</span> <span class="faint">what it said of {gone === entry.said.length ? "persons" : `${gone} of ${entry.said.length}`} was erased</span></span>;
}
