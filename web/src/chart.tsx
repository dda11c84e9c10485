// An account over time, drawn by uPlot on a canvas: its parts as stacked areas, from the ground up.
//
// Steps, not slopes: a row's area is what was counted in it, and the height is its rate, so that the shorter rows at both
// ends of a window do not look like a drop.

import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { partsShown, sumText, zeroOf, type Account, type Part, type Tone } from "./account";
import { axisFigure, roof } from "./format";
import { total, type Row } from "./history";
import { Sum } from "./parts/sum";
import type { Scale } from "./scale";

interface Props<P extends string> {
  account: Account<P>;
  rows: readonly Row<P>[];
  scale: Scale;
  /** The stretch of time in words: "last hour". */
  spoken: string;
  /** Colours are read from the style sheet when the chart is made; another theme makes another chart. */
  theme: string;
}

export function Chart<P extends string>({ account, rows, scale, spoken, theme }: Props<P>) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const sum = total(zeroOf(account), rows);
  const parts = partsShown(account, sum);
  const drawing = parts.map((part) => `${part.key} ${part.tone}`).join();
  const latest = useRef(scale);
  latest.current = scale;

  useEffect(() => {
    const place = frame.current;
    if (place === null) return;
    const chart = new uPlot(options(place, parts, () => latest.current, (index) => setPointed(index)), seriesOf(parts, rows, scale), place);
    plot.current = chart;
    const resize = new ResizeObserver(() => chart.setSize(sizeOf(place)));
    resize.observe(place);
    return () => {
      resize.disconnect();
      chart.destroy();
      plot.current = null;
    };
  }, [theme, drawing, scale.unit]);

  useEffect(() => {
    plot.current?.setData(seriesOf(parts, rows, scale));
  }, [rows]);

  const row = (pointed === null ? undefined : rows[pointed]) ?? rows.at(-1);
  const highest = Math.max(0, ...rows.map((one) => height(one.all, one, scale)));
  return (
    <>
      {row !== undefined && (
        <p class="readout">
          <span>{[scale.name(row), scale.step(row)].filter((words) => words !== null).join(" · ")}</span>
          <span><Sum account={account} of={row} like={sum} /></span>
        </p>
      )}
      <div class="chart" ref={frame} role="img"
        aria-label={`Area chart, ${spoken}: ${sumText(account, sum)}; at most ${axisFigure(highest)} ${scale.per}. `
          + "The table holds its rows."} />
    </>
  );
}

function height(amount: number, row: Row, scale: Scale): number {
  return (amount * scale.unit) / row.seconds;
}

/** Times, then the sums of all parts, of all but the topmost, and so on: each is drawn over the one before. The last row stands twice: a step needs its end. */
function seriesOf<P extends string>(parts: readonly Part<P>[], rows: readonly Row<P>[], scale: Scale): uPlot.AlignedData {
  const last = rows.at(-1);
  const ends = last === undefined ? [] : [last.from + last.seconds];
  const steps = last === undefined ? rows : [...rows, last];
  const sums = parts.map((_, top) => steps.map((row) => (
    height(parts.slice(0, top + 1).reduce((sum, part) => sum + row.parts[part.key], 0), row, scale))));
  return [[...rows.map((row) => row.from), ...ends], ...sums.reverse()];
}

function sizeOf(place: HTMLElement): { width: number; height: number } {
  return { width: Math.max(place.clientWidth, 120), height: place.clientHeight };
}

/** `latest`: the scale of the rows that are drawn; of all of them the unit is the same. */
function options(
  place: HTMLElement, parts: readonly Part[], latest: () => Scale, point: (index: number | null) => void,
): uPlot.Options {
  const scale = latest();
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
      x: { time: false, range: (_, min, max) => [...latest().extent ?? [min, max]] },
      y: { range: (_, __, max) => [0, roof(max)] },
    },
    axes: [
      {
        ...axis, grid: { show: false }, size: 24, gap: 8, space: scale.space, incrs: scale.distances,
        ...(scale.ticks && { splits: (_, __, ___, ____, step) => latest().ticks?.(step) ?? [] }),
        values: (chart, times, _, __, step) => times.map((time) => (fits(chart, time) ? latest().tick(time, step) : null)),
      },
      {
        ...axis, grid: { stroke: colour("--line"), width: 1 }, size: 48, gap: 8, space: 36,
        // Of days there are whole events only; a second's average may be less than one.
        incrs: scale.unit > 1 ? steps.filter((one) => one >= 1) : steps,
        values: (_, figures) => figures.map(axisFigure),
      },
    ],
    series: [
      {},
      ...[...parts].reverse().map(({ tone }): uPlot.Series => ({
        points: { show: false }, ...(paths && { paths }),
        stroke: colour(looks[tone].line), width: tone === "counted" ? 1.5 : 1.25,
        fill: looks[tone].fill === null ? (chart) => hatching(chart, colour(looks[tone].line)) : colour(looks[tone].fill ?? ""),
      })),
    ],
    hooks: {
      setCursor: [(chart) => point(chart.cursor.left !== undefined && chart.cursor.left >= 0 ? chart.cursor.idx ?? null : null)],
    },
  };
}

/** Names of the style sheet's colours; without a fill it is hatched. */
const looks: Record<Tone, { line: string; fill: string | null }> = {
  counted: { line: "--teal", fill: "--chart-counted" },
  plain: { line: "--ink-3", fill: "--chart-plain" },
  unsure: { line: "--ink-3", fill: null },
  "refused-1": { line: "--brick", fill: "--chart-refused-1" },
  "refused-2": { line: "--brick", fill: "--chart-refused-2" },
  "refused-3": { line: "--brick", fill: "--chart-refused-3" },
  "refused-4": { line: "--brick", fill: "--chart-refused-4" },
};

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
