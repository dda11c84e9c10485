import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  title: string;
  /** What the button says that does it. */
  act: string;
  run: () => Promise<void>;
  stop: () => void;
  /** What it means. */
  children: ComponentChildren;
}

/** Asks before something that cannot be undone. Who opens it stands on the way out. */
export function Sure({ title, act, run, stop, children }: Props) {
  const out = useRef<HTMLButtonElement>(null);
  useEffect(() => out.current?.focus(), []);
  return (
    <div class="sure" role="group" aria-labelledby="sure-title" onKeyDown={(event) => { if (event.key === "Escape") stop(); }}>
      <h3 id="sure-title">{title}?</h3>
      <p>{children}</p>
      <p class="trial-buttons">
        <button type="button" class="button button-main" onClick={() => void run()}>{act}</button>
        <button type="button" class="button" ref={out} onClick={stop}>Leave it as it is</button>
      </p>
    </div>
  );
}
