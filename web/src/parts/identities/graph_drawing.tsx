import { useMemo } from "preact/hooks";
import { shortName } from "../../format";
import { idText } from "../../identities/address";
import { effects, type Effect } from "../../identities/facts";
import type { Graph, GraphColumn } from "../../identities/graph";

interface Props {
  graph: Graph;
  /** What it is called where it scrolls. */
  name?: string;
  /** What the drawing says to whoever does not see it. */
  spoken: string;
  /** The place of the fact that is pointed at. */
  pointed: number | null;
  point: (place: number | null) => void;
  /** Called with the number of a fact. */
  pick: (number: number) => void;
}

/**
 * The lines of a graph. Places are shares of its size, which the style sheet gives: a narrow page has names above their lines,
 * a wide one beside them.
 */
export function GraphDrawing({ graph: { rows, columns }, name = "The drawing", spoken, pointed, point, pick }: Props) {
  const values = useMemo(() => rows.map(({ id }) => id.idValue), [rows]);
  const x = (place: number) => `${((place + 0.5) / columns.length) * 100}%`;
  const left = (place: number) => `${(place / columns.length) * 100}%`;
  // The first line holds the numbers.
  const y = (place: number) => `${((place + 1.5) / (rows.length + 1)) * 100}%`;
  return (
    <div class="graph" tabIndex={0} role="region" aria-label={name} data-scrolls style={{ "--rows": rows.length + 1, "--columns": columns.length }}>
      <div class="graph-sheet">
        <ul class="graph-names" aria-hidden="true">
          <li class="faint">fact</li>
          {rows.map(({ id, inside }) => (
            <li key={idText(id)} class={inside ? "" : "outside"} title={idText(id)}>
              <span class="faint way">{id.identifier} / {id.idName}</span>
              <span class="graph-name">{shortName(id.idValue, values)}</span>
            </li>
          ))}
        </ul>
        <div class="graph-field" onPointerLeave={() => point(null)}>
          <svg class="graph-lines" width="100%" height="100%" role="img" aria-label={spoken}>
            {pointed !== null && <rect class="graph-pointed" x={left(pointed)} width={`${100 / columns.length}%`} y="0" height="100%" />}
            {rows.map(({ first, last, inside }, place) => (
              <g key={place} class={inside ? "graph-row" : "graph-row outside"}>
                <line class="graph-guide" x1="0" x2="100%" y1={y(place)} y2={y(place)} />
                {first !== null && last !== null && <line x1={x(first)} x2={x(last)} y1={y(place)} y2={y(place)} />}
              </g>
            ))}
            {columns.map((column, place) => (
              <g key={column.fact.fact} class={`graph-fact graph-${column.effect}`} onPointerEnter={() => point(place)} onClick={() => pick(column.number)}>
                <rect class="graph-ground" x={left(place)} width={`${100 / columns.length}%`} y="0" height="100%" />
                <text x={x(place)} y={`${(0.5 / (rows.length + 1)) * 100}%`}>{column.number}</text>
                <Through column={column} x={x(place)} y={y} />
              </g>
            ))}
          </svg>
        </div>
      </div>
    </div>
  );
}

/** A fact: a line from the first to the last id that it names, and on each of them its sign. */
function Through({ column: { effect, rows, others }, x, y }: { column: GraphColumn; x: string; y: (place: number) => string }) {
  const all = [...rows, ...others].sort((one, other) => one - other);
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <>
      {first !== last && <line x1={x} x2={x} y1={y(first)} y2={y(last)} />}
      {rows.map((place) => <Spot key={place} effect={effect} x={x} y={y(place)} other={false} />)}
      {others.map((place) => <Spot key={place} effect={effect} x={x} y={y(place)} other />)}
    </>
  );
}

/** Each effect has a form of its own, besides its colour. The sides of a parting: full and empty. */
function Spot({ effect, x, y, other }: { effect: Effect; x: string; y: string; other: boolean }) {
  const form = other ? "graph-spot empty" : "graph-spot";
  if (effect === "parting") return <svg x={x} y={y} overflow="visible"><rect class={form} x="-4.5" y="-4.5" width="9" height="9" /></svg>;
  if (effect === "decision") return <svg x={x} y={y} overflow="visible"><path class={form} d="M0-5.5 5.5 0 0 5.5-5.5 0z" /></svg>;
  return <circle class={effect === "holds" ? form : "graph-spot empty"} cx={x} cy={y} r="4.5" />;
}

const legend: Record<Effect, string> = { holds: "link", contested: "contested", parting: "parting", decision: "decision", datum: "datum", over: "undone or ended" };

/** What the signs of a drawing stand for, as far as it has them. */
export function GraphLegend({ graph }: { graph: Graph }) {
  const present = effects.filter(({ key }) => graph.columns.some(({ effect }) => effect === key));
  return <p class="legend">{present.map(({ key }) => <span key={key}><Sign effect={key} />{legend[key]}</span>)}</p>;
}

/** The same for the legend. */
function Sign({ effect }: { effect: Effect }) {
  return (
    <svg class={`graph-sign graph-fact graph-${effect}`} width="22" height="14" aria-hidden="true">
      <line x1="1" x2="21" y1="7" y2="7" />
      <Spot effect={effect} x="11" y="7" other={false} />
    </svg>
  );
}
