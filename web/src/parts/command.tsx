import { Fragment, type ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** A command to run in a shell, with a button that copies it. */
export function Command({ text, label }: { text: string; label: string }) {
  const code = useRef<HTMLElement>(null);
  const [said, setSaid] = useState("");

  useEffect(() => {
    if (said === "") return;
    const forget = setTimeout(() => setSaid(""), 2500);
    return () => clearTimeout(forget);
  }, [said]);

  const copy = async () => {
    const copied = await toClipboard(text);
    if (!copied && code.current !== null) getSelection()?.selectAllChildren(code.current);
    setSaid(copied ? "Copied" : "Selected");
  };

  return (
    <div class="command">
      <code ref={code} title={text}>{breakable(text)}</code>
      <button type="button" class="button" aria-label={`${said || "Copy"} ${label}`} onClick={copy}>
        {said || "Copy"}
      </button>
      <span class="unseen" role="status">{said && `${said} ${label}`}</span>
    </div>
  );
}

/** A long address breaks after a slash where it can. */
function breakable(text: string): ComponentChildren {
  return text.split(/(?<=\/)(?!\/)/).map((part, i) => <Fragment key={i}>{i > 0 && <wbr />}{part}</Fragment>);
}

/** The clipboard is there only on https and localhost; elsewhere the command is selected, ready for the reader's own copy. */
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
