import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useKeys } from "../keys";
import { neighbour } from "../range";

interface Props<R> {
  list: readonly R[];
  /** The key of the one chosen. */
  at: string;
  choose: (range: R) => void;
  /** Further choices. */
  children?: ComponentChildren;
}

export function Ranges<R extends { key: string; label: string }>({ list, at, choose, children }: Props<R>) {
  const group = useRef<HTMLDivElement>(null);

  const move = (by: -1 | 1) => {
    const next = neighbour(list, at, by);
    if (next === null) return;
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
      {list.map((one) => (
        <button type="button" key={one.key} data-range={one.key} class="range" aria-pressed={one.key === at}
          onClick={() => choose(one)}>
          {one.label}
        </button>
      ))}
      {children}
    </div>
  );
}
