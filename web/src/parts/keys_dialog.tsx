import { useEffect, useRef, useState } from "preact/hooks";
import { bindings, letterKeys } from "../keys";

const shown: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→" };

/** The list of keys. A native dialog: it keeps focus inside, closes by Esc and gives focus back. */
export function KeysDialog({ open, close }: { open: boolean; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [letters, setLetters] = useState(letterKeys.on);

  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);

  return (
    <dialog ref={dialog} class="keys" aria-labelledby="keys-title" onClose={close}
      onClick={(event) => { if (event.target === dialog.current) close(); }}>
      <div class="keys-body">
        <h2 id="keys-title">Keys</h2>
        <dl>
          {open && bindings().map((binding) => (
            <div key={binding.keys}>
              <dt>{binding.keys.split(" ").map((key) => <kbd key={key}>{shown[key] ?? key}</kbd>)}</dt>
              <dd>{binding.does}</dd>
            </div>
          ))}
          <div><dt><kbd>Esc</kbd></dt><dd>Close this list, leave a field</dd></div>
        </dl>
        <label class="check">
          <input type="checkbox" checked={letters} onChange={(event) => {
            letterKeys.set(event.currentTarget.checked);
            setLetters(letterKeys.on());
          }} />
          Letters and signs work as keys
        </label>
        <button type="button" class="button" autofocus onClick={close}>Close</button>
      </div>
    </dialog>
  );
}
