import { useEffect, useRef, useState } from "preact/hooks";
import { isForbidden, type Asked } from "../../ask";
import { contestedAddress } from "../../identities/address";
import { guards, readContested, type ContestedPage, type Guard } from "../../identities/answers";
import { guardNames } from "../../identities/facts";
import { whole } from "../../format";
import { useWatched } from "../../use_watched";
import { Trouble } from "../trouble";
import { DecidableLinks } from "./decidable_links";

interface Props {
  /** Only links to which this one objects. Null: all. */
  guard: Guard | null;
  choose: (guard: Guard | null) => void;
  find: (text: string) => void;
}

/** Links that unite nobody, and what can be decided about each. Whoever may see no profile sees nothing of it. */
export function ContestedLinks({ guard, choose, find }: Props) {
  const [changes, setChanges] = useState(0);
  // Where the pages before began, and this one; the first begins nowhere.
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  const title = useRef<HTMLHeadingElement>(null);
  const asked = useWatched(contestedAddress(guard, cursors.at(-1) ?? null), readContested, changes);
  useEffect(() => setCursors([null]), [guard]);
  if (isForbidden(asked.no)) return null;
  const turn = (to: readonly (string | null)[]) => { setCursors(to); title.current?.focus(); };
  const links = asked.value?.links ?? [];
  const next = asked.value?.next ?? null;
  const page = cursors.length;
  return (
    <section class="panel contested-links" aria-labelledby="contested-title">
      <header class="panel-head">
        <h2 id="contested-title" tabIndex={-1} ref={title}>Links that unite nobody</h2>
        {links.length > 0 && (
          <p class="faint">
            <b class="nowrap">{page > 1 || next !== null ? `page ${whole(page)}` : counted(links.length)}</b>, kept until a guard makes room or somebody decides
          </p>
        )}
        <div class="tools">
          <label class="contested-guard"><span>Kept apart by</span>{" "}
            <select class="small" name="guard" value={guard ?? ""} onChange={(event) => choose(guards.find((one) => one === event.currentTarget.value) ?? null)}>
              <option value="">any guard</option>
              {guards.map((one) => <option key={one} value={one}>{guardNames[one]}</option>)}
            </select>
          </label>
        </div>
      </header>
      <Listed key={`${guard} ${page}`} asked={asked} guard={guard} first={page === 1} find={find} renew={() => setChanges((before) => before + 1)} />
      {(page > 1 || next !== null) && (
        <p class="contested-pages">
          <button type="button" class="button" disabled={page === 1} onClick={() => turn(cursors.slice(0, -1))}>Before</button>
          <button type="button" class="button" disabled={next === null} onClick={() => turn([...cursors, next])}>Further</button>
        </p>
      )}
    </section>
  );
}

interface ListedProps {
  asked: Asked<ContestedPage>;
  guard: Guard | null;
  first: boolean;
  find: (text: string) => void;
  renew: () => void;
}

/** A page of them. Of all guards a kiosk has hundreds, of which there is little to decide: they stand behind the others, and open when they are asked for. */
function Listed({ asked, guard, first, find, renew }: ListedProps) {
  const anyShared = useRef(false);
  const links = asked.value?.links ?? [];
  const apart = guard === null ? links.filter((link) => link.guard === "shared") : [];
  const others = links.filter((link) => !apart.includes(link));
  // Whoever rejected the last one stands in its place: that does not go from under them.
  anyShared.current ||= apart.length > 0;
  return (
    <>
      {asked.value === null ? <Trouble of={asked} /> : links.length === 0 && <p class="faint">{none(guard, first, asked.value.next)}</p>}
      <DecidableLinks name="Contested links" links={others} find={find} renew={renew} />
      <details class="shared-links" hidden={!anyShared.current}>
        <summary><b>{counted(apart.length)}</b> with a shared id, which unites nobody</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label="The list of links with a shared id" data-scrolls>
          <DecidableLinks name="Links with a shared id" links={apart} find={find} renew={renew} />
        </div>
      </details>
    </>
  );
}

function none(guard: Guard | null, first: boolean, next: string | null): string {
  if (next !== null) return "None among those that were looked through so far. There are further ones.";
  if (!first) return "There are no more.";
  return guard === null ? "None: no guard objects to what is said." : `None is kept apart by ${guardNames[guard]}.`;
}

function counted(links: number): string {
  return links === 1 ? "1 link" : `${whole(links)} links`;
}
