import { useEffect, useRef, useState } from "preact/hooks";
import { endOf, pauses } from "../../reading/changing";

interface Props {
  asking: boolean;
  /** Until a unix second; null: until further notice. */
  pause: (until: number | null) => void;
  stop: () => void;
}

/** Asks for how long. Who opens it stands in it. */
export function PauseForm({ asking, pause, stop }: Props) {
  const [key, setKey] = useState(pauses[0].key);
  const select = useRef<HTMLSelectElement>(null);
  const chosen = pauses.find((one) => one.key === key) ?? pauses[0];
  useEffect(() => select.current?.focus(), []);
  return (
    <form class="take-back" aria-label="Pause" onSubmit={(event) => { event.preventDefault(); pause(endOf(chosen, Date.now() / 1000)); }}
      onKeyDown={(event) => { if (event.key === "Escape") stop(); }}>
      <label>Pause
        <select name="pause" value={key} ref={select} onChange={(event) => setKey(event.currentTarget.value)}>
          {pauses.map((one) => <option key={one.key} value={one.key}>{one.label}</option>)}
        </select>
      </label>
      <button type="submit" class="button" disabled={asking}>{asking ? "Asking" : "Pause"}</button>
      <button type="button" class="button" onClick={stop}>Leave it as it is</button>
    </form>
  );
}
