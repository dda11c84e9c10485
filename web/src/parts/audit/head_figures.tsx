import type { Entry, Head } from "../../audit/answers";
import { forgotten } from "../../audit/says";
import { whole } from "../../format";
import { Figure, FigureLine } from "../figures";
import { Moment } from "../identities/moment";

interface Props {
  /** Null: not known yet. */
  head: Head | null;
  newest: Entry | null;
}

/** What whoever keeps a head keeps: how many entries there are, and the one hash that stands for all of them. */
export function HeadFigures({ head, newest }: Props) {
  return (
    <FigureLine noun="the audit log" sum={head === null ? null : <>root <span class="hash">{head.root}</span></>}
      when={head === null ? undefined : <>signed <Moment at={head.signed} /></>}>
      <Figure name="size" label="Entries" value={head === null ? null : whole(head.size)}>
        {head !== null && (head.size === 0 ? "no act was recorded yet" : `0 to ${whole(head.size - 1)}`)}
      </Figure>
      <Figure name="root" label="Root" value={head === null ? null : head.root.slice(0, 8)} exact={head?.root}>
        {head !== null && "one hash for all entries"}
      </Figure>
      <Figure name="signed" label="Signed" value={head === null ? null : ago(head.signed)}>
        {head !== null && "with each entry anew"}
      </Figure>
      <Figure name="key" label="Key" value={head === null ? null : keyName(head.key)} exact={head?.key}>
        {head !== null && "Ed25519, of this deployment"}
      </Figure>
      <Figure name="newest" label="Newest entry" value={newest === null ? (head?.size === 0 ? "none" : null) : newest.kind.replaceAll("_", " ")}>
        {newest !== null && <>by {newest.author}{forgotten(newest) > 0 && ", of persons who are forgotten"}</>}
      </Figure>
    </FigureLine>
  );
}

/** Of "name+1a2b3c4d+base64" the digits that tell keys of one name apart. */
function keyName(key: string): string {
  return key.split("+")[1] ?? key;
}

function ago(second: number): string {
  const seconds = Math.max(0, Date.now() / 1000 - second);
  if (seconds < 90) return "just now";
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`;
  return seconds < 129_600 ? `${Math.round(seconds / 3600)} h ago` : `${whole(Math.round(seconds / 86_400))} days ago`;
}
