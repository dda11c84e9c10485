import { useRef } from "preact/hooks";
import { useKeys } from "../keys";
import { neighbour, ranges, type Range } from "../range";

interface Props {
  range: Range;
  choose: (range: Range) => void;
}

export function Ranges({ range, choose }: Props) {
  const group = useRef<HTMLDivElement>(null);

  const move = (by: -1 | 1) => {
    const next = neighbour(range, by);
    choose(next);
    // Focus goes along when it stands on a range; elsewhere it stays where it is.
    if (group.current?.contains(document.activeElement) === true) {
      group.current.querySelector<HTMLElement>(`[data-range="${next.key}"]`)?.focus();
    }
  };
  useKeys([
    { keys: "ArrowLeft", does: "Shorter range", run: () => move(-1) },
    { keys: "ArrowRight", does: "Longer range", run: () => move(1) },
  ]);

  return (
    <div class="ranges" role="group" aria-label="Range" ref={group}>
      {ranges.map((one) => (
        <button type="button" key={one.key} data-range={one.key} class="range" aria-pressed={one === range}
          onClick={() => choose(one)}>
          {one.label}
        </button>
      ))}
    </div>
  );
}
