import { useEffect, useRef, useState } from "preact/hooks";
import type { Answer } from "../ask";
import { getCommand, lookUp, type Found } from "../counters";
import { useTarget } from "../door";
import { clock, whole } from "../format";
import { useKeys } from "../keys";
import { Command } from "./command";
import { Mark, markOf } from "./mark";
import { Name } from "./name";
import { Problem } from "./problem";

/** An object picked elsewhere on the page; each picking is a new value, so the same object can be asked for twice. */
export interface Picked {
  object: string;
}

type Asked = { object: string; at: number; answer: Answer<Found> } | null;

export function LookUp({ picked }: { picked: Picked | null }) {
  const input = useRef<HTMLInputElement>(null);
  const target = useTarget();
  const newest = useRef(0);
  const [name, setName] = useState("");
  const [asked, setAsked] = useState<Asked>(null);
  const [asking, setAsking] = useState(false);

  useKeys([{ keys: "/", does: "Look up an object", run: () => input.current?.select() }]);

  const ask = async (object: string) => {
    if (object === "") {
      input.current?.focus();
      return;
    }
    // Answers may overtake each other; only the last question counts.
    const turn = ++newest.current;
    setAsking(true);
    const answer = await lookUp(object);
    if (turn !== newest.current) return;
    setAsking(false);
    setAsked({ object, at: Date.now() / 1000, answer });
  };

  useEffect(() => {
    if (picked === null) return;
    setName(picked.object);
    void ask(picked.object);
  }, [picked]);

  return (
    <section class="panel look-up" aria-labelledby="look-up-title">
      <header class="panel-head">
        <h2 id="look-up-title">Look up an object</h2>
        <p class="faint"><kbd>/</kbd></p>
      </header>
      <form onSubmit={(event) => { event.preventDefault(); void ask(name); }}>
        <label class="unseen" for="look-up-name">Object</label>
        <input id="look-up-name" ref={input} value={name} placeholder="object" autocomplete="off" autocapitalize="off"
          spellcheck={false} onInput={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => { if (event.key === "Escape") event.currentTarget.blur(); }} />
        <button type="submit" class="button">Look up</button>
      </form>
      <div class="answer" role="status" aria-busy={asking}>
        {asked === null
          ? <p class="faint">How many distinct tokens an object has, asked of the server now. Asking never counts.</p>
          : <AnswerText asked={asked} />}
      </div>
      <p class="faint foot">The same from a shell</p>
      <Command text={getCommand(target, safe(name) || "object_id")} label="the command that asks for this object" />
    </section>
  );
}

function AnswerText({ asked }: { asked: NonNullable<Asked> }) {
  const { answer } = asked;
  if (answer.kind === "found") {
    const { counter, limit } = answer.value;
    return (
      <>
        <p class="answer-name"><Name name={counter.object} /></p>
        <p class="answer-count"><span class="value">{whole(counter.count)}</span> <Mark kind={markOf(counter)} /></p>
        <p class="faint">
          {counter.count === 0 ? "No live token; this object was never counted, or its tokens expired." : tokens(counter.count)}
          {counter.atLeast && limit !== null && ` Counted exactly up to ${whole(limit)}.`} Asked at {clock(asked.at)}.
        </p>
      </>
    );
  }
  return <Problem no={answer}><p class="faint"><Name name={asked.object} /></p></Problem>;
}

function tokens(count: number): string {
  return count === 1 ? "One distinct token." : "Distinct tokens.";
}

/** While a character of two halves is being typed the name is not valid text; the command waits for the other half. */
function safe(name: string): string {
  try {
    encodeURIComponent(name);
    return name;
  } catch {
    return "";
  }
}
