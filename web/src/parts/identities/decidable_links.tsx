import { useEffect, useRef, useState } from "preact/hooks";
import { idText } from "../../identities/address";
import type { Contested } from "../../identities/answers";
import type { Verdict } from "../../identities/changing";
import { goesOver, guardTexts } from "../../identities/facts";
import { DecisionForm } from "./decision_form";
import { IdName } from "./id_name";

interface Props {
  name: string;
  links: readonly Contested[];
  find: (text: string) => void;
  /** Something was decided. */
  renew: () => void;
}

interface Decided {
  link: Contested;
  verdict: Verdict;
  /** Where the link stood in the list. */
  place: number;
  /** An answer came without it: if one comes with it again, somebody took the decision back. */
  gone: boolean;
}

/** Contested links, each with what can be decided about it, and in the place of the last that was decided what was. */
export function DecidableLinks({ name, links: told, find, renew }: Props) {
  const [decided, setDecided] = useState<Decided | null>(null);
  const [open, setOpen] = useState<{ fact: string; verdict: Verdict } | null>(null);
  const stays = told.some(({ fact }) => fact === decided?.link.fact);
  useEffect(() => { if (!stays) setDecided((before) => before && { ...before, gone: true }); }, [stays]);
  const stop = () => {
    const before = open;
    setOpen(null);
    if (before !== null) setTimeout(() => document.querySelector<HTMLElement>(`[data-act="${before.verdict} ${before.fact}"]`)?.focus());
  };
  const done = (link: Contested, place: number, verdict: Verdict) => {
    setOpen(null);
    setDecided({ link, verdict, place, gone: false });
    renew();
  };
  const rows = told.filter((link) => !isOld(link, decided)).map((link, place) => (
    <li key={link.fact} data-fact={link.fact}>
      <div class="told">
        <Pair link={link} find={find} />
        {(link.guard !== "shared" || name === "Contested links") && <p class="refused told-guard">Kept apart: {guardTexts[link.guard]}.</p>}
      </div>
      <p class="chain-acts">
        {verdictsOf(link).map((verdict) => (
          <button type="button" class="why" key={verdict} data-act={`${verdict} ${link.fact}`} aria-label={`${verdict}: ${link.ids.map(idText).join(" and ").slice(0, 200)}`}
            aria-expanded={open?.fact === link.fact && open.verdict === verdict} onClick={() => setOpen({ fact: link.fact, verdict })}>{verdict}</button>
        ))}
      </p>
      {open?.fact === link.fact && (
        <DecisionForm key={open.verdict} fact={{ fact: link.fact, kind: "link" }} verdict={open.verdict} stop={stop}
          done={(verdict) => done(link, place, verdict)} />
      )}
    </li>
  ));
  if (decided !== null) rows.splice(decided.place, 0, <DecidedLine key={`decided ${decided.link.fact}`} decided={decided} find={find} />);
  return rows.length === 0 ? null : <ul class="chain-list" aria-label={name}>{rows}</ul>;
}

/** Told before the decision. A link that was accepted may be kept apart by something else now, and is told with that. */
function isOld({ fact, guard }: Contested, decided: Decided | null): boolean {
  return decided !== null && !decided.gone && fact === decided.link.fact && guard === decided.link.guard;
}

function verdictsOf({ guard }: Contested): readonly Verdict[] {
  return goesOver(guard) ? ["accept", "reject"] : ["reject"];
}

interface LinkProps {
  link: Contested;
  find: (text: string) => void;
}

function Pair({ link: { ids }, find }: LinkProps) {
  const values = ids.map(({ idValue }) => idValue);
  return <div class="contested-pair whole-names">{ids.map((id) => <IdName key={idText(id)} id={id} beside={values} find={find} />)}</div>;
}

/** What was decided, in the place of the link: there whoever decided stands, with the next link behind them. */
function DecidedLine({ decided: { link, verdict }, find }: { decided: Decided; find: (text: string) => void }) {
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <li class="decided-line" data-decided={verdict} tabIndex={-1} ref={place}>
      <div class="told">
        <Pair link={link} find={find} />
        <p class="faint">
          <span class="mark">{verdict === "accept" ? "accepted" : "rejected"}</span>{" "}
          {verdict === "accept" ? "The link holds over the guard." : "The link does not hold any more."} The chain of each id has the decision, and
          there it can be revoked.
        </p>
      </div>
    </li>
  );
}
