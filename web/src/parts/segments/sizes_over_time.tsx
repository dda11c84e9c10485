import { csvOf, download, nameCell } from "../../csv";
import { shortName, timestamp, whole, wholeOrNone } from "../../format";
import type { Segment } from "../../segments/answers";
import { changeText, lineOf, pointsOf, spans, type Line, type Span } from "../../segments/sizes";
import { useSizes } from "../../segments/use_sizes";
import { Moment } from "../identities/moment";
import { Name } from "../name";
import { Problem } from "../problem";

interface Props {
  names: readonly string[];
  /** As they are now. */
  segments: readonly Segment[];
  span: Span;
  choose: (span: Span) => void;
  tables: { asTable: boolean; toggle: () => void };
}

const [width, height] = [240, 30];

/** A line for each of the compared segments: how many people it was. */
export function SizesOverTime({ names, segments, span, choose, tables: { asTable, toggle } }: Props) {
  const { value, no } = useSizes(names, span);
  if (names.length === 0) return null;
  const lines = (value ?? []).map((one) => lineOf(one, segments.find(({ name }) => name === one.name)?.people ?? null));
  const [from, to] = [value?.[0]?.from ?? 0, value?.[0]?.to ?? 1];
  const rows = lines.flatMap(({ name, rows }) => rows.map(({ at, people }) => ({ name, at, people })));
  const save = () => download(`footfall-segments-sizes-${span.key}.csv`, csvOf([
    { name: "segment", of: ({ name }) => nameCell(name) }, { name: "from", of: ({ at }) => timestamp(Math.floor(at)) }, { name: "people", of: ({ people }) => people },
  ], rows));
  return (
    <section class="panel sizes" aria-labelledby="sizes-title" data-series="sizes">
      <header class="panel-head">
        <h2 id="sizes-title">People over time</h2>
        <div class="ranges" role="group" aria-label="Over which time">
          {spans.map((one) => (
            <button type="button" class="range" key={one.key} aria-pressed={one.key === span.key} onClick={() => choose(one)}>{one.label}</button>
          ))}
        </div>
        <div class="tools">
          <button type="button" class="button" aria-pressed={asTable} onClick={toggle}>Table <kbd>t</kbd></button>
          <button type="button" class="button" onClick={save} disabled={rows.length === 0}>CSV</button>
        </div>
      </header>
      {no !== null && value === null && <Problem no={no} />}
      {value === null && no === null && <p class="faint" role="status">Waiting for the server.</p>}
      {lines.length > 0 && (
        <table class="ledger sizes-lines" aria-labelledby="sizes-title">
          <thead>
            <tr>
              <th scope="col">Segment</th>
              {!asTable && <th scope="col"><span class="sizes-ends"><span>{span.ago}</span><span>now</span></span></th>}
              {asTable && <th scope="col" class="number">{span.ago}</th>}
              {asTable && <th scope="col" class="number">Lowest</th>}
              {asTable && <th scope="col" class="number">Highest</th>}
              <th scope="col" class="number">Now</th>
              <th scope="col" class="number">Change</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => <SizeRow key={line.name} line={line} names={names} from={from} to={to} span={span} asTable={asTable} />)}
          </tbody>
        </table>
      )}
      {lines.length > 0 && <p class="faint foot">Written once a minute at most, where it changed. Each line has a height of its own, from its lowest to its highest.</p>}
    </section>
  );
}

interface RowProps {
  line: Line;
  names: readonly string[];
  from: number;
  to: number;
  span: Span;
  asTable: boolean;
}

function SizeRow({ line, names, from, to, span, asTable }: RowProps) {
  const { name, first, now, least, most, since } = line;
  const known = since <= from;
  const spoken = `${shortName(name, names)}: ${wholeOrNone(now)} people now, ${wholeOrNone(first)} ${known ? span.ago : "when it was counted first"}, between ${whole(least)} and ${whole(most)}`;
  return (
    <tr data-sizes={name}>
      <th scope="row"><Name name={name} beside={names} /></th>
      {!asTable && (
        <td class="sizes-line">
          {line.rows.length === 0 ? <span class="faint">written within a minute</span> : <svg viewBox={`-2 -3 ${width + 4} ${height + 6}`} preserveAspectRatio="none" role="img" aria-label={spoken}>
            <polyline points={pointsOf(line, from, to, width, height)} vector-effect="non-scaling-stroke" />
          </svg>}
        </td>
      )}
      {asTable && <td class="number" data-label={span.ago}>{known ? wholeOrNone(first) : <>{wholeOrNone(first)} <span class="faint">since <Moment at={since} /></span></>}</td>}
      {asTable && <td class="number" data-label="lowest">{whole(least)}</td>}
      {asTable && <td class="number" data-label="highest">{whole(most)}</td>}
      <td class="number" data-label="now">{wholeOrNone(now)}</td>
      <td class="number" data-label="change">{changeText(first, now)}</td>
    </tr>
  );
}
