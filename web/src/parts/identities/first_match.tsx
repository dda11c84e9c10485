import { useTarget } from "../../door";
import { shortName } from "../../format";
import { idText, type Id } from "../../identities/address";
import { matchCommand, sampleIds } from "../../identities/commands";
import { demoIds } from "../../identities/demo";
import { Command } from "../command";

/** Stands in place of a profile until something is looked for. */
export function FirstMatch({ demo, find }: { demo: boolean; find: (text: string) => void }) {
  const text = idText(sampleIds[0]);
  return (
    <section class="panel first" aria-labelledby="first-match-title">
      <h2 id="first-match-title">Who is this id?</h2>
      <p>
        Each network has its own name for the same customer. Where it is said that two ids are one person, they share a profile. Find an
        id: you see its profile, every fact that holds it together, and what does not fit; and what was matched by mistake can be taken
        apart again.
      </p>
      {demo && (
        <p class="people-of-demo ids-of-demo">
          <span class="faint">A made-up customer, two who are taken for one now and then, and a kiosk that many share:</span>
          {demoIds.map((text) => <button type="button" class="button" key={text} onClick={() => find(text)}>{text}</button>)}
        </p>
      )}
      <p>An id is a network, what that network calls the id, and its value. Match two of them from a shell:</p>
      <Command text={matchCommand(useTarget(), sampleIds)} label="the command that matches two ids" />
      <p class="first-acts"><button type="button" class="button" onClick={() => find(text)}>Then find {text}</button></p>
    </section>
  );
}

/** Nothing was ever said of this id. */
export function UnknownId({ id }: { id: Id }) {
  const text = idText(id);
  const other = sampleIds.find((one) => idText(one) !== text) ?? sampleIds[0];
  return (
    <section class="panel first unknown-id" aria-labelledby="unknown-title">
      <h2 id="unknown-title">No profile has this id</h2>
      <p>No fact names it: neither a match nor a counted event with it among its <code>identifiers</code>. To match it with another id:</p>
      <Command text={matchCommand(useTarget(), [id, other])} label="the command that matches this id" />
      <p class="faint">
        Ids are compared byte by byte: <code>Ann@example.org</code> and{" "}
        <code>ann@example.org</code> are two.
      </p>
    </section>
  );
}

export function UnknownProfile({ sid }: { sid: string }) {
  return (
    <section class="panel first" aria-labelledby="unknown-title">
      <h2 id="unknown-title">No profile has this sid</h2>
      <p><code class="sid">{sid}</code> was never given to a profile here. A sid that was answered once goes on answering, also after a merge or a detach.</p>
    </section>
  );
}

/** What was typed is no id. */
export function Unclear({ text }: { text: string }) {
  return (
    <section class="panel first" aria-labelledby="unclear-title">
      <h2 id="unclear-title">An id has three parts</h2>
      <p>
        <q class="unclear-text">{shortName(text)}</q> is neither an id nor a sid. Write the network, what it calls the id, and the value, with a slash
        between: <code>www/id/w111</code>. The value may hold further slashes; one within the first two parts is written <code>%2F</code>.
      </p>
    </section>
  );
}

/** Said once, where a key may see nobody's profile. */
export function NoProfiles() {
  return (
    <section class="notice" aria-label="No profiles">
      <p><b>No profiles.</b> This key has not the scope <code>people</code>, so nobody's ids are shown.</p>
    </section>
  );
}
