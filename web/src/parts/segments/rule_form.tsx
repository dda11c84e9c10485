import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { No } from "../../ask";
import { readRule, writeRule } from "../../segments/rule";
import { draftOf, faultAt, fresh, jsonOf, type Condition, type Draft } from "../../segments/rule_draft";
import { Problem } from "../problem";
import { ConditionFields } from "./rule_condition";
import { Labelled } from "./rule_field";

interface Props {
  name: string;
  /** The rule as it is, as JSON; null: there is none. */
  rule: unknown;
  done: () => void;
  stop: () => void;
}

/** As many conditions as can be read beside each other; the server takes more, as JSON. */
const conditionsMost = 12;

/** Writes a rule: as conditions, or as JSON where it is deeper. What the server finds fault with it says, at the field. */
export function RuleForm({ name, rule, done, stop }: Props) {
  const given = rule === null ? { join: "all", conditions: [fresh] } as const : draftOf(readRule(rule));
  const [draft, setDraft] = useState<Draft>(given ?? { join: "all", conditions: [fresh] });
  const [json, setJson] = useState<string | null>(given === null ? pretty(rule) : null);
  const [no, setNo] = useState<No | null>(null);
  const [asking, setAsking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("select, input, textarea")?.focus(), []);
  const field = no?.kind === "refused" ? no.field ?? "" : "";
  const fault = json === null ? faultAt(draft, field) : null;
  const detail = no?.detail ?? "";
  // Whoever sent it is brought to what is wrong.
  useEffect(() => {
    if (fault !== null || (no !== null && json !== null)) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [no]);

  const edit = (next: Draft) => { setDraft(next); setNo(null); };
  const put = (at: number, changes: Partial<Condition>) =>
    edit({ ...draft, conditions: draft.conditions.map((one, place) => (place === at ? { ...one, ...changes } : one)) });
  const send = async () => {
    if (asking) return;
    const wanted = json === null ? { rule: jsonOf(draft) } : parsed(json);
    if (wanted === null) return setNo({ kind: "refused", status: 400, title: "", detail: "this is not JSON", field: "rule" });
    setAsking(true);
    const answer = await writeRule(name, wanted.rule);
    setAsking(false);
    if (answer.kind === "found") done();
    else setNo(answer);
  };
  const back = () => {
    const again = json === null ? null : parsedDraft(json);
    if (again === null) return setNo({ kind: "refused", status: 400, title: "", detail: "conditions beside each other cannot say this", field: "rule" });
    edit(again);
    setJson(null);
  };
  return (
    <form class="rule-form" ref={form} aria-label={`The rule of ${name}`} onSubmit={(event) => { event.preventDefault(); void send(); }}
      onKeyDown={(event) => { if (event.key === "Escape") stop(); }}>
      {json === null ? (
        <>
          {draft.conditions.length > 1 && (
            <label class="rule-join">Of these{" "}
              <select value={draft.join} onChange={(event) => edit({ ...draft, join: event.currentTarget.value === "any" ? "any" : "all" })}>
                <option value="all">all hold</option>
                <option value="any">any holds</option>
              </select>
            </label>
          )}
          <ol class="rule-conditions">
            {draft.conditions.map((one, at) => (
              <li key={at}>
                <ConditionFields condition={one} of={at + 1} put={(changes) => put(at, changes)}
                  fault={fault?.at === at ? { part: fault.part, detail } : null}
                  leave={draft.conditions.length === 1 ? null
                    : () => edit({ ...draft, conditions: draft.conditions.filter((_, place) => place !== at) })} />
              </li>
            ))}
          </ol>
        </>
      ) : <JsonField text={json} edit={(text) => { setJson(text); setNo(null); }} wrong={no === null ? null : field === "" ? detail : `${field}: ${detail}`} />}
      <div role="alert">{no !== null && fault === null && json === null && <Problem no={no} />}</div>
      <p class="trial-buttons">
        <button type="submit" class="button button-main" disabled={asking}>{asking ? "Writing" : "Write the rule"}</button>
        {json === null && draft.conditions.length < conditionsMost && (
          <button type="button" class="button" onClick={() => edit({ ...draft, conditions: [...draft.conditions, fresh] })}>Add a condition</button>
        )}
        {json === null
          ? <button type="button" class="button" onClick={() => { setJson(pretty(jsonOf(draft))); setNo(null); }}>As JSON</button>
          : <button type="button" class="button" onClick={back}>As conditions</button>}
        <button type="button" class="button" onClick={stop}>Leave it</button>
      </p>
    </form>
  );
}

function JsonField({ text, edit, wrong }: { text: string; edit: (text: string) => void; wrong: string | null }) {
  const hint = useId();
  return (
    <Labelled name="The rule as JSON" hint={hint} wrong={wrong}>
      <textarea value={text} rows={Math.min(20, 3 + text.split("\n").length)} spellcheck={false} autocapitalize="off" aria-label="The rule as JSON"
        aria-invalid={wrong !== null} aria-describedby={hint} onInput={(event) => edit(event.currentTarget.value)} />
    </Labelled>
  );
}

function pretty(rule: unknown): string {
  return JSON.stringify(rule, null, 2);
}

function parsed(text: string): { rule: unknown } | null {
  try {
    return { rule: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

function parsedDraft(text: string): Draft | null {
  try {
    return draftOf(readRule(JSON.parse(text)));
  } catch {
    return null;
  }
}
