// What others change at any time, and what nobody tells the page: asked for again and again.

import { useEffect, useState } from "preact/hooks";
import { ask, isForbidden, type Answer, type Asked, type Reader } from "./ask";

/** Milliseconds between an answer and the next question: what was taken back stands for less than a second. */
const rest = 400;
/** A slow server is left in peace three times as long as it took; one that says no, or is away, for longer. */
const restOf = { found: 3, failed: 3000 };

/**
 * Asks for `address` as long as the page is looked at, and at once when `changed` is another one: an answer to a question from
 * before then is not shown any more. What stands is never somebody else's. While the server says the same, the value is the same.
 */
export function useWatched<T>(address: string | null, read: Reader<T>, changed: unknown = null): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ address: null, value: null, no: null });
  useEffect(() => {
    if (address === null) return;
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const go = async () => {
      if (document.hidden) {
        timer = setTimeout(go, rest);
        return;
      }
      const begun = performance.now();
      const answer = await ask(address, read);
      if (over) return;
      const found = answer.kind === "found";
      setAsked((before) => after(before, address, answer));
      if (!found && isForbidden(answer)) return;
      timer = setTimeout(go, found ? Math.max(rest, restOf.found * (performance.now() - begun)) : restOf.failed);
    };
    void go();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [address, changed]);
  return asked.address === address ? asked : { address, value: null, no: null };
}

/** What stands after an answer. */
export function after<T>(before: Asked<T>, address: string, answer: Answer<T>): Asked<T> {
  const known = before.address === address ? before.value : null;
  if (answer.kind !== "found") return { address, value: isForbidden(answer) ? null : known, no: answer };
  if (known === null || JSON.stringify(known) !== JSON.stringify(answer.value)) return { address, value: answer.value, no: null };
  return before.no === null ? before : { ...before, no: null };
}
