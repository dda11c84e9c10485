import { useRef, useState } from "preact/hooks";
import { isForbidden } from "../../ask";
import { readContested } from "../../identities/answers";
import { whole } from "../../format";
import { useWatched } from "../../use_watched";
import { Trouble } from "../trouble";
import { DecidableLinks } from "./decidable_links";

const listed = 200;

/** Links that unite nobody, and what can be decided about each. Whoever may see no profile sees nothing of it. */
export function ContestedLinks({ find }: { find: (text: string) => void }) {
  const [changes, setChanges] = useState(0);
  const anyShared = useRef(false);
  const asked = useWatched(`/api/v1/identities/contested?limit=${listed}`, readContested, changes);
  if (isForbidden(asked.no)) return null;
  const links = asked.value?.links ?? [];
  const shared = links.filter(({ guard }) => guard === "shared");
  // Whoever rejected the last one stands in its place: that does not go from under them.
  anyShared.current ||= shared.length > 0;
  const others = links.filter(({ guard }) => guard !== "shared");
  const more = asked.value?.more === true;
  const renew = () => setChanges((before) => before + 1);
  return (
    <section class="panel contested-links" aria-labelledby="contested-title">
      <header class="panel-head">
        <h2 id="contested-title">Links that unite nobody</h2>
        {links.length > 0 && (
          <p class="faint">
            <b class="nowrap">{more ? `the first ${whole(links.length)}` : counted(links.length)}</b>, kept until a guard makes room or somebody decides
          </p>
        )}
      </header>
      {asked.value === null ? <Trouble of={asked} /> : links.length === 0 && (
        <p class="faint">None: no guard objects to what is said.</p>
      )}
      <DecidableLinks name="Contested links" links={others} find={find} renew={renew} />
      {/* A kiosk has hundreds, of which there is little to decide: they stand behind the others, and open when they are asked for. */}
      <details class="shared-links" hidden={!anyShared.current}>
        <summary><b>{counted(shared.length)}</b> with a shared id, which unites nobody</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label="The list of links with a shared id" data-scrolls>
          <DecidableLinks name="Links with a shared id" links={shared} find={find} renew={renew} />
        </div>
      </details>
      {more && <p class="faint foot">There are more than {whole(listed)}: <code>GET /api/v1/identities/contested</code> has them all.</p>}
    </section>
  );
}

function counted(links: number): string {
  return links === 1 ? "1 link" : `${whole(links)} links`;
}
