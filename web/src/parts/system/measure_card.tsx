import { useMemo, useState } from "preact/hooks";
import type uPlot from "uplot";
import { useAsked, type Asked } from "../../ask";
import { Plot } from "../../plot";
import { lineAddress, type Span } from "../../system/address";
import { extentOf, newest, readLines, type Lines, type Point } from "../../system/answers";
import type { Measure } from "../../system/measures";
import { aheadOf, spanScale } from "../../system/scale";
import { figureOf, figureText, measuredIn } from "../../system/units";
import { Trouble } from "../trouble";
import { Figures } from "./figures_link";

interface Props {
  measure: Measure;
  server: string;
  span: Span;
  /** Of the last minute. Null: not known yet. */
  now: Lines | null;
  /** Another one when there may be another step to see. */
  news: string;
  asTable: boolean;
  theme: string;
}

/** One figure of a server: what it is now, and its line. It is not there where its server does not know such a figure. */
export function MeasureCard({ measure, server, span, now, news, asTable, theme }: Props) {
  const asked = useAsked(lineAddress(server, [measure], span), readLines, news, 1000);
  const { key, title, unit, says } = measure;
  const points = asked.value?.[key] ?? [];
  const value = newest(unit, now?.[key]);
  const isRefused = asked.value === null && asked.no !== null;
  if (now !== null && value === null && extentOf(points) === null && !isRefused) return null;
  const figure = value === null ? null : figureOf(unit, value);
  return (
    <section class="panel measure" aria-labelledby={`measure-${key}`} data-series={key}>
      <header class="measure-head">
        <h2 id={`measure-${key}`}>{title}</h2>
        <Figures title={title} address={(format) => lineAddress(server, [measure], span, format)} />
      </header>
      <p class="measure-now">
        <span class={measure.tone.startsWith("refused") && value !== null && value > 0 ? "value refused" : "value"}>{figure?.text ?? "–"}</span>
        {figure !== null && figure.name !== "" && <> <span class="measure-unit">{figure.name}</span></>}
      </p>
      <p class="note">{says}</p>
      <Drawn measure={measure} asked={asked} points={points} span={span} asTable={asTable} theme={theme} />
    </section>
  );
}

interface DrawnProps extends Pick<Props, "measure" | "span" | "asTable" | "theme"> {
  asked: Asked<Lines>;
  points: readonly Point[];
}

function Drawn({ measure, asked, points, span, asTable, theme }: DrawnProps) {
  const extent = extentOf(points);
  if (asked.value === null) {
    return asked.no === null ? <p class="faint measure-none" role="status">Waiting for the server.</p> : <Trouble of={asked} />;
  }
  if (extent === null) return <p class="faint measure-none">Nothing was kept in the {span.spoken}.</p>;
  return asTable ? <Table measure={measure} points={points} span={span} /> : <Line measure={measure} points={points} span={span} theme={theme} />;
}

function Line({ measure: { unit, tone, title, drawn }, points, span, theme }: Pick<Props, "measure" | "span" | "theme"> & { points: readonly Point[] }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const { least, most } = extentOf(points) ?? { least: 0, most: 0 };
  const measured = measuredIn(unit, most);
  const data = useMemo(() => dataOf(points, span.step, measured.by), [points, measured.by]);
  const scale = scaleOf(points, span);
  const at = pointed === null ? undefined : points[pointed];
  return (
    <>
      <Plot layers={[tone]} data={data} scale={scale} theme={theme} point={setPointed}
        label={`Area chart of ${title}, ${span.spoken}: from ${figureText(unit, least)} to ${figureText(unit, most)}. The table holds its steps.`} />
      <p class="faint measure-foot">
        {at === undefined || at.value === null
          ? <><span>{["bytes", "seconds"].includes(unit) && `in ${measured.name}`}</span><span>{drawn === "min" ? "at least" : "at most"} {figureText(unit, drawn === "min" ? least : most)}</span></>
          : <><span>{scale.name({ from: at.at, seconds: span.step })}</span><b>{figureText(unit, at.value)}</b></>}
      </p>
    </>
  );
}

const columns = { avg: "Average", max: "Highest", min: "Lowest", last: "Last" } as const;

function Table({ measure: { unit, title, drawn }, points, span }: Pick<Props, "measure" | "span"> & { points: readonly Point[] }) {
  const scale = scaleOf(points, span);
  return (
    <div class="series-table" tabIndex={0} role="region" aria-label={`${title}, as a table`} data-scrolls>
      <table class="ledger ledger-numbers">
        <thead><tr><th scope="col">{scale.column}</th><th scope="col" class="number">{columns[drawn]}</th></tr></thead>
        <tbody>
          {points.filter(({ value }) => value !== null).reverse().map(({ at, value }) => (
            <tr key={at}><th scope="row">{scale.name({ from: at, seconds: span.step })}</th><td class="number">{figureText(unit, value ?? 0)}</td></tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function scaleOf(points: readonly Point[], span: Span) {
  const end = (points.at(-1)?.at ?? 0) + span.step;
  return spanScale(span, points[0]?.at ?? 0, end, aheadOf(end));
}

/** The last value stands twice: a step needs its end. */
function dataOf(points: readonly Point[], step: number, by: number): uPlot.AlignedData {
  const heights = points.map(({ value }) => (value === null ? null : value / by));
  const end = (points.at(-1)?.at ?? 0) + step;
  return [[...points.map(({ at }) => at), end], [...heights, heights.at(-1) ?? null]];
}
