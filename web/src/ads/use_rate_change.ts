import { useState } from "preact/hooks";
import type { Answer, No } from "../ask";
import { makeRate, tryRate, type Draft, type Made } from "./changing";
import type { Trial } from "./rates";

export interface RateChanging {
  /** What the last draft would move; null: it was not looked at, or changed since. */
  tried: { draft: Draft; trial: Trial } | null;
  /** Why the last question was not answered. */
  no: No | null;
  asking: boolean;
  look: (draft: Draft) => Promise<void>;
  /** Makes what was tried; null if that was refused. */
  make: () => Promise<Made | null>;
  /** What was tried is not what would be made any more. */
  forget: () => void;
}

/** A change of a rate in two steps: what it would move, then the change, if the rates are still those of `etag`. */
export function useRateChange(path: string, etag: string | null): RateChanging {
  const [tried, setTried] = useState<RateChanging["tried"]>(null);
  const [no, setNo] = useState<No | null>(null);
  const [asking, setAsking] = useState(false);

  const asked = async <T>(answer: Promise<Answer<T>>): Promise<T | null> => {
    setAsking(true);
    const heard = await answer;
    setAsking(false);
    setNo(heard.kind === "found" ? null : heard);
    return heard.kind === "found" ? heard.value : null;
  };
  const look = async (draft: Draft) => {
    const trial = await asked(tryRate(path, draft));
    setTried(trial && { draft, trial });
  };
  const make = async () => {
    if (tried === null) return null;
    const made = await asked(makeRate(path, tried.draft, etag));
    setTried(null);
    return made;
  };
  const forget = () => {
    setTried(null);
    setNo(null);
  };
  return { tried, no, asking, look, make, forget };
}
