// Figures over time, drawn by uPlot on a canvas as steps: layers one over the other, the highest first.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Tone } from "./account";
import { axisFigure, roof } from "./format";
import type { Scale } from "./scale";

interface Props {
  /** As they are drawn: a layer stands before the one named earlier. */
  layers: readonly Tone[];
  /** Times, then each layer's heights. The last one is the end of the last step. */
  data: uPlot.AlignedData;
  scale: Scale;
  /** Colours are read from the style sheet when the plot is made; another theme makes another one. */
  theme: string;
  /** All of it in words. */
  label: string;
  /** Which step the pointer is in. */
  point: (index: number | null) => void;
  /** A height beside the axis. */
  figure?: (height: number) => string;
}

export function Plot({ layers, data, scale, theme, label, point, figure = axisFigure }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef({ scale, point });
  latest.current = { scale, point };

  useEffect(() => {
    const place = frame.current;
    if (place === null) return;
    const chart = new uPlot(
      options(place, layers, figure, () => latest.current.scale, (index) => latest.current.point(index)), data, place);
    plot.current = chart;
    const resize = new ResizeObserver(() => chart.setSize(sizeOf(place)));
    resize.observe(place);
    return () => {
      resize.disconnect();
      chart.destroy();
      plot.current = null;
    };
  }, [theme, layers.join(), scale.unit]);

  useEffect(() => {
    plot.current?.setData(data);
  }, [data]);

  return <div class="chart" ref={frame} role="img" aria-label={label} />;
}

function sizeOf(place: HTMLElement): { width: number; height: number } {
  return { width: Math.max(place.clientWidth, 120), height: place.clientHeight };
}

/** `latest`: the scale of the rows that are drawn; of all of them the unit is the same. */
function options(
  place: HTMLElement, layers: readonly Tone[], figure: (height: number) => string, latest: () => Scale,
  point: (index: number | null) => void,
): uPlot.Options {
  const scale = latest();
  const style = getComputedStyle(place);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const font = `12px ${style.fontFamily}`;
  const axis: uPlot.Axis = { stroke: colour("--ink-3"), font, ticks: { show: false } };
  const paths = uPlot.paths.stepped?.({ align: 1 });
  return {
    ...sizeOf(place),
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false }, dataIdx: containing },
    scales: {
      x: { time: false, range: (_, min, max) => [...latest().extent ?? [min, max]] },
      y: { range: (_, min, max) => [min < 0 ? -roof(-min) : 0, max > 0 || min >= 0 ? roof(max) : 0] },
    },
    axes: [
      {
        ...axis, grid: { show: false }, size: 24, gap: 8, space: scale.space, incrs: scale.distances,
        ...(scale.ticks && { splits: (_, __, ___, ____, step) => latest().ticks?.(step) ?? [] }),
        values: (chart, times, _, __, step) => times.map((time) => (fits(chart, time) ? latest().tick(time, step) : null)),
      },
      {
        ...axis, grid: { stroke: colour("--line"), width: 1 }, size: 48, gap: 8, space: 36,
        // Of days there are whole events only; a second's average, or an amount, may be less than one.
        incrs: heights.filter((one) => scale.unit === 1 || one >= 1),
        values: (_, figures) => figures.map(figure),
      },
    ],
    series: [{}, ...layers.map((tone): uPlot.Series => seriesOf(tone, colour, paths))],
    hooks: {
      setCursor: [(chart) => point(chart.cursor.left !== undefined && chart.cursor.left >= 0 ? chart.cursor.idx ?? null : null)],
    },
  };
}

const heights = Array.from({ length: 16 }, (_, i) => 10 ** (i - 6)).flatMap((unit) => [unit, 2 * unit, 5 * unit]);

/** Names of the style sheet's colours; "hatched" is no colour, and without a fill only the line is drawn. */
const looks: Record<Tone, { line: string; fill: string | null }> = {
  counted: { line: "--teal", fill: "--chart-counted" },
  plain: { line: "--ink-3", fill: "--chart-plain" },
  unsure: { line: "--ink-3", fill: "hatched" },
  rate: { line: "--gold", fill: null },
  "refused-1": { line: "--brick", fill: "--chart-refused-1" },
  "refused-2": { line: "--brick", fill: "--chart-refused-2" },
  "refused-3": { line: "--brick", fill: "--chart-refused-3" },
  "refused-4": { line: "--brick", fill: "--chart-refused-4" },
};

function seriesOf(tone: Tone, colour: (name: string) => string, paths: uPlot.Series.PathBuilder | undefined): uPlot.Series {
  const { line, fill } = looks[tone];
  const series: uPlot.Series = { points: { show: false }, ...(paths && { paths }), stroke: colour(line), width: 1.25 };
  if (fill === "hatched") return { ...series, fill: (chart) => hatching(chart, colour(line)) };
  if (fill !== null) return { ...series, fill: colour(fill), width: tone === "counted" ? 1.5 : 1.25 };
  // A line without a ground is thicker, and where it changes stands a point.
  return {
    ...series, width: 2,
    points: { show: true, size: 9, width: 2, stroke: colour(line), fill: colour("--panel"), filter: changes },
  };
}

/** All but the last place, which is only the end of the last step. */
function changes(chart: uPlot): number[] {
  return Array.from({ length: chart.data[0].length - 1 }, (_, i) => i);
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

/** The step the pointer is in, where uPlot would take the one whose beginning is nearest. */
function containing(chart: uPlot, _series: number, nearest: number, at: number): number {
  const begin = chart.data[0][nearest];
  return begin !== undefined && begin > at && nearest > 0 ? nearest - 1 : nearest;
}
