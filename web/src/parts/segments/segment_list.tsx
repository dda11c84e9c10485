import { useEffect, useRef, useState } from "preact/hooks";
import type { Asked } from "../../ask";
import { whole } from "../../format";
import { useKeys } from "../../keys";
import { comparedMost } from "../../segments/address";
import type { Segment, SegmentPage } from "../../segments/answers";
import { PeopleMark } from "../mark";
import { Name } from "../name";
import { Trouble } from "../trouble";

/** Milliseconds after the last letter. */
const typing = 250;

interface FindProps {
  prefix: string;
  find: (prefix: string) => void;
}

/** Lists segments whose names begin as typed. */
export function FindSegment({ prefix, find }: FindProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(prefix);
  useEffect(() => setTyped(prefix), [prefix]);
  useEffect(() => {
    if (typed === prefix) return;
    const timer = setTimeout(() => find(typed), typing);
    return () => clearTimeout(timer);
  }, [typed]);
  useKeys([{ keys: "/", does: "Find a segment", run: () => input.current?.select() }]);
  return (
    <form class="find" role="search" onSubmit={(event) => { event.preventDefault(); find(typed); }}>
      <label class="unseen" for="find-segment">Beginning of the segment's name</label>
      <input id="find-segment" ref={input} value={typed} placeholder="name begins with" autocomplete="off" autocapitalize="off" spellcheck={false}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => { if (event.key === "Escape") event.currentTarget.blur(); }} />
      <button type="submit" class="button">Find <kbd>/</kbd></button>
    </form>
  );
}

interface Props {
  asked: Asked<SegmentPage>;
  prefix: string;
  compared: readonly string[];
  compare: (names: readonly string[]) => void;
  /** Shows the rule of one. */
  pick: (name: string) => void;
}

/** Segments with their people, and which of them are compared. */
export function SegmentList({ asked, prefix, compared, compare, pick }: Props) {
  const { value, no } = asked;
  const segments = value?.segments ?? [];
  return (
    <section class="panel segment-list" aria-labelledby="segments-title">
      <header class="panel-head">
        <h2 id="segments-title">{prefix === "" ? "All segments" : "Segments by name"}</h2>
        {compared.length > 0 && (
          <div class="tools"><button type="button" class="button" onClick={() => compare([])}>Compare none</button></div>
        )}
      </header>
      <Trouble of={asked} />
      <div aria-live="polite">
        {value === null && no === null && <p class="faint">Waiting for the server.</p>}
        {value !== null && segments.length === 0 && <p class="faint">No segment's name begins with “{prefix}”.</p>}
      </div>
      {segments.length > 0 && <Rows segments={segments} compared={compared} compare={compare} pick={pick} />}
      {value?.more === true && <p class="faint foot">There are more: type how the name begins.</p>}
    </section>
  );
}

function Rows({ segments, compared, compare, pick }: Pick<Props, "compared" | "compare" | "pick"> & { segments: readonly Segment[] }) {
  const names = segments.map(({ name }) => name);
  const full = compared.length >= comparedMost;
  const turn = (name: string, on: boolean) => compare(on ? [...compared, name] : compared.filter((one) => one !== name));
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label="The list of segments" data-scrolls>
        <table class="ledger ledger-segments" aria-labelledby="segments-title">
          <thead>
            <tr>
              <th scope="col" class="pick"><span class="unseen">Compared</span></th>
              <th scope="col" data-name>Segment</th>
              <th scope="col" class="number">People</th>
            </tr>
          </thead>
          <tbody>
            {segments.map(({ name, people, exact, error }) => {
              const on = compared.includes(name);
              return (
                <tr key={name} data-segment={name} class={on ? "chosen" : undefined}>
                  <td class="pick">
                    <label>
                      <input type="checkbox" checked={on} disabled={!on && full} aria-label={`Compare ${name}`}
                        onChange={(event) => turn(name, event.currentTarget.checked)} />
                    </label>
                  </td>
                  <th scope="row"><Name name={name} beside={names} onPick={pick} /></th>
                  <td class="number">{whole(people)} <span class="mark-place"><PeopleMark people={people} exact={exact} error={error} /></span></td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {full && <p class="faint foot">{comparedMost} are compared at most: take one out to put another in.</p>}
    </>
  );
}
