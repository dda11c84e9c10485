import { useTarget } from "../../door";
import { friendsCommand, readCommand, shareCommand } from "../../reading/commands";
import { demoPeople } from "../../reading/demo";
import { Command } from "../command";

const article = "https://news.example/a";

/** Stands in place of the feed until somebody is chosen. */
export function ChoosePerson({ demo, find }: { demo: boolean; find: (actor: string) => void }) {
  return (
    <section class="panel first" aria-labelledby="choose-title">
      <h2 id="choose-title">Whose reading?</h2>
      <p>
        Find a person by the name that your application gives them. You see what their friends read, as they would, and what others
        may see of them; and you can pause it or take it back for them.
      </p>
      {demo && (
        <p class="people-of-demo">
          <span class="faint">Made-up people, each of whom shares in another way:</span>
          {demoPeople.map((name) => <button type="button" class="button" key={name} onClick={() => find(name)}>{name}</button>)}
        </p>
      )}
    </section>
  );
}

/** How anybody comes to share, to have friends, and to read, where nobody does yet. */
export function FirstRead() {
  const target = useTarget();
  return (
    <section class="panel first" aria-labelledby="first-read-title">
      <h2 id="first-read-title">No article is read by enough people yet</h2>
      <p>Three commands lead from consent to a friend's feed. Who has not agreed is counted, and nobody learns who it was.</p>
      <Command text={shareCommand(target, "bob")} label="the command by which bob agrees" />
      <Command text={friendsCommand(target, "ann", ["bob"])} label="the command by which ann lists bob" />
      <Command text={readCommand(target, "bob", article)} label="the command that sends a read" />
    </section>
  );
}

/** Nobody to look at: who lists no friends. */
export function FirstFriend({ actor }: { actor: string }) {
  return (
    <>
      <p>{actor} lists no friends yet, so there is nobody whose reading they could see.</p>
      <Command text={friendsCommand(useTarget(), actor, [actor === "bob" ? "ann" : "bob"])} label="the command that adds a friend" />
    </>
  );
}

/** Said once, where a key may see rankings, but nobody's reading. */
export function NoPeople() {
  return (
    <section class="notice" aria-label="No people">
      <p><b>Rankings only.</b> This key has not the scope <code>people</code>, so nobody's reading is shown.</p>
    </section>
  );
}
