import type { Words } from "../../segments/rule";

/** A rule as sentences in each other. */
export function RuleWords({ words: { text, parts } }: { words: Words }) {
  return (
    <div class="rule-words">
      <p>People {text}</p>
      {parts.length > 0 && <Parts parts={parts} />}
    </div>
  );
}

function Parts({ parts }: { parts: readonly Words[] }) {
  return <ul>{parts.map(({ text, parts: further }, at) => <li key={at}>{text}{further.length > 0 && <Parts parts={further} />}</li>)}</ul>;
}
