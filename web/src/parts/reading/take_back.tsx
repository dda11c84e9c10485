import { useRef, useState } from "preact/hooks";
import type { No } from "../../ask";
import type { Part } from "../../reading/address";
import type { OwnRead } from "../../reading/answers";
import { siteOf } from "../../reading/article";
import { instantText, takeBack } from "../../reading/changing";
import { Problem } from "../problem";
import { Sure } from "./sure";

interface Props {
  actor: string;
  path: string;
  reads: readonly OwnRead[];
  taken: (count: number) => void;
}

type Kind = "site" | "from" | "all";

/** Takes back more than one read: of a site, since an instant, or all, which asks first. */
export function TakeBack({ actor, path, reads, taken }: Props) {
  const [kind, setKind] = useState<Kind>("site");
  const [site, setSite] = useState("");
  const [from, setFrom] = useState("");
  const [asks, setAsks] = useState(false);
  const [asking, setAsking] = useState(false);
  const [no, setNo] = useState<No | null>(null);
  const select = useRef<HTMLSelectElement>(null);
  const sites = [...new Set(reads.flatMap(({ url }) => siteOf(url) ?? []))].sort();
  const chosen = sites.includes(site) ? site : sites[0] ?? "";

  const part = (): Part | null => {
    if (kind === "all") return { all: "true" };
    const text = kind === "site" ? chosen : instantText(from);
    if (text === null || text === "") return null;
    return kind === "site" ? { site: text } : { from: text };
  };
  const send = async () => {
    const which = part();
    if (which === null) {
      setNo({ kind: "refused", status: 400, title: "A time is needed", detail: "Say since when reads are to be taken back." });
      return;
    }
    setAsking(true);
    const answer = await takeBack(path, which);
    setAsking(false);
    setAsks(false);
    setNo(answer.kind === "found" ? null : answer);
    if (answer.kind === "found") taken(answer.value);
  };

  if (asks) {
    return (
      <Sure title="Take back all reads" act={asking ? "Asking" : "Take back all"} run={send} stop={() => {
        setAsks(false);
        setTimeout(() => select.current?.focus());
      }}>
        Nobody sees any of them again: the key under which they are kept is destroyed. {actor} goes on sharing what they read from now on.
      </Sure>
    );
  }
  return (
    <form class="take-back" aria-label="Take back several reads"
      onSubmit={(event) => { event.preventDefault(); if (kind === "all") setAsks(true); else void send(); }}>
      <label>Several at once
        <select name="which" value={kind} ref={select} onChange={(event) => { setKind(event.currentTarget.value as Kind); setNo(null); }}>
          <option value="site">all of a site</option>
          <option value="from">all since</option>
          <option value="all">all</option>
        </select>
      </label>
      {kind === "site" && (
        <label class="site-field">Site
          <select name="site" value={chosen} onChange={(event) => setSite(event.currentTarget.value)}>
            {sites.map((one) => <option key={one} value={one}>{one}</option>)}
          </select>
        </label>
      )}
      {kind === "from" && (
        <label>Since
          <input type="datetime-local" name="from" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
        </label>
      )}
      <button type="submit" class="button" disabled={asking}>{asking ? "Asking" : "Take back"}</button>
      {kind === "from" && <p class="faint">With the quarter-hour in which it falls.</p>}
      <div role="alert">{no !== null && <Problem no={no} />}</div>
    </form>
  );
}
