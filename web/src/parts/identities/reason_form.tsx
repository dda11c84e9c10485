import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { No } from "../../ask";
import { Problem } from "../problem";

interface Props {
  /** What is about to be done. */
  title: string;
  /** What it means. */
  children: ComponentChildren;
  act: string;
  asking: boolean;
  no: No | null;
  /** Another reason than the one that was sent. */
  edited?: () => void;
  go: (reason: string) => void;
  stop: () => void;
}

/** Asks why: nothing about a profile is changed without a reason. Who opens it stands in it. */
export function ReasonForm({ title, children, act, asking, no, edited, go, stop }: Props) {
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const hint = useId();
  useEffect(() => input.current?.focus(), []);
  const send = () => {
    const empty = reason.trim() === "";
    setMissing(empty);
    if (empty) input.current?.focus();
    else if (!asking) go(reason);
  };
  return (
    <form class="reason-form" aria-label={title} onSubmit={(event) => { event.preventDefault(); send(); }}
      onKeyDown={(event) => { if (event.key === "Escape") stop(); }}>
      <p>{children}</p>
      <label>Reason
        <input name="reason" ref={input} value={reason} autocomplete="off" placeholder="who found it out, and how" aria-invalid={missing}
          aria-describedby={hint} onInput={(event) => { setReason(event.currentTarget.value); setMissing(false); edited?.(); }} />
      </label>
      <p id={hint} class={missing ? "refused" : "faint"} role="status">
        {missing ? "A reason is needed: it stands in the chain for whoever asks later." : "It stands in the chain of facts."}
      </p>
      <div role="alert">{no !== null && <Problem no={no} />}</div>
      <p class="trial-buttons">
        <button type="submit" class="button" disabled={asking}>{asking ? "Asking" : act}</button>
        <button type="button" class="button" onClick={stop}>Leave it</button>
      </p>
    </form>
  );
}
