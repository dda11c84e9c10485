// The command by which an application would put ids into a segment.

import { curl, inQuotes, quoted, segment, type Target } from "../counters";

export function addCommand({ origin, keyed }: Target, name = "spring"): string {
  const member = JSON.stringify({ identifier: "www", id_name: "id", id_value: "w111", ttl: 2592000 });
  return `${curl(keyed)} -d ${inQuotes(member)} ${quoted(`${origin}/api/v1/segments/${segment(name)}/members`)}`;
}
