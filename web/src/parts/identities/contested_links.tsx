import { useEffect, useRef, useState } from "preact/hooks";
import { isForbidden } from "../../ask";
import { idText } from "../../identities/address";
import { readContested, type Contested } from "../../identities/answers";
import { goesOver, guardTexts } from "../../identities/facts";
import type { Verdict } from "../../identities/changing";
import { useWatched } from "../../use_watched";
import { Trouble } from "../trouble";
import { DecisionForm } from "./decision_form";
import { IdName } from "./id_name";

const listed = 50;

interface Props {
  find: (text: string) => void;
}

interface Decided {
  link: Contested;
  verdict: Verdict;
  /** Where the link stood in the list. */
  place: number;
  /** An answer came without it: if one comes with it again, somebody took the decision back. */
  gone: boolean;
}

/** Links that unite nobody, and what can be decided about each. Whoever may see no profile sees nothing of it. */
export function ContestedLinks({ find }: Props) {
  const [times, setTimes] = useState(0);
  const [decided, setDecided] = useState<Decided | null>(null);
  const [open, setOpen] = useState<{ fact: string; verdict: Verdict } | null>(null);
  const asked = useWatched(`/api/v1/identities/contested?limit=${listed}`, readContested, times);
  const waiting = asked.value?.links ?? [];
  // An answer from before the decision. A link that was accepted may be kept apart by something else now, and is listed with that.
  const isOld = ({ fact, guard }: Contested) => decided !== null && !decided.gone && fact === decided.link.fact && guard === decided.link.guard;
  const stays = waiting.some(({ fact }) => fact === decided?.link.fact);
  useEffect(() => { if (!stays) setDecided((before) => before && { ...before, gone: true }); }, [stays]);
  if (isForbidden(asked.no)) return null;
  const links = waiting.filter((link) => !isOld(link));
  const stop = () => {
    const before = open;
    setOpen(null);
    if (before !== null) setTimeout(() => document.querySelector<HTMLElement>(`[data-act="${before.verdict} ${before.fact}"]`)?.focus());
  };
  const done = (link: Contested, place: number) => (verdict: Verdict) => {
    setOpen(null);
    setDecided({ link, verdict, place, gone: false });
    setTimes((before) => before + 1);
  };
  const row = (link: Contested, place: number) => (
    <li key={link.fact} data-fact={link.fact}>
      <Link link={link} find={find} />
      <p class="chain-acts">
        {verdictsOf(link).map((verdict) => (
          <button type="button" class="why" key={verdict} data-act={`${verdict} ${link.fact}`} aria-label={`${verdict}: ${link.ids.map(idText).join(" and ").slice(0, 200)}`}
            aria-expanded={open?.fact === link.fact && open.verdict === verdict} onClick={() => setOpen({ fact: link.fact, verdict })}>{verdict}</button>
        ))}
      </p>
      {open?.fact === link.fact && (
        <DecisionForm key={open.verdict} fact={{ fact: link.fact, kind: "link" }} verdict={open.verdict} stop={stop} done={done(link, place)} />
      )}
    </li>
  );
  const rows = links.map(row);
  if (decided !== null) rows.splice(decided.place, 0, <DecidedLine key={`decided ${decided.link.fact}`} decided={decided} find={find} />);
  return (
    <section class="panel contested-links" aria-labelledby="contested-title">
      <header class="panel-head">
        <h2 id="contested-title">Links that unite nobody</h2>
        {links.length > 0 && <p class="faint"><CountOf links={links.length} more={asked.value?.more === true} />, kept until a guard makes room or somebody decides</p>}
      </header>
      {asked.value === null ? <Trouble of={asked} /> : links.length === 0 && (
        <p class="faint">None: no guard objects to what is said.</p>
      )}
      {rows.length > 0 && <ul class="chain-list" aria-label="Contested links">{rows}</ul>}
      {asked.value?.more === true && <p class="faint foot">There are more than {listed}: <code>GET /api/v1/identities/contested</code> has them all.</p>}
    </section>
  );
}

function CountOf({ links, more }: { links: number; more: boolean }) {
  return <b class="nowrap">{more ? `the first ${links}` : links === 1 ? "1 link" : `${links} links`}</b>;
}

function verdictsOf({ guard }: Contested): readonly Verdict[] {
  return goesOver(guard) ? ["accept", "reject"] : ["reject"];
}

function Link({ link: { ids, guard }, find }: { link: Contested } & Props) {
  return (
    <div class="told">
      <Pair ids={ids} find={find} />
      <p class="refused told-guard">Kept apart: {guardTexts[guard]}.</p>
    </div>
  );
}

function Pair({ ids, find }: Pick<Contested, "ids"> & Props) {
  const values = ids.map(({ idValue }) => idValue);
  return <div class="contested-pair whole-names">{ids.map((id) => <IdName key={idText(id)} id={id} beside={values} find={find} />)}</div>;
}

/** What was decided, in the place of the link: there whoever decided stands, with the next link behind them. */
function DecidedLine({ decided: { link, verdict }, find }: { decided: Decided } & Props) {
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <li class="decided-line" data-decided={verdict} tabIndex={-1} ref={place}>
      <div class="told">
        <Pair ids={link.ids} find={find} />
        <p class="faint">
          <span class="mark">{verdict === "accept" ? "accepted" : "rejected"}</span>{" "}
          {verdict === "accept" ? "The link holds over the guard." : "The link does not hold any more."} The chain of each id has the decision, and
          there it can be revoked.
        </p>
      </div>
    </li>
  );
}
