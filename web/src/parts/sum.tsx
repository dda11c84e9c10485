import { whole } from "../format";
import type { Total } from "../history";

const meaning = "tokens of objects above their counter's limit; they are stored, but whether they are new is not looked up";

/** The name of the tokens that are neither new nor counted already for certain. */
export function AboveLimit({ children = "above a limit" }: { children?: string }) {
  return <span class="term" title={meaning}>{children}</span>;
}

/** The same in full, for those who cannot point at a word. */
export function AboveLimitNote() {
  return <p class="faint foot">Above a limit: {meaning}.</p>;
}

interface Props {
  of: Total;
  /** A line that changes while it is read keeps its form: it names the third part where its neighbours have one. */
  withUnsure?: boolean;
}

/** The line of the account: what was put is the sum of its parts. */
export function Sum({ of, withUnsure = of.unsure > 0 }: Props) {
  return (
    <>
      <b>{whole(of.put)}</b> put = <b class="counted">{whole(of.fresh)}</b> new
      {" "}+ <b>{whole(of.already)}</b> already counted
      {withUnsure && <>{" "}+ <b>{whole(of.unsure)}</b> <AboveLimit /></>}
    </>
  );
}
