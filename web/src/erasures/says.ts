// What an erasure waits for, in words.

const waits: Readonly<Record<string, string>> = {
  tables: "Rows that name it are looked for in all tables, and taken out.",
  log: "Blocks of the log of judged events that name it are written anew.",
  kafka: "Topics cannot be written anew: they let go of what is old after keep_events.",
  compaction: "Files keep what was erased until they are written anew: minutes here, days on a cluster.",
};

export function waitsFor(part: string): string {
  return waits[part] ?? part;
}

const names: Readonly<Record<string, string>> = { tables: "tables", log: "log", kafka: "topics", compaction: "files" };

export function partName(part: string): string {
  return names[part] ?? part;
}

const what: Readonly<Record<string, string>> = { profile: "a profile", actor: "an actor", restore: "taken over with a backup" };

export function kindName(kind: string): string {
  return what[kind] ?? kind;
}

/** "2 ids" */
export function many(count: number, one: string): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : `${one}s`}`;
}
