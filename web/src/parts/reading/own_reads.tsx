import { useEffect, useRef, useState } from "preact/hooks";
import type { Asked, No } from "../../ask";
import { dayStart } from "../../days";
import { dayOf, dayText, whole, zone } from "../../format";
import type { OwnReads as Reads } from "../../reading/answers";
import { shown } from "../../reading/article";
import { takeBack } from "../../reading/changing";
import { Problem } from "../problem";
import { Trouble } from "../trouble";
import { Article } from "./article";
import { Quarter } from "./quarter";
import { TakeBack } from "./take_back";

interface Props {
  actor: string;
  path: string;
  reads: Asked<Reads>;
  /** Something was taken back. */
  renew: () => void;
}

/** What others may see of a person, and how it is taken back. */
export function OwnReads({ actor, path, reads: asked, renew }: Props) {
  const { value, no } = asked;
  const [said, setSaid] = useState({ text: "", times: 0 });
  const [refused, setRefused] = useState<No | null>(null);
  const told = useRef<HTMLParagraphElement>(null);
  // What was used to take back goes, and focus with it.
  useEffect(() => { if (said.times > 0) told.current?.focus(); }, [said.times]);
  const taken = (count: number) => {
    const text = count === 0 ? "There was nothing to take back." : `${whole(count)} ${count === 1 ? "read" : "reads"} taken back.`;
    setSaid({ text, times: said.times + 1 });
    setRefused(null);
    renew();
  };
  const takeOne = async (url: string) => {
    const answer = await takeBack(path, { url });
    if (answer.kind === "found") taken(answer.value);
    else setRefused(answer);
  };
  return (
    <section class="panel own-reads" aria-labelledby="reads-title">
      <header class="panel-head">
        <h2 id="reads-title">What others may see of {actor}</h2>
        <p class="faint">latest first</p>
      </header>
      <Trouble of={asked} />
      {value === null && no === null && <p class="faint">Waiting for the server.</p>}
      {value !== null && value.reads.length === 0 && <p class="faint">Nothing: no read of theirs is shared.</p>}
      {value !== null && value.reads.length > 0 && <Rows reads={value} takeOne={takeOne} />}
      {value?.more === true && <p class="faint foot">The latest {value.reads.length}; there are older ones.</p>}
      <div role="alert">{refused !== null && <Problem no={refused} />}</div>
      <p class="said" role="status" tabIndex={-1} ref={told}>{said.text}</p>
      {value !== null && value.reads.length > 0 && <TakeBack actor={actor} path={path} reads={value.reads} taken={taken} />}
    </section>
  );
}

function Rows({ reads: { reads }, takeOne }: { reads: Reads; takeOne: (url: string) => void }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The list of shared reads" data-scrolls>
      <table class="ledger ledger-names" aria-labelledby="reads-title">
        <thead>
          <tr>
            <th scope="col" data-name>Article</th>
            <th scope="col">Read</th>
            <th scope="col"><span class="unseen">Take back</span></th>
          </tr>
        </thead>
        <tbody>
          {reads.map(({ url, time, until }) => (
            <tr key={url} data-url={url}>
              <th scope="row"><Article url={url} /></th>
              <td>
                <Quarter at={time} />
                <span class="faint day">seen until {dayText(dayStart(dayOf(until - 1, zone())), "short")}</span>
              </td>
              <td class="number">
                <button type="button" class="why" aria-label={`take back: ${shown(url).title}`} onClick={() => takeOne(url)}>take back</button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
