// The graph of a profile: each id a line across, each fact a line down through the ids that it names.
//
// Facts stand in the order of the chain and have its numbers, ids in the order in which facts name them: so a profile is seen to grow,
// step by step. Data hold nothing together and have no line: their numbers are those that the drawing leaves out.
// Ids that facts name, and that are not in the profile, stand below the others.

import { idText, type Id } from "./address";
import type { Fact } from "./answers";
import { effectOf, type Effect } from "./facts";

export interface GraphRow {
  id: Id;
  /** Whether it is in the profile. */
  inside: boolean;
  /** Places of the first and last fact that is drawn and names it. Null: none does. */
  first: number | null;
  last: number | null;
}

export interface GraphColumn {
  fact: Fact;
  /** As the chain counts it, from 1. */
  number: number;
  effect: Effect;
  /** Places of the rows that it names, ascending; `others`: of the other side of a parting. */
  rows: readonly number[];
  others: readonly number[];
}

export interface Graph {
  rows: readonly GraphRow[];
  columns: readonly GraphColumn[];
  /** How many ids and facts are not drawn: there are too many for a drawing. */
  left: { ids: number; facts: number };
}

/** A drawing of more is no drawing. */
export const drawn = { ids: 100, facts: 200 };

export function graphOf(members: readonly Id[], facts: readonly Fact[], most: { ids: number; facts: number } = drawn): Graph {
  const inside = new Set(members.map(idText));
  const numbered = facts.map((fact, place) => ({ fact, number: place + 1 })).filter(({ fact }) => fact.kind !== "datum");
  const shown = numbered.slice(0, most.facts);
  const named = new Map<string, Id>();
  for (const id of [...shown.flatMap(({ fact: { ids, others } }) => [...ids, ...others]), ...members]) {
    const text = idText(id);
    if (!named.has(text)) named.set(text, id);
  }
  const all = [...named.keys()];
  const order = [...all.filter((text) => inside.has(text)), ...all.filter((text) => !inside.has(text))];
  const places = new Map(order.slice(0, most.ids).map((text, place) => [text, place]));
  const placesOf = (ids: readonly Id[]) => ids.flatMap((id) => places.get(idText(id)) ?? []).sort((one, other) => one - other);

  const rows = [...places.keys()].map((text): GraphRow => ({
    id: named.get(text) as Id, inside: inside.has(text), first: null, last: null,
  }));
  const columns = shown.map(({ fact, number }, column): GraphColumn => {
    const [own, others] = [placesOf(fact.ids), placesOf(fact.others)];
    for (const place of [...own, ...others]) {
      const row = rows[place];
      if (row === undefined) continue;
      row.first ??= column;
      row.last = column;
    }
    return { fact, number, effect: effectOf(fact), rows: own, others };
  });
  return { rows, columns, left: { ids: order.length - rows.length, facts: numbered.length - columns.length } };
}

/** The numbers of the facts with an effect that name an id. */
export function numbersOf(graph: Graph, place: number, effect: Effect): readonly number[] {
  return graph.columns.flatMap((column) => (
    column.effect === effect && (column.rows.includes(place) || column.others.includes(place)) ? [column.number] : []));
}
