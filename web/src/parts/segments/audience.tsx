import { useRef, useState } from "preact/hooks";
import { whole } from "../../format";
import { useKeys } from "../../keys";
import { comparedMost } from "../../segments/address";
import { numbersOf, useNoisy, type NoisyOverlap } from "../../segments/for_audience";
import { Name } from "../name";
import { Problem } from "../problem";

interface Props {
  names: readonly string[];
  change: (names: readonly string[]) => void;
}

/** The page for a key of the scope `audience`: numbers with noise, of segments that it names; no list, and no members. */
export function AudienceSegments({ names, change }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const { value, no } = useNoisy(names);
  const full = names.length >= comparedMost;
  const unknown = no?.kind === "refused" && no.status === 404;
  useKeys([{ keys: "/", does: "Name a segment", run: () => input.current?.select() }]);
  const add = () => {
    if (typed === "" || full) return;
    if (!names.includes(typed)) change([...names, typed]);
    setTyped("");
  };
  return (
    <>
      <section class="notice audience-notice" aria-label="Numbers with noise">
        <p>
          <b>Numbers with noise.</b> This key has the scope <code>audience</code>: numbers are off by some dozens, the same all day (UTC) and for
          everybody, so that none says whether a certain person is in a segment. Few people are not shown at all, and nobody's membership is.
        </p>
      </section>
      <section class="panel audience" aria-labelledby="audience-title">
        <header class="panel-head">
          <h2 id="audience-title">How many people, about</h2>
          {value !== null && <span class="mark mark-estimate" title="with noise">noise</span>}
          {value !== null && <p class="faint">of {value.day}, UTC</p>}
        </header>
        <form class="audience-form" onSubmit={(event) => { event.preventDefault(); add(); }}>
          <label for="name-segment">Name of a segment</label>
          <div class="erase-line">
            <input id="name-segment" ref={input} value={typed} autocomplete="off" autocapitalize="off" spellcheck={false} placeholder="spring"
              disabled={full} onInput={(event) => setTyped(event.currentTarget.value)} />
            <button type="submit" class="button" disabled={full}>Ask</button>
          </div>
        </form>
        {names.length > 0 && (
          <ul class="audience-names" aria-label="Asked for">
            {names.map((name) => (
              <li key={name}><Name name={name} beside={names} />
                <button type="button" class="button" aria-label={`Leave out ${name}`} onClick={() => change(names.filter((one) => one !== name))}>×</button>
              </li>
            ))}
          </ul>
        )}
        <p class="faint">
          {names.length === 0 ? "Each size, and each pair, is one of the numbers that a key has a day." :
            `${numbersOf(names.length)} of the numbers that this key has a day; what was asked today costs nothing again.`}
        </p>
        <div role="alert">{no !== null && <Problem no={no}>{unknown && <p>Names are not shown to this key: ask whoever runs the deployment.</p>}</Problem>}</div>
        {names.length > 0 && value === null && no === null && <p class="faint" role="status">Waiting for the server.</p>}
        {value !== null && <NoisyTable of={value} names={names} />}
      </section>
    </>
  );
}

function NoisyTable({ of: { sizes, pairs }, names }: { of: NoisyOverlap; names: readonly string[] }) {
  const few = <span class="faint">too few to be shown</span>;
  return (
    <table class="ledger noisy" aria-labelledby="audience-title">
      <thead>
        <tr><th scope="col">In</th><th scope="col">and in</th><th scope="col" class="number">People</th></tr>
      </thead>
      <tbody>
        {sizes.map(({ name, people }) => (
          <tr key={name}><th scope="row"><Name name={name} beside={names} /></th><td /><td class="number">{people === null ? few : whole(people)}</td></tr>
        ))}
        {pairs.map(({ one, other, count, low, high }) => (
          <tr key={`${one}\n${other}`}>
            <th scope="row"><Name name={one} beside={names} /></th>
            <td><Name name={other} beside={names} /></td>
            <td class="number">{count === null ? few : <>{whole(count)} <span class="faint">{whole(low ?? 0)} to {whole(high ?? 0)}</span></>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
