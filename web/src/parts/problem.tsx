import type { ComponentChildren } from "preact";
import type { No } from "../ask";

/** Why there is no answer, in the server's own words where it gave some. */
export function Problem({ no, children }: { no: No; children?: ComponentChildren }) {
  const refused = no.kind === "refused";
  return (
    <div class={refused ? "problem problem-refused" : "problem"}>
      <p><b>{refused ? `Refused: ${no.title || no.status}` : "No answer"}</b></p>
      <p>{no.detail}</p>
      {children}
    </div>
  );
}
