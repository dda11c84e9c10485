import { useEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../../keys";

/** Leads to the profile of an id, or to a profile by its sid. */
export function FindId({ text, find }: { text: string | null; find: (text: string | null) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text ?? "");
  useEffect(() => setTyped(text ?? ""), [text]);
  useKeys([{ keys: "/", does: "Find an id or a profile", run: () => input.current?.select() }]);
  return (
    <form class="find" role="search" onSubmit={(event) => { event.preventDefault(); find(typed === "" ? null : typed); }}>
      <label class="unseen" for="find-name">Id, as network/id name/value, or the sid of a profile</label>
      <input id="find-name" ref={input} value={typed} placeholder="www/id/w111" autocomplete="off" autocapitalize="off" spellcheck={false}
        title={typed === "" ? undefined : typed} onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => { if (event.key === "Escape") event.currentTarget.blur(); }} />
      <button type="submit" class="button">Find <kbd>/</kbd></button>
    </form>
  );
}
