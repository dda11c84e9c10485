import { putCommand } from "../counters";
import { Command } from "./command";

/** Said plainly, above everything else: these figures are not of real people. */
export function DemoNotice({ command }: { command: string }) {
  return (
    <section class="notice" aria-label="Demo traffic">
      <p><b>Demo traffic.</b> These tokens are made up by the program. Start real counting with</p>
      <Command text={command} label="the command that starts real counting" />
    </section>
  );
}

/** Stands in the chart's place until there is something to draw. */
export function FirstToken() {
  return (
    <section class="panel first" aria-labelledby="first-title">
      <h2 id="first-title">Nothing has been counted yet</h2>
      <p>
        Send the first token from a shell. The answer is the number of distinct tokens of that object,{" "}
        <code>1</code>, and this page shows it within a second.
      </p>
      <Command text={putCommand(location.origin)} label="the command that sends the first token" />
      <p class="faint">
        <code>token</code> stands for the person, <code>object_id</code> for what they acted on. Send the same token
        again and it is already counted; send another and the object counts two.
      </p>
    </section>
  );
}
