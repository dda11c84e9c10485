// The keyboard: what is on the page says which keys it answers to, and the list of keys (`?`) shows just those.

import { useEffect, useRef } from "preact/hooks";
import { remember, remembered } from "./preferences";

export interface Binding {
  /** One key as the browser names it, or two one after the other: "t", "ArrowLeft", "g o". */
  keys: string;
  does: string;
  run: () => void;
}

const groups: (readonly Binding[])[] = [];

/** How long the second key of a pair may take. */
const pairWithin = 1500;

/** All that answers now. Frames register after what they hold, and are listed first. */
export function bindings(): Binding[] {
  return [...groups].reverse().flat();
}

/** Answers to these keys for as long as the component is on the page. */
export function useKeys(list: readonly Binding[]): void {
  const latest = useRef(list);
  latest.current = list;
  useEffect(() => {
    // Registered once; `run` reaches through to the newest rendering, so its state is never old.
    const group = list.map((binding, i) => ({ ...binding, run: () => latest.current[i]?.run() }));
    groups.push(group);
    return () => {
      groups.splice(groups.indexOf(group), 1);
    };
  }, []);
}

/** What a key means after the one before it: something to do, the first half of a pair, or nothing. */
export function match(list: readonly Binding[], before: string | null, key: string): Binding | "begun" | null {
  if (before !== null) {
    const pair = list.find((binding) => binding.keys === `${before} ${key}`);
    if (pair !== undefined) return pair;
  }
  const single = list.find((binding) => binding.keys === key);
  if (single !== undefined) return single;
  return list.some((binding) => binding.keys.startsWith(`${key} `)) ? "begun" : null;
}

// Speech input and stuck fingers make single letters a hazard for some (WCAG 2.1.4), so they can be turned off.
export const letterKeys = {
  on: (): boolean => remembered("letter-keys") !== "off",
  set: (on: boolean): void => remember("letter-keys", on ? null : "off"),
};

/** Listens for as long as the page lives. */
export function listenForKeys(): void {
  let before: { key: string; at: number } | null = null;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (typesText(event.target) || document.querySelector("dialog[open]") !== null) return;
    if (event.key.length === 1 && !letterKeys.on()) return;
    if (event.key.startsWith("Arrow") && scrollsSideways(event.target)) return;

    const first = before !== null && event.timeStamp - before.at < pairWithin ? before.key : null;
    const found = match(bindings(), first, event.key);
    before = found === "begun" ? { key: event.key, at: event.timeStamp } : null;
    if (found === null || found === "begun") return;
    event.preventDefault();
    found.run();
  });
}

function typesText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

function scrollsSideways(target: EventTarget | null): boolean {
  const area = target instanceof HTMLElement ? target.closest("[data-scrolls]") : null;
  return area !== null && area.scrollWidth > area.clientWidth;
}
