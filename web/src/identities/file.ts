// The facts of a profile as a file.

import { nameCell, type Column } from "../csv";
import { timestamp } from "../format";
import { idText } from "./address";
import type { Fact } from "./answers";
import { effectOf } from "./facts";

export const factColumns: readonly Column<Fact>[] = [
  { name: "fact", of: ({ fact }) => fact },
  { name: "kind", of: ({ kind }) => kind },
  { name: "effect", of: effectOf },
  { name: "contested", of: ({ contested }) => contested },
  { name: "ids", of: ({ ids }) => nameCell(ids.map(idText).join("\n")) },
  { name: "others", of: ({ others }) => nameCell(others.map(idText).join("\n")) },
  { name: "about", of: ({ about }) => about },
  { name: "time", of: ({ time }) => timestamp(time) },
  { name: "recorded", of: ({ recorded }) => timestamp(recorded) },
  { name: "source", of: ({ source }) => nameCell(source) },
  { name: "author", of: ({ author }) => nameCell(author) },
  { name: "reason", of: ({ reason }) => nameCell(reason) },
  { name: "says", of: ({ says }) => nameCell(says) },
];
