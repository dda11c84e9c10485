import { useRef, useState } from "preact/hooks";
import type { Asked } from "../../ask";
import { csvOf, download, nameCell } from "../../csv";
import { clock, shortName, whole } from "../../format";
import type { Overlap } from "../../segments/answers";
import { matrixOf, percent, short, steps, within, type Field } from "../../segments/matrix";
import { Mark } from "../mark";
import { Name } from "../name";
import { Trouble } from "../trouble";

interface Props {
  names: readonly string[];
  asked: Asked<Overlap>;
  tables: { asTable: boolean; toggle: () => void };
}

/** What each two of the compared segments share: as a map, and as the list of all pairs. */
export function OverlapMap({ names, asked, tables: { asTable, toggle } }: Props) {
  const { value, no } = asked;
  const fields = value === null ? [] : matrixOf(names, value);
  const pairs = pairsOf(fields);
  const estimates = pairs.some(({ bounds }) => bounds !== undefined);
  const save = () => download("footfall-segments-overlap.csv", csvOf(estimates ? [...columns, ...boundColumns] : columns, pairs));
  return (
    <section class="panel overlap" aria-labelledby="overlap-title" data-series="overlap">
      <header class="panel-head">
        <h2 id="overlap-title">{asTable ? "People in both, pair by pair" : "People in both"}</h2>
        {value !== null && <Mark kind={value.pairs.every(({ exact }) => exact) ? "exact" : "estimate"} />}
        {value !== null && <p class="faint">as of {clock(value.asOf)}</p>}
        <div class="tools">
          <button type="button" class="button" aria-pressed={asTable} onClick={toggle}>Table <kbd>t</kbd></button>
          <button type="button" class="button" onClick={save} disabled={pairs.length === 0}>CSV</button>
        </div>
      </header>
      <Trouble of={asked} />
      {names.length < 2 && <p class="faint">Tick two segments or more in the list: what each two share is shown here.</p>}
      {names.length >= 2 && value === null && no === null && <p class="faint" role="status">Waiting for the server.</p>}
      {fields.length > 0 && (asTable ? <PairTable pairs={pairs} /> : <Grid fields={fields} />)}
    </section>
  );
}

const columns = [
  { name: "first", of: ({ one }: Field) => nameCell(one) },
  { name: "second", of: ({ other }: Field) => nameCell(other) },
  { name: "people_in_both", of: ({ count }: Field) => count },
  { name: "share_of_first", of: ({ ofOne }: Field) => ofOne },
  { name: "share_of_second", of: ({ ofOther }: Field) => ofOther },
];

/** Of estimates, in which all are. */
const boundColumns = [
  { name: "low", of: ({ count, bounds }: Field) => bounds?.low ?? count },
  { name: "high", of: ({ count, bounds }: Field) => bounds?.high ?? count },
];

/** Each pair once, those that share most first. */
function pairsOf(fields: readonly (readonly Field[])[]): readonly Field[] {
  return fields.flatMap((line, at) => line.slice(at + 1)).sort((left, right) => right.count - left.count);
}

const spoken = ({ one, other, count, bounds, ofOne, ofOther }: Field) => (one === other
  ? `${shortName(one)}: ${people(count, bounds)}`
  : `${shortName(one)} and ${shortName(other)}: ${people(count, bounds)}, ${percent(ofOne)} of the first, ${percent(ofOther)} of the second`);

function people(count: number, bounds: Field["bounds"]): string {
  if (bounds !== undefined) return `about ${whole(count)} people${within(bounds)}`;
  return count === 1 ? "1 person" : `${whole(count)} people`;
}

/** Arrows lead from field to field, Home and End along a line; one of them is in the order of Tab. */
function Grid({ fields }: { fields: readonly (readonly Field[])[] }) {
  const grid = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState({ line: 0, column: 0 });
  const [pointed, setPointed] = useState<Field | null>(null);
  const last = fields.length - 1;
  const now = { line: Math.min(at.line, last), column: Math.min(at.column, last) };
  const names = fields.flatMap(([first]) => (first === undefined ? [] : [first.one]));
  const go = (line: number, column: number) => {
    const to = { line: Math.max(0, Math.min(last, line)), column: Math.max(0, Math.min(last, column)) };
    setAt(to);
    grid.current?.querySelector<HTMLElement>(`[data-field="${to.line} ${to.column}"]`)?.focus();
  };
  const moves: Readonly<Record<string, () => void>> = {
    ArrowUp: () => go(now.line - 1, now.column), ArrowDown: () => go(now.line + 1, now.column),
    ArrowLeft: () => go(now.line, now.column - 1), ArrowRight: () => go(now.line, now.column + 1),
    Home: () => go(now.line, 0), End: () => go(now.line, last),
  };
  const press = (event: KeyboardEvent) => {
    const move = event.altKey || event.ctrlKey || event.metaKey ? undefined : moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };
  return (
    <>
      <p class="readout overlap-readout" aria-live="polite">{pointed === null ? "Point at a field, or go there by arrow keys." : spoken(pointed)}</p>
      <div class="overlap-scroll">
        <table class="overlap-map" role="grid" aria-label="People in both, as a map" ref={grid} style={{ "--fields": fields.length }}
          onKeyDown={press} onPointerLeave={() => setPointed(null)}>
          <thead>
            <tr>
              <td />
              {names.map((name, number) => <th scope="col" key={name} title={name}><span aria-hidden="true">{number + 1}</span><span class="unseen">{name}</span></th>)}
            </tr>
          </thead>
          <tbody>
            {fields.map((line, row) => (
              <tr key={names[row]}>
                <th scope="row"><span class="overlap-number" aria-hidden="true">{row + 1}</span> <Name name={names[row] ?? ""} beside={names} /></th>
                {line.map((field, column) => (
                  <td key={field.other} role="gridcell" data-field={`${row} ${column}`} class={row === column ? "heat heat-size" : `heat heat-${field.step}`}
                    tabIndex={row === now.line && column === now.column ? 0 : -1}
                    onFocus={() => { setAt({ line: row, column }); setPointed(field); }} onPointerEnter={() => setPointed(field)}>
                    <span aria-hidden="true">{short(field.count)}</span><span class="unseen">{spoken(field)}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="overlap-scale faint" aria-hidden="true">
        <span>nobody</span>
        {Array.from({ length: steps + 1 }, (_, step) => <i class={`heat heat-${step}`} key={step} />)}
        <span>all of the smaller one</span>
      </p>
    </>
  );
}

function PairTable({ pairs }: { pairs: readonly Field[] }) {
  const names = [...new Set(pairs.flatMap(({ one, other }) => [one, other]))];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The list of pairs" data-scrolls>
      <table class="ledger ledger-cards overlap-table" aria-labelledby="overlap-title">
        <thead>
          <tr>
            <th scope="col">First</th>
            <th scope="col">Second</th>
            <th scope="col" class="number">In both</th>
            <th scope="col" class="number">Of first</th>
            <th scope="col" class="number">Of second</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map(({ one, other, count, bounds, ofOne, ofOther }) => (
            <tr key={`${one}\n${other}`}>
              <th scope="row"><Name name={one} beside={names} /></th>
              <td data-label="and"><Name name={other} beside={names} /></td>
              <td class="number" data-label="In both">{whole(count)}{bounds !== undefined && <span class="faint bounds">{within(bounds)}</span>}</td>
              <td class="number" data-label="Of first">{percent(ofOne)}</td>
              <td class="number" data-label="Of second">{percent(ofOther)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
