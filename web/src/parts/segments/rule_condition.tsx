import { useId } from "preact/hooks";
import { subjects, type Condition } from "../../segments/rule_draft";
import type { Unit } from "../../segments/rule";
import { Labelled } from "./rule_field";

interface Props {
  condition: Condition;
  /** Which one it is, for who does not see. */
  of: number;
  put: (changes: Partial<Condition>) => void;
  /** What the server found fault with, by its own name of the part. */
  fault: { part: string; detail: string } | null;
  /** Null: it is the only one. */
  leave: (() => void) | null;
}

/** One condition: what somebody did, what is said of somebody, or which other segment somebody is in. */
export function ConditionFields({ condition, of, put, fault, leave }: Props) {
  const wrong = (...parts: readonly string[]) => (fault !== null && parts.includes(fault.part) ? fault.detail : null);
  const { kind, negated, between } = condition;
  return (
    <fieldset class="rule-condition">
      <legend class="unseen">Condition {of}</legend>
      <Choice name="People" value={`${negated ? "not " : ""}${kind}`} wrong={null} choices={kinds}
        choose={(value) => put({ negated: value.startsWith("not "), kind: kindOf(value) })} />
      {kind === "event" && (
        <>
          <Text name="Action" value={condition.action} wrong={wrong("action", "event")} type={(action) => put({ action })} placeholder="click" />
          <Choice name="Of" value={condition.subject} wrong={null} choices={[...subjects.map((one) => [one, one] as const), ["", "anything"]]}
            choose={(value) => put({ subject: subjects.find((one) => one === value) ?? "" })} />
          {condition.subject !== "" && (
            <Text name={`Name of the ${condition.subject}`} value={condition.subjectName} wrong={wrong(condition.subject)} wide type={(subjectName) => put({ subjectName })} />
          )}
          <Text name="Times, at least" value={condition.times} wrong={wrong("times")} digits type={(times) => put({ times })} />
          <Text name="Within the last" value={condition.within} wrong={wrong("within")} digits type={(within) => put({ within })} />
          <Choice name="Unit" value={condition.unit} wrong={null} choices={units} choose={(value) => put({ unit: value as Unit })} />
        </>
      )}
      {kind === "datum" && (
        <>
          <Text name="Datum" value={condition.name} wrong={wrong("name", "datum")} placeholder="city" type={(name) => put({ name })} />
          <Choice name="Is" value={between ? "between" : "is"} wrong={null} choices={[["is", "exactly"], ["between", "between"]]}
            choose={(value) => put({ between: value === "between" })} />
          {between ? (
            <>
              <Text name="At least" value={condition.atLeast} wrong={wrong("at_least")} digits type={(atLeast) => put({ atLeast })} />
              <Text name="At most" value={condition.atMost} wrong={wrong("at_most")} digits type={(atMost) => put({ atMost })} />
            </>
          ) : <Text name="Value (a number in quotes is text)" value={condition.is} wrong={wrong("is")} wide placeholder="Oslo" type={(is) => put({ is })} />}
        </>
      )}
      {kind === "segment" && <Text name="Name of the segment" value={condition.segment} wrong={wrong("segment")} wide type={(segment) => put({ segment })} />}
      {leave !== null && <button type="button" class="button rule-leave" aria-label={`Leave out condition ${of}`} onClick={leave}>×</button>}
    </fieldset>
  );
}

const kinds = [
  ["event", "who did"], ["not event", "who did not"], ["datum", "of whom is said"], ["not datum", "of whom is not said"],
  ["segment", "who are in"], ["not segment", "who are not in"],
] as const;
const units = [["d", "days"], ["h", "hours"], ["m", "minutes"], ["s", "seconds"]] as const;

function kindOf(value: string): Condition["kind"] {
  return value.endsWith("datum") ? "datum" : value.endsWith("segment") ? "segment" : "event";
}

interface TextProps {
  name: string;
  value: string;
  wrong: string | null;
  type: (value: string) => void;
  placeholder?: string;
  digits?: boolean;
  wide?: boolean;
}

function Text({ name, value, wrong, type, placeholder, digits = false, wide = false }: TextProps) {
  const hint = useId();
  return (
    <div class={wide ? "rule-wide" : digits ? "rule-digits" : undefined}>
      <Labelled name={name} hint={hint} wrong={wrong}>
        <input value={value} aria-label={name} aria-invalid={wrong !== null} aria-describedby={hint} placeholder={placeholder} autocomplete="off"
          autocapitalize="off" spellcheck={false} inputMode={digits ? "numeric" : "text"} onInput={(event) => type(event.currentTarget.value)} />
      </Labelled>
    </div>
  );
}

interface ChoiceProps {
  name: string;
  value: string;
  wrong: string | null;
  choices: readonly (readonly [string, string])[];
  choose: (value: string) => void;
}

function Choice({ name, value, wrong, choices, choose }: ChoiceProps) {
  const hint = useId();
  return (
    <div>
      <Labelled name={name} hint={hint} wrong={wrong}>
        <select value={value} aria-label={name} onChange={(event) => choose(event.currentTarget.value)}>
          {choices.map(([one, text]) => <option key={one} value={one}>{text}</option>)}
        </select>
      </Labelled>
    </div>
  );
}
