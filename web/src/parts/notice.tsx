import { eventCommand, putCommand } from "../counters";
import { useTarget } from "../door";
import { Command } from "./command";

/** Said plainly, above everything else: these figures are not of real people. */
export function DemoNotice({ command }: { command: string }) {
  return (
    <section class="notice" aria-label="Demo traffic">
      <p><b>Demo traffic.</b> <span class="notice-more">These visits are made up by the program. Start real counting with</span></p>
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

interface FirstEventProps {
  /** Undefined: any. */
  object?: string;
  /** Whether this process takes events; what follows is said of another otherwise. */
  taken: boolean;
  /** Whether there may be events that this process cannot see just now. */
  provisional: boolean;
}

/** The same for events. */
export function FirstEvent({ object, taken, provisional }: FirstEventProps) {
  const target = useTarget();
  const what = object === undefined ? "event" : "event of this object";
  return (
    <section class="panel first" aria-labelledby="first-event-title">
      <h2 id="first-event-title">No {what} {provisional ? "is known here yet" : "has come yet"}</h2>
      {provisional && (
        <p>
          Who counts {object === undefined ? "some objects" : "this object"} does not answer just now: what came since it
          last wrote is missing. It appears here once it, or whoever takes over, has answered.
        </p>
      )}
      <p>
        Send {object === undefined ? "the first" : "one"} from a shell. The answer says that it was accepted, and this page
        shows it within two seconds, with the reason if it does not count.
        {!taken && <> This process only answers: put the address of one with the role <code>collect</code> into the command.</>}
      </p>
      <Command text={eventCommand(taken ? target : { ...target, origin: "http://COLLECTOR:8080" }, object)}
        label="the command that sends an event" />
      <p class="faint">
        <code>actor</code> is who, <code>object</code> is what they saw. Send the same again at once and it is refused: the
        same person, the same object, seconds later.
      </p>
    </section>
  );
}
