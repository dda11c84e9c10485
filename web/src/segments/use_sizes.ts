// Sizes over time of the compared segments, asked again every half minute: they are written once a minute at most.

import { useEffect, useState } from "preact/hooks";
import { ask, type No } from "../ask";
import { readSizes, sizesAddress, type Sizes, type Span } from "./sizes";

const rest = 30_000;

export interface AskedSizes {
  /** Of what was asked: names, and over which time. */
  of: string;
  value: readonly Sizes[] | null;
  no: No | null;
}

export function useSizes(names: readonly string[], span: Span): AskedSizes {
  const of = JSON.stringify([names, span.key]);
  const [asked, setAsked] = useState<AskedSizes>({ of: "", value: null, no: null });
  useEffect(() => {
    if (names.length === 0) return;
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const go = async () => {
      if (!document.hidden) {
        const to = Date.now() / 1000;
        const answers = await Promise.all(names.map((name) => ask(sizesAddress(name, to - span.seconds, to), readSizes)));
        if (over) return;
        // A segment that was dropped meanwhile has no line.
        const no = answers.find((one): one is No => one.kind !== "found" && !(one.kind === "refused" && one.status === 404)) ?? null;
        const value = answers.flatMap((one) => (one.kind === "found" ? [one.value] : []));
        setAsked((before) => (no === null ? { of, value, no } : { of, value: before.of === of ? before.value : null, no }));
      }
      timer = setTimeout(go, rest);
    };
    void go();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [of]);
  return asked.of === of ? asked : { of, value: null, no: null };
}
