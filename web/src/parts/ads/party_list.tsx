import { useEffect, useState } from "preact/hooks";
import { partiesAddress } from "../../ads/address";
import { readParties, type ListedParty } from "../../ads/answers";
import { isForbidden, useAsked } from "../../ask";
import { whole } from "../../format";
import { Name } from "../name";
import { Problem } from "../problem";
import { inUnits } from "./currency_choice";
import { Money } from "./money";

interface Props {
  kind: "reseller" | "publisher";
  /** By amounts in which they are the largest; null: in the ledger's own. */
  currency: string | null;
  /** Whether it is known by now which currency that is. */
  ready: boolean;
  news: unknown;
  pick: (name: string) => void;
}

/** How many are listed at first, and how many at most. */
const listed = { first: 10, most: 100 };
/** Milliseconds after the last letter. */
const typing = 250;

/** The parties with the largest amounts of all time, or, by name, those whose name begins as typed. */
export function PartyList({ kind, currency, ready, news, pick }: Props) {
  const [typed, setTyped] = useState("");
  const [prefix, setPrefix] = useState("");
  const [all, setAll] = useState(false);
  const [read] = useState(() => readParties(kind));
  const { value, no } = useAsked(ready ? partiesAddress(kind, prefix, currency, listed.most + 1) : null, read, news, 10_000);
  const found = value?.parties.length ?? 0;
  // One more is asked for than is listed: it says that there are further ones.
  const most = Math.min(found, listed.most);
  const title = `${kind}s-title`;
  useEffect(() => {
    const timer = setTimeout(() => setPrefix(typed), typing);
    return () => clearTimeout(timer);
  }, [typed]);
  // The page says once that this key sees no money.
  if (isForbidden(no)) return null;
  return (
    <section class="panel parties" aria-labelledby={title} data-parties={kind}>
      <header class="panel-head">
        <h2 id={title}>{prefix === "" ? `Largest ${kind}s` : `${kind === "reseller" ? "Resellers" : "Publishers"} by name`}</h2>
        <p class="faint">all time{prefix === "" && `, by amount${currency === null ? "" : ` in ${currency}`}`}</p>
      </header>
      <label class="prefix">
        <span class="unseen">Beginning of the {kind}'s name</span>
        <input value={typed} placeholder="begins with" autocomplete="off" autocapitalize="off" spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => { if (event.key === "Escape") event.currentTarget.blur(); }} />
      </label>
      {no !== null && <Problem no={no} />}
      <div aria-live="polite">
        {value === null && no === null && <p class="faint">Waiting for the server.</p>}
        {value?.parties.length === 0 && (
          <p class="faint">{prefix === "" ? `No ${kind} is known yet.` : `No ${kind}'s name begins with “${prefix}”.`}</p>
        )}
      </div>
      {value !== null && found > 0 && <Rows kind={kind} parties={value.parties.slice(0, all ? most : listed.first)} pick={pick} />}
      {!all && found > listed.first && (
        <p class="foot"><button type="button" class="button" onClick={() => setAll(true)}>Show {found > most ? most : `all ${found}`}</button></p>
      )}
      {all && found > most && <p class="faint foot">There are more: type how the name begins.</p>}
    </section>
  );
}

function Rows({ kind, parties, pick }: { kind: string; parties: readonly ListedParty[]; pick: (name: string) => void }) {
  const names = parties.map(({ name }) => name);
  const all = parties.flatMap(({ amounts }) => amounts);
  const currencies = new Set(all.map(([currency]) => currency));
  const only = currencies.size === 1 ? all[0]?.[0] ?? null : null;
  const withMoney = all.length > 0;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`The list of ${kind}s`} data-scrolls>
      <table class="ledger ledger-names" aria-labelledby={`${kind}s-title`}>
        <thead>
          <tr>
            <th scope="col" data-name>{kind === "reseller" ? "Reseller" : "Publisher"}</th>
            <th scope="col" class="number">Clicks</th>
            {withMoney && <th scope="col" class="number">{inUnits("Amount", only)}</th>}
          </tr>
        </thead>
        <tbody>
          {parties.map(({ name, clicks, amounts }) => (
            <tr key={name}>
              <th scope="row"><Name name={name} beside={names} onPick={pick} /></th>
              <td class="number">{whole(clicks)}</td>
              {withMoney && (
                <td class="number">
                  {amounts.length === 0 && "–"}
                  {amounts.map(([currency, amount]) => (
                    <span class="amount" key={currency}><Money amount={amount} />{only === null && <span class="faint"> {currency}</span>}</span>
                  ))}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
