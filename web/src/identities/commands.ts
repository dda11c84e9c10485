// The command by which an application would tell that ids are one person.

import { curl, inQuotes, quoted, type Target } from "../counters";
import { written, type Id } from "./address";

/** Two ids to begin with. */
export const sampleIds: readonly [Id, Id] = [
  { identifier: "www", idName: "id", idValue: "w111" }, { identifier: "crm", idName: "email", idValue: "maren@example.org" },
];

export function matchCommand({ origin, keyed }: Target, ids: readonly Id[]): string {
  const said = JSON.stringify({ ids: ids.map(written) });
  return `${curl(keyed)} -H 'Content-Type: application/json' -d ${inQuotes(said)} ${quoted(`${origin}/api/v1/identities/match`)}`;
}
