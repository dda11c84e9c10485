import { useEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../keys";

interface Props {
  object: string | null;
  /** Names to offer. */
  known: readonly string[];
  find: (object: string | null) => void;
}

/** Leads to an object by its whole name. */
export function FindObject({ object, known, find }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(object ?? "");
  useEffect(() => setName(object ?? ""), [object]);
  useKeys([{ keys: "/", does: "Find an object", run: () => input.current?.select() }]);
  return (
    <form class="find" role="search" onSubmit={(event) => { event.preventDefault(); find(name === "" ? null : name); }}>
      <label class="unseen" for="find-name">Object</label>
      <input id="find-name" ref={input} value={name} placeholder="object" list="find-known" autocomplete="off"
        autocapitalize="off" spellcheck={false} title={name === "" ? undefined : name}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => { if (event.key === "Escape") event.currentTarget.blur(); }} />
      <datalist id="find-known">{known.map((one) => <option key={one} value={one} />)}</datalist>
      <button type="submit" class="button">Find <kbd>/</kbd></button>
    </form>
  );
}
