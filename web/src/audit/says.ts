// What an entry says, as a sentence before it is data.

import type { Entry } from "./answers";

const acts: Readonly<Record<string, string>> = {
  key_added: "An API key was added", key_revoked: "An API key was revoked",
  rate_set: "A rate was set", rate_withdrawn: "A rate was withdrawn", month_sealed: "A month was sealed", ad_set: "An ad was registered",
  rules_set: "The program started with other rules", identity_guards_set: "The program started with other guards",
  person_said: "A person's consent or friends were said", people_said: "Consent or friends of several were said",
  reads_taken_back: "Reads were taken back", detached: "Ids or facts were detached", identity_decided: "A link was decided",
  decision_revoked: "A decision was revoked", links_undone: "Links of a source were undone", decisions_revoked: "Decisions were revoked",
  rates_imported: "Rates were imported", people_imported: "People were imported", erased: "Somebody was erased",
  segment_dropped: "A segment was dropped", webhook_put: "A webhook was put", webhook_removed: "A webhook was removed",
  webhook_resumed: "A webhook was resumed", backup_begun: "A backup was begun", refused: "The act before was refused, and not done",
  facts: "What was said of identities, as roots", head: "The head of another region", head_refused: "A head that does not go on",
};

/** In words; a kind that is not known here is told as it is called. */
export function actOf(kind: string): string {
  return acts[kind] ?? kind.replaceAll("_", " ");
}

/** Members of the detail that say the most, "name: value", as many as a line has room for. */
export function wordsOf({ detail }: Pick<Entry, "detail">): string {
  return Object.entries(detail).filter(([, value]) => !standsForPersons(value)).map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`).join(" · ");
}

/** {"person":0}: the place of what is said of persons, which stands elsewhere. */
function standsForPersons(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).join() === "person";
}

/** How many of the persons that it is about are forgotten. */
export function forgotten({ said }: Pick<Entry, "said">): number {
  return said.filter((one) => one === null).length;
}

/** JSON as it is read: with lines and blanks where it is JSON. */
export function spread(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
