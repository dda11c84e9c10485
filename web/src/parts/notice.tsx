import { eventCommand, putCommand } from "../counters";
import { useTarget } from "../door";
import { Command } from "./command";

/** Said plainly, above everything else: these figures are not of real people. */
export function DemoNotice({ command }: { command: string }) {
  return (
    <section class="notice" aria-label="Demo traffic">
      <p><b>Demo traffic.</b> These visits are made up by the program. Start real counting with</p>
      <Command text={command} label="the command that starts real counting" />
    </section>
  );
}

/** Stands in the chart's place until there is something to draw. */
export function FirstToken() {
  return (
    <section class="panel first" aria-labelledby="first-title">
      <h2 id="first-title">No token has been counted yet</h2>
      <p>
        Send the first token from a shell. The answer is the number of distinct tokens of that object,{" "}
        <code>1</code>, and this page shows it within a second.
      </p>
      <Command text={putCommand(useTarget())} label="the command that sends the first token" />
      <p class="faint">
        <code>token</code> stands for the person, <code>object_id</code> for what they acted on. Send the same token
        again and it is already counted; send another and the object counts two.
      </p>
    </section>
  );
}

/** The same for events. */
export function FirstEvent({ object }: { object?: string }) {
  return (
    <section class="panel first" aria-labelledby="first-event-title">
      <h2 id="first-event-title">{object === undefined ? "No event has come yet" : "No event of this object has come yet"}</h2>
      <p>
        Send {object === undefined ? "the first" : "one"} from a shell. The answer says that it was accepted, and this page
        shows it within two seconds, with the reason if it does not count.
      </p>
      <Command text={eventCommand(useTarget(), object)} label="the command that sends an event" />
      <p class="faint">
        <code>actor</code> is who, <code>object</code> is what they saw. Send the same again at once and it is refused: the
        same person, the same object, seconds later.
      </p>
    </section>
  );
}
