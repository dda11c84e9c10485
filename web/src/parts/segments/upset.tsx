import { useRef, useState } from "preact/hooks";
import type { Asked } from "../../ask";
import { csvOf, download, nameCell } from "../../csv";
import { clock, shortName, whole } from "../../format";
import type { Overlap } from "../../segments/answers";
import { barOf, drawnMost, inOrder, spokenOf, type Combination } from "../../segments/combined";
import { within } from "../../segments/matrix";
import { Mark } from "../mark";
import { Name } from "../name";

interface Props {
  names: readonly string[];
  asked: Asked<Overlap>;
  tables: { asTable: boolean; toggle: () => void };
}

/** Who is in exactly which of the compared segments: as an UpSet plot, and as the list of all combinations. */
export function UpSet({ names, asked: { value }, tables: { asTable, toggle } }: Props) {
  if (value === null || value.combinations === null) return null;
  const all = inOrder(value.combinations);
  const save = () => download("footfall-segments-combinations.csv", csvOf(
    [...names.map((name) => ({ name: nameCell(name), of: ({ segments }: Combination) => (segments.includes(name) ? 1 : 0) })),
      { name: "people", of: ({ people }: Combination) => people },
      ...(all.some(({ bounds }) => bounds !== undefined) ? [
        { name: "low", of: ({ people, bounds }: Combination) => bounds?.low ?? people },
        { name: "high", of: ({ people, bounds }: Combination) => bounds?.high ?? people },
      ] : [])], all));
  return (
    <section class="panel upset" aria-labelledby="upset-title" data-series="combinations">
      <header class="panel-head">
        <h2 id="upset-title">People in exactly these</h2>
        <Mark kind={all.some(({ bounds }) => bounds !== undefined) ? "estimate" : "exact"} />
        <p class="faint">as of {clock(value.asOf)}</p>
        <div class="tools">
          <button type="button" class="button" aria-pressed={asTable} onClick={toggle}>Table <kbd>t</kbd></button>
          <button type="button" class="button" onClick={save} disabled={all.length === 0}>CSV</button>
        </div>
      </header>
      {all.length === 0 ? <p class="faint">Nobody is in any of them.</p>
        : asTable ? <CombinationTable names={names} all={all} /> : <Drawing names={names} all={all} />}
    </section>
  );
}

/** A line for each combination: a dot in the column of each segment it is of, and a bar. Arrows lead from line to line. */
function Drawing({ names, all }: { names: readonly string[]; all: readonly Combination[] }) {
  const lines = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState(0);
  const [pointed, setPointed] = useState<Combination | null>(null);
  const drawn = all.slice(0, drawnMost);
  const last = drawn.length - 1;
  const now = Math.min(at, last);
  const most = drawn[0]?.people ?? 0;
  const say = (one: Combination) => spokenOf(one, (name) => shortName(name, names), names.length);
  const moves: Readonly<Record<string, number>> = { ArrowUp: now - 1, ArrowDown: now + 1, Home: 0, End: last };
  const press = (event: KeyboardEvent) => {
    const to = event.altKey || event.ctrlKey || event.metaKey ? undefined : moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const line = Math.max(0, Math.min(last, to));
    setAt(line);
    lines.current?.querySelector<HTMLElement>(`[data-line="${line}"]`)?.focus();
  };
  return (
    <>
      <p class="readout upset-readout" aria-live="polite">{pointed === null ? "Point at a line, or go there by arrow keys." : say(pointed)}</p>
      <table class="upset-lines" role="grid" aria-label="People in exactly these, as a drawing" ref={lines} style={{ "--sets": names.length }}
        onKeyDown={press} onPointerLeave={() => setPointed(null)}>
        <thead>
          <tr>
            {names.map((name, number) => <th scope="col" key={name} title={name}><span aria-hidden="true">{number + 1}</span><span class="unseen">{name}</span></th>)}
            <th scope="col" class="upset-people">People</th>
          </tr>
        </thead>
        <tbody>
          {drawn.map((one, line) => {
            const places = names.map((name) => one.segments.includes(name));
            const [first, end] = [places.indexOf(true), places.lastIndexOf(true)];
            return (
              <tr key={one.segments.join("\n")} data-line={line} tabIndex={line === now ? 0 : -1} aria-label={say(one)}
                onFocus={() => { setAt(line); setPointed(one); }} onPointerEnter={() => setPointed(one)}>
                {places.map((there, place) => (
                  <td key={place} role="gridcell" class={`upset-dot${there ? " upset-there" : ""}${place >= first && place < end ? " upset-on" : ""}`}><i aria-hidden="true" /></td>
                ))}
                <td role="gridcell" class="upset-people">
                  <span class="upset-bar" style={{ "--bar": `${barOf(one.people, most)}%` }}><i aria-hidden="true" /><b>{whole(one.people)}</b></span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <ol class="upset-names">{names.map((name) => <li key={name}><Name name={name} beside={names} /></li>)}</ol>
      {all.length > drawnMost && <p class="faint foot">{all.length - drawnMost} more have fewer people: the table has them.</p>}
    </>
  );
}

function CombinationTable({ names, all }: { names: readonly string[]; all: readonly Combination[] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The list of combinations" data-scrolls>
      <table class="ledger upset-table" aria-labelledby="upset-title">
        <thead>
          <tr><th scope="col">In these, and in no other</th><th scope="col" class="number">People</th></tr>
        </thead>
        <tbody>
          {all.map(({ segments, people, bounds }) => (
            <tr key={segments.join("\n")}>
              <th scope="row">{segments.map((name) => shortName(name, names)).join(" + ")}</th>
              <td class="number">{whole(people)}{bounds !== undefined && <span class="faint bounds">{within(bounds)}</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
