import type { ComponentChildren } from "preact";

/** A field with what is wrong about it below. */
export function Labelled({ name, hint, wrong, children }: { name: string; hint: string; wrong: string | null; children: ComponentChildren }) {
  return (
    <div class="rule-field">
      <span class="rule-label" aria-hidden="true">{name}</span>
      {children}
      <p id={hint} class="refused" role="status">{wrong ?? ""}</p>
    </div>
  );
}
