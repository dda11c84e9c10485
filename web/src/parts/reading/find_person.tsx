import { useEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../../keys";

/** Leads to a person by the name that the application gives them; without a name to nobody's. */
export function FindPerson({ actor, find }: { actor: string | null; find: (actor: string | null) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(actor ?? "");
  useEffect(() => setName(actor ?? ""), [actor]);
  useKeys([{ keys: "/", does: "Find a person", run: () => input.current?.select() }]);
  return (
    <form class="find" role="search" onSubmit={(event) => { event.preventDefault(); find(name === "" ? null : name); }}>
      <label class="unseen" for="find-name">Person</label>
      <input id="find-name" ref={input} value={name} placeholder="person" autocomplete="off" autocapitalize="off" spellcheck={false}
        title={name === "" ? undefined : name} onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => { if (event.key === "Escape") event.currentTarget.blur(); }} />
      <button type="submit" class="button">Find <kbd>/</kbd></button>
    </form>
  );
}
