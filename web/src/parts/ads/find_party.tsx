import { useEffect, useRef, useState } from "preact/hooks";
import { kinds, type Kind, type Party } from "../../ads/address";
import { useKeys } from "../../keys";

/** Leads to a reseller, a publisher or an ad by its whole name; without a name to all of them. */
export function FindParty({ party, find }: { party: Party | null; find: (party: Party | null) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [kind, setKind] = useState<Kind>(party?.kind ?? "reseller");
  const [name, setName] = useState(party?.name ?? "");
  useEffect(() => {
    setKind(party?.kind ?? "reseller");
    setName(party?.name ?? "");
  }, [party?.kind, party?.name]);
  useKeys([{ keys: "/", does: "Find a reseller, publisher or ad", run: () => input.current?.select() }]);
  return (
    <form class="find" role="search" onSubmit={(event) => { event.preventDefault(); find(name === "" ? null : { kind, name }); }}>
      <label class="unseen" for="find-kind">What to find</label>
      <select id="find-kind" value={kind} onChange={(event) => setKind(kinds.find((one) => one === event.currentTarget.value) ?? kind)}>
        {kinds.map((one) => <option key={one} value={one}>{one}</option>)}
      </select>
      <label class="unseen" for="find-name">Its name</label>
      <input id="find-name" ref={input} value={name} placeholder="name" autocomplete="off" autocapitalize="off" spellcheck={false}
        title={name === "" ? undefined : name} onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => { if (event.key === "Escape") event.currentTarget.blur(); }} />
      <button type="submit" class="button">Find <kbd>/</kbd></button>
    </form>
  );
}
