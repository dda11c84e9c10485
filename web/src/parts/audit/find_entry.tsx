import { useEffect, useRef, useState } from "preact/hooks";
import { numberOf } from "../../audit/address";
import { useKeys } from "../../keys";

/** Leads to an entry by its number. */
export function FindEntry({ entry, find }: { entry: number | null; find: (entry: number | null) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState(false);
  useEffect(() => { setTyped(entry === null ? "" : String(entry)); setWrong(false); }, [entry]);
  useKeys([{ keys: "/", does: "Find an entry by its number", run: () => input.current?.select() }]);
  const go = () => {
    const number = numberOf(typed);
    setWrong(number === null && typed.trim() !== "");
    if (number !== null || typed.trim() === "") find(number);
  };
  return (
    <form class="find" role="search" onSubmit={(event) => { event.preventDefault(); go(); }}>
      <label class="unseen" for="find-entry">Number of an entry</label>
      <input id="find-entry" ref={input} value={typed} placeholder="number of an entry" inputMode="numeric" autocomplete="off"
        aria-invalid={wrong} aria-describedby="find-entry-hint" onInput={(event) => { setTyped(event.currentTarget.value); setWrong(false); }}
        onKeyDown={(event) => { if (event.key === "Escape") event.currentTarget.blur(); }} />
      <button type="submit" class="button">Find <kbd>/</kbd></button>
      <p id="find-entry-hint" class="unseen" role="status">{wrong ? "A number of digits is needed." : ""}</p>
    </form>
  );
}
