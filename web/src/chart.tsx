// The stacked area of new and already counted tokens, drawn by uPlot on a canvas.
//
// Steps, not slopes: a bucket's area is what was counted in it, and the height is its rate per second, so that the
// shorter buckets at both ends of the window do not look like a drop.

import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { axisFigure, clock, roof, whole } from "./format";
import { total, type Bucket } from "./history";
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

  useEffect(() => {
    const place = frame.current;
    if (place === null) return;
    const chart = new uPlot(options(place, (index) => setPointed(index)), seriesOf(rows), place);
    plot.current = chart;
    const resize = new ResizeObserver(() => chart.setSize(sizeOf(place)));
    resize.observe(place);
    return () => {
      resize.disconnect();
      chart.destroy();
      plot.current = null;
    };
  }, [theme]);

  useEffect(() => {
    plot.current?.setData(seriesOf(rows));
  }, [rows]);

  const row = (pointed === null ? undefined : rows[pointed]) ?? rows.at(-1);
  const sum = total(rows);
  const highest = Math.max(0, ...rows.map((one) => one.put / one.seconds));
  return (
    <>
      {row !== undefined && <Readout row={row} range={range} />}
      <div class="chart" ref={frame} role="img"
        aria-label={`Area chart of the ${range.spoken}: ${whole(sum.put)} tokens put, ${whole(sum.fresh)} new and `
          + `${whole(sum.already)} already counted; at most ${axisFigure(highest)} a second. The table holds its rows.`} />
    </>
  );
}

/** The row under the pointer, or the newest, in full. */
function Readout({ row, range }: { row: Bucket; range: Range }) {
  const last = row.from + row.seconds - 1;
  return (
    <p class="readout">
      <span>
        {clock(row.from)}{last > row.from && ` to ${clock(last)}`}
        {range.width > 1 && ` · one step is the average of ${range.step === "minute" ? "a minute" : range.step}`}
      </span>
      <span>
        <b>{whole(row.put)}</b> put = <b class="counted">{whole(row.fresh)}</b> new + <b>{whole(row.already)}</b> already counted
      </span>
    </p>
  );
}

/** Times, rates of all, rates of the new. The last rate stands twice: a step needs its end. */
function seriesOf(rows: readonly Bucket[]): uPlot.AlignedData {
  const last = rows.at(-1);
  const ends = last === undefined ? [] : [last.from + last.seconds];
  const steps = last === undefined ? rows : [...rows, last];
  return [
    [...rows.map((row) => row.from), ...ends],
    steps.map((row) => row.put / row.seconds),
    steps.map((row) => row.fresh / row.seconds),
  ];
}

function sizeOf(place: HTMLElement): { width: number; height: number } {
  return { width: Math.max(place.clientWidth, 120), height: place.clientHeight };
}

function options(place: HTMLElement, point: (index: number | null) => void): uPlot.Options {
  const style = getComputedStyle(place);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const font = `12px ${style.fontFamily}`;
  const axis: uPlot.Axis = { stroke: colour("--ink-3"), font, ticks: { show: false } };
  const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
  for (let unit = 1; unit <= 1e9; unit *= 10) steps.push(unit, 2 * unit, 5 * unit);
  const paths = uPlot.paths.stepped?.({ align: 1 });
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
      { stroke: colour("--ink-3"), width: 1.25, points: { show: false }, ...(paths && { paths }) },
      { stroke: colour("--teal"), fill: colour("--chart-new"), width: 1.5, points: { show: false }, ...(paths && { paths }) },
    ],
    bands: [{ series: [1, 2], fill: colour("--chart-already") }],
    hooks: {
      setCursor: [(chart) => point(chart.cursor.left !== undefined && chart.cursor.left >= 0 ? chart.cursor.idx ?? null : null)],
    },
  };
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
