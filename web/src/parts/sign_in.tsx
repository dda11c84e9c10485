import { useEffect, useRef, useState } from "preact/hooks";
import type { No } from "../ask";
import { signIn } from "../door";
import { Brand } from "./brand";
import { Command } from "./command";
import { Problem } from "./problem";

/** "Unauthorized" is a word for programs. */
function worded(no: No): No {
  return no.kind === "refused" && no.status === 401 ? { ...no, title: "not this key" } : no;
}

/** In place of every page, as long as the server asks for a key and none was shown. */
export function SignIn({ why }: { why: string | null }) {
  const input = useRef<HTMLInputElement>(null);
  const [key, setKey] = useState("");
  const [no, setNo] = useState<No | null>(null);
  const [asking, setAsking] = useState(false);

  useEffect(() => input.current?.focus(), []);

  const submit = async () => {
    const shown = key.trim();
    if (shown === "") {
      input.current?.focus();
      return;
    }
    setAsking(true);
    setNo(null);
    const answer = await signIn(shown);
    setAsking(false);
    setNo(answer);
    // The key is not kept longer than it takes; one that was refused is written over by the next.
    if (answer === null) setKey("");
    else input.current?.select();
  };

  return (
    <div class="door">
      <header><Brand /></header>
      <main id="content">
        <section class="panel sign-in" aria-labelledby="sign-in-title">
          <h1 id="sign-in-title">Sign in</h1>
          {why !== null && <p class="sign-in-why" role="status">{why}</p>}
          <p>This server answers whoever shows an API key. To look around here, one with the scope <code>read</code> is enough.</p>
          <form onSubmit={(event) => { event.preventDefault(); void submit(); }}>
            <label for="api-key">API key</label>
            <div class="sign-in-row">
              <input id="api-key" ref={input} type="password" value={key} placeholder="ff_…" autocomplete="current-password"
                autocapitalize="off" spellcheck={false} aria-describedby="api-key-kept" aria-invalid={no !== null}
                onInput={(event) => setKey(event.currentTarget.value)} />
              <button type="submit" class="button button-main" disabled={asking}>{asking ? "Asking" : "Sign in"}</button>
            </div>
          </form>
          <div role="alert">{no !== null && <Problem no={worded(no)} />}</div>
          <p class="faint" id="api-key-kept">
            This page does not keep the key. The browser gets a cookie instead, for 12 hours at most and never longer than the
            key is good.
          </p>
          <div class="sign-in-none">
            <p class="faint">No key yet? Whoever runs this server makes one:</p>
            <Command text="footfall keys add NAME --scope read" label="the command that makes a key" />
          </div>
        </section>
      </main>
    </div>
  );
}
