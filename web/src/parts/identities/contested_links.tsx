import { useState } from "preact/hooks";
import { isForbidden } from "../../ask";
import { readContested, type Contested } from "../../identities/answers";
import { goesOver, guardTexts } from "../../identities/facts";
import { idText } from "../../identities/address";
import type { Verdict } from "../../identities/changing";
import { useWatched } from "../../use_watched";
import { Trouble } from "../trouble";
import { DecisionForm } from "./decision_form";
import { IdName } from "./id_name";

const listed = 50;

/** Links that unite nobody, and what can be decided about each. Whoever may see no profile sees nothing of it. */
export function ContestedLinks({ find }: { find: (text: string) => void }) {
  const [decided, setDecided] = useState({ text: "", times: 0 });
  const [open, setOpen] = useState<{ fact: string; verdict: Verdict } | null>(null);
  const asked = useWatched(`/api/v1/identities/contested?limit=${listed}`, readContested, decided.times);
  if (isForbidden(asked.no)) return null;
  const done = (verdict: Verdict) => {
    setOpen(null);
    setDecided(({ times }) => ({ text: verdict === "accept" ? "Accepted." : "Rejected.", times: times + 1 }));
  };
  return (
    <section class="panel contested-links" aria-labelledby="contested-title">
      <header class="panel-head">
        <h2 id="contested-title">Links that unite nobody</h2>
        <p class="faint">kept until a guard makes room, or somebody decides</p>
      </header>
      <p class="said" role="status">{decided.text}</p>
      {asked.value === null ? <Trouble of={asked} /> : asked.value.links.length === 0 && (
        <p class="faint">None: no guard objects to what is said.</p>
      )}
      <ul class="chain-list" aria-label="Contested links">
        {asked.value?.links.map((link) => (
          <li key={link.fact} data-fact={link.fact}>
            <Link link={link} find={find} />
            <p class="chain-acts">
              {verdictsOf(link).map((verdict) => (
                <button type="button" class="why" key={verdict} aria-label={`${verdict}: ${link.ids.map(idText).join(" and ").slice(0, 200)}`}
                  aria-expanded={open?.fact === link.fact && open.verdict === verdict} onClick={() => setOpen({ fact: link.fact, verdict })}>{verdict}</button>
              ))}
            </p>
            {open?.fact === link.fact && (
              <DecisionForm key={open.verdict} fact={{ fact: link.fact, kind: "link" }} verdict={open.verdict} stop={() => setOpen(null)} done={done} />
            )}
          </li>
        ))}
      </ul>
      {asked.value?.more === true && <p class="faint foot">There are more than {listed}: <code>GET /api/v1/identities/contested</code> has them all.</p>}
    </section>
  );
}

function verdictsOf({ guard }: Contested): readonly Verdict[] {
  return goesOver(guard) ? ["accept", "reject"] : ["reject"];
}

function Link({ link: { ids, guard }, find }: { link: Contested; find: (text: string) => void }) {
  const values = ids.map(({ idValue }) => idValue);
  return (
    <div class="told">
      <div class="contested-pair">{ids.map((id) => <IdName key={idText(id)} id={id} beside={values} find={find} />)}</div>
      <p class="refused told-guard">{guardTexts[guard]}.</p>
    </div>
  );
}
