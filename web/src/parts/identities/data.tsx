import type { Datum, Profile } from "../../identities/answers";
import { ruleTexts, valueText } from "../../identities/facts";
import { whole } from "../../format";
import { IdName } from "./id_name";
import { Moment } from "./moment";

/** What is known of a profile: by name the value that wins, and why it does. Nothing where nobody told anything. */
export function ProfileData({ profile: { data }, find }: { profile: Profile; find: (text: string) => void }) {
  if (data.length === 0) return null;
  const values = data.map(({ of }) => of.idValue);
  return (
    <section class="panel profile-data" aria-labelledby="data-title">
      <header class="panel-head">
        <h2 id="data-title">Data</h2>
        <p class="faint">of each the value that wins, and why</p>
      </header>
      <div class="scroll" tabIndex={0} role="region" aria-label="The list of data" data-scrolls>
        <table class="ledger ledger-cards ledger-data whole-names" aria-labelledby="data-title">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Value</th>
              <th scope="col">Wins as</th>
              <th scope="col">Said</th>
              <th scope="col">Of</th>
            </tr>
          </thead>
          <tbody>
            {data.map((datum) => (
              <tr key={datum.name} data-datum={datum.name}>
                <th scope="row">{datum.name}</th>
                <td class="datum-value"><Value datum={datum} /></td>
                <td data-label="Wins as">{ruleTexts[datum.wins]}<span class="faint beneath">{lost(datum.others)}</span></td>
                <td data-label="Said">
                  <Moment at={datum.time} />
                  <span class="faint short" title={datum.source}>{datum.source === "" ? "no source given" : `source ${datum.source}`}</span>
                </td>
                <td data-label="Of"><IdName id={datum.of} beside={values} find={find} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Longer values are cut after some lines; who stands on one sees all of it. */
const long = 160;

function Value({ datum: { value } }: { datum: Datum }) {
  const text = valueText(value);
  if (text === "") return <span class="faint">an empty text</span>;
  return text.length > long ? <span class="datum-long" tabIndex={0} title={text}>{text}</span> : <b>{text}</b>;
}

function lost(others: number): string {
  if (others === 0) return "no other value";
  return others === 1 ? "1 other value lost" : `${whole(others)} other values lost`;
}
