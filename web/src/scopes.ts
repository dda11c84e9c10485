// What whoever looks at the page may ask for.

import { useEffect, useState } from "preact/hooks";
import { ask } from "./ask";
import { readCaller, session, useDoor } from "./door";

/** The scopes of the key that was shown; null: not known yet, or nobody has to show one. */
export function useScopes(): readonly string[] | null {
  const door = useDoor();
  const [scopes, setScopes] = useState<readonly string[] | null>(null);
  useEffect(() => {
    let over = false;
    setScopes(null);
    if (door.kind !== "signed") return;
    void ask(session, readCaller).then((answer) => {
      if (!over && answer.kind === "found" && answer.value.name !== null) setScopes(answer.value.scopes);
    });
    return () => { over = true; };
  }, [door]);
  return scopes;
}
