import { useMemo, useState } from "preact/hooks";
import { percentHeight, percentText } from "../../ads/percent";
import type { Step } from "../../ads/rates";
import { dayStart } from "../../days";
import { dayText } from "../../format";
import { Plot } from "../../plot";
import { day, dayScale } from "../../scale";

const layers = ["rate"] as const;
const scale = { ...dayScale, unit: 1 };
/** Days drawn beyond the last step, so that it is seen to hold. */
const ahead = 30;

/** The rate over time: a step at each day from which another one holds. `today`: up to when it is drawn at least. */
export function RateTimeline({ steps, today, theme }: { steps: readonly Step[]; today: string; theme: string }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const data = useMemo(() => dataOf(steps, today), [steps, today]);
  const at = pointed === null ? undefined : steps[pointed];
  const shown = at ?? steps.findLast((step) => step.day <= today) ?? steps[0];
  return (
    <>
      {shown !== undefined && (
        <p class="readout">
          <span>from {dayText(dayStart(shown.day))}</span>
          <span><b>{percentText(shown.fraction)}</b></span>
        </p>
      )}
      <Plot layers={layers} data={data} scale={scale} theme={theme} point={setPointed} figure={(height) => `${height} %`}
        label={`Step chart of the rate: ${steps.map((step) => `${percentText(step.fraction)} from ${dayText(dayStart(step.day))}`).join(", ")}. `
          + "The table has every change."} />
    </>
  );
}

function dataOf(steps: readonly Step[], today: string): [number[], number[]] {
  const last = steps.at(-1);
  if (last === undefined) return [[], []];
  const end = Math.max(dayStart(today), dayStart(last.day)) + ahead * day;
  return [[...steps.map((step) => dayStart(step.day)), end], [...steps, last].map((step) => percentHeight(step.fraction))];
}
