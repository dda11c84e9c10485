// The stacked area of new and already counted tokens, drawn by uPlot on a canvas. Where objects are above their
// counter's limit, a hatched part on top stands for the tokens that may be either.
//
// Steps, not slopes: a bucket's area is what was counted in it, and the height is its rate per second, so that the
// shorter buckets at both ends of the window do not look like a drop.

import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { axisFigure, clock, roof, whole } from "./format";
import { total, type Bucket } from "./history";
import { Sum } from "./parts/sum";
import type { Range } from "./range";

interface Props {
  rows: readonly Bucket[];
  /** Colours are read from the style sheet when the chart is made; another theme makes another chart. */
  theme: string;
  range: Range;
}

export function Chart({ rows, theme, range }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const sum = total(rows);
  const withUnsure = sum.unsure > 0;

  useEffect(() => {
    const place = frame.current;
    if (place === null) return;
    const chart = new uPlot(options(place, withUnsure, (index) => setPointed(index)), seriesOf(rows), place);
    plot.current = chart;
    const resize = new ResizeObserver(() => chart.setSize(sizeOf(place)));
    resize.observe(place);
    return () => {
      resize.disconnect();
      chart.destroy();
      plot.current = null;
    };
  }, [theme, withUnsure]);

  useEffect(() => {
    plot.current?.setData(seriesOf(rows));
  }, [rows]);

  const row = (pointed === null ? undefined : rows[pointed]) ?? rows.at(-1);
  const highest = Math.max(0, ...rows.map((one) => one.put / one.seconds));
  return (
    <>
      {row !== undefined && <Readout row={row} range={range} withUnsure={withUnsure} />}
      <div class="chart" ref={frame} role="img"
        aria-label={`Area chart of the ${range.spoken}: ${whole(sum.put)} tokens put, ${whole(sum.fresh)} new and `
          + `${whole(sum.already)} already counted${withUnsure ? `, ${whole(sum.unsure)} above a limit` : ""}; `
          + `at most ${axisFigure(highest)} a second. The table holds its rows.`} />
    </>
  );
}

/** The row under the pointer, or the newest, in full. */
function Readout({ row, range, withUnsure }: { row: Bucket; range: Range; withUnsure: boolean }) {
  const last = row.from + row.seconds - 1;
  return (
    <p class="readout">
      <span>
        {clock(row.from)}{last > row.from && ` to ${clock(last)}`}
        {range.width > 1 && ` · one step is the average of ${range.step === "minute" ? "a minute" : range.step}`}
      </span>
      <span><Sum of={row} withUnsure={withUnsure} /></span>
    </p>
  );
}

/** Times, rates of all, of all that is certain, of the new: each is drawn over the one before. The last rate stands twice: a step needs its end. */
function seriesOf(rows: readonly Bucket[]): uPlot.AlignedData {
  const last = rows.at(-1);
  const ends = last === undefined ? [] : [last.from + last.seconds];
  const steps = last === undefined ? rows : [...rows, last];
  return [
    [...rows.map((row) => row.from), ...ends],
    steps.map((row) => row.put / row.seconds),
    steps.map((row) => (row.fresh + row.already) / row.seconds),
    steps.map((row) => row.fresh / row.seconds),
  ];
}

function sizeOf(place: HTMLElement): { width: number; height: number } {
  return { width: Math.max(place.clientWidth, 120), height: place.clientHeight };
}

function options(place: HTMLElement, withUnsure: boolean, point: (index: number | null) => void): uPlot.Options {
  const style = getComputedStyle(place);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const font = `12px ${style.fontFamily}`;
  const axis: uPlot.Axis = { stroke: colour("--ink-3"), font, ticks: { show: false } };
  const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
  for (let unit = 1; unit <= 1e9; unit *= 10) steps.push(unit, 2 * unit, 5 * unit);
  const paths = uPlot.paths.stepped?.({ align: 1 });
  const area: uPlot.Series = { points: { show: false }, ...(paths && { paths }) };
  return {
    ...sizeOf(place),
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false }, dataIdx: containing },
    scales: {
      x: { time: false, range: (_, min, max) => [min, max] },
      y: { range: (_, __, max) => [0, roof(max)] },
    },
    axes: [
      {
        ...axis, grid: { show: false }, size: 24, gap: 8, space: 72, incrs: [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800],
        values: (chart, times, _, __, step) => times.map((time) => (
          fits(chart, time) ? clock(time, step < 60 ? "second" : "minute") : null)),
      },
      {
        ...axis, grid: { stroke: colour("--line"), width: 1 }, size: 48, gap: 8, space: 36, incrs: steps,
        values: (_, figures) => figures.map(axisFigure),
      },
    ],
    series: [
      {},
      // Hidden where it would only draw the next one's line again.
      { ...area, stroke: colour("--ink-3"), fill: (chart) => hatching(chart, colour("--ink-3")), width: 1.25, show: withUnsure },
      { ...area, stroke: colour("--ink-3"), fill: colour("--chart-already"), width: 1.25 },
      { ...area, stroke: colour("--teal"), fill: colour("--chart-new"), width: 1.5 },
    ],
    hooks: {
      setCursor: [(chart) => point(chart.cursor.left !== undefined && chart.cursor.left >= 0 ? chart.cursor.idx ?? null : null)],
    },
  };
}

/** Thin lines on the bare panel: neither of the two tones, for nobody knows which of them it is. */
function hatching(chart: uPlot, ink: string): CanvasPattern | string {
  const tile = document.createElement("canvas");
  const side = Math.round(6 * devicePixelRatio);
  tile.width = tile.height = side;
  const pen = tile.getContext("2d");
  if (pen === null) return "transparent";
  pen.strokeStyle = ink;
  pen.globalAlpha = 0.55;
  pen.lineWidth = devicePixelRatio;
  // Beyond the corners too, so that the lines meet those of the tiles beside it.
  for (const shift of [-side, 0, side]) {
    pen.moveTo(shift - 1, side + 1);
    pen.lineTo(shift + side + 1, -1);
  }
  pen.stroke();
  return chart.ctx.createPattern(tile, "repeat") ?? "transparent";
}

/** A time too near the edge would be cut off; it is left out instead. */
function fits(chart: uPlot, time: number): boolean {
  const at = chart.valToPos(time, "x");
  return at >= 0 && at <= chart.bbox.width / devicePixelRatio - 22;
}

/** The bucket the pointer is in, where uPlot would take the one whose beginning is nearest. */
function containing(chart: uPlot, _series: number, nearest: number, at: number): number {
  const begin = chart.data[0][nearest];
  return begin !== undefined && begin > at && nearest > 0 ? nearest - 1 : nearest;
}
