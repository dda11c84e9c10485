import { allText, partsShown, type Account } from "../account";
import { whole } from "../format";
import type { Total } from "../history";

/** A word that explains itself on a closer look. */
export function Term({ children, meaning }: { children: string; meaning: string | undefined }) {
  return meaning === undefined ? <>{children}</> : <span class="term" title={meaning}>{children}</span>;
}

/** The same in full, for those who cannot point at a word. */
export function Meanings<P extends string>({ account, of }: { account: Account<P>; of: Total<P> }) {
  return (
    <>
      {partsShown(account, of).map(({ key, label, meaning }) => (
        meaning !== undefined && <p class="faint foot" key={key}>{label[0]?.toUpperCase()}{label.slice(1)}: {meaning}.</p>
      ))}
    </>
  );
}

interface Props<P extends string> {
  account: Account<P>;
  of: Total<P>;
  /** A line that changes while it is read keeps its form: it names the rare parts where its neighbours have some. */
  like?: Total<P>;
}

/** The line of the account: the whole is the sum of its parts. */
export function Sum<P extends string>({ account, of, like = of }: Props<P>) {
  return (
    <>
      <b>{whole(of.all)}</b> {allText(account, of.all)} ={" "}
      {partsShown(account, like).map(({ key, label, tone, meaning }, i) => (
        <span key={key}>
          {i > 0 && " + "}
          <b class={tone === "counted" ? "counted" : tone.startsWith("refused") ? "refused" : undefined}>
            {whole(of.parts[key])}
          </b>{" "}
          <Term meaning={meaning}>{label}</Term>
        </span>
      ))}
    </>
  );
}
