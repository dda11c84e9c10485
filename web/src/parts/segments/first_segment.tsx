import { useTarget } from "../../door";
import { addCommand } from "../../segments/commands";
import { Command } from "../command";

/** Stands in place of the list until there is a segment. */
export function FirstSegment() {
  return (
    <section class="panel first" aria-labelledby="first-segment-title">
      <h2 id="first-segment-title">Nobody is in a segment yet</h2>
      <p>
        A segment is a named set of people: who saw an offer, who bought, who must not be written to. Its members are ids, of whichever
        networks; its people are the profiles that these ids are in now. The first id makes it:
      </p>
      <Command text={addCommand(useTarget())} label="the command that puts an id into a segment" />
      <p class="faint">
        With <code>ttl</code> the id leaves by itself after that many seconds; sent again it stays longer. Files of them, a line each:{" "}
        <code>footfall segments add spring members.ndjson</code>
      </p>
    </section>
  );
}

/** Said once, where a key may not know who is in which. */
export function NoSegments() {
  return (
    <section class="notice" aria-label="No segments">
      <p><b>No segments.</b> This key has not the scope <code>people</code>, so nobody's segments are shown.</p>
    </section>
  );
}
