import type { Asked } from "../ask";
import { Problem } from "./problem";

/** Why there is no newer answer. Where an older one stands and the server is away, the page says so once, not each list. */
export function Trouble({ of: { value, no } }: { of: Asked<unknown> }) {
  return no !== null && (value === null || no.kind === "refused") ? <Problem no={no} /> : null;
}
