// What some segments share, asked again and again: members and profiles change at any time, and nobody tells the page.

import { useEffect, useState } from "preact/hooks";
import { ask, isForbidden, type Asked } from "../ask";
import { after } from "../use_watched";
import { combinedMost, overlapPath } from "./address";
import { readOverlap, type Overlap } from "./answers";

/** Milliseconds between an answer and the next question; a slow server is left in peace ten times as long as it took. */
const rest = { least: 2000, times: 10, failed: 5000 };

/** Of fewer than two nothing is asked. At once when `news` is another one. What stands is never of other segments. */
export function useOverlap(names: readonly string[], news: unknown = null): Asked<Overlap> {
  const body = names.length < 2 ? null : JSON.stringify({ segments: names, ...(names.length <= combinedMost && { combinations: true }) });
  const [asked, setAsked] = useState<Asked<Overlap>>({ address: null, value: null, no: null });
  useEffect(() => {
    if (body === null) return;
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const go = async () => {
      if (document.hidden) {
        timer = setTimeout(go, rest.least);
        return;
      }
      const begun = performance.now();
      const answer = await ask(overlapPath, readOverlap, fetch, {
        method: "POST", body, headers: { Accept: "application/json", "Content-Type": "application/json" },
      });
      if (over) return;
      setAsked((before) => after(before, body, answer));
      const found = answer.kind === "found";
      if (!found && isForbidden(answer)) return;
      timer = setTimeout(go, found ? Math.max(rest.least, rest.times * (performance.now() - begun)) : rest.failed);
    };
    void go();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [body, news]);
  return asked.address === body ? asked : { address: body, value: null, no: null };
}
