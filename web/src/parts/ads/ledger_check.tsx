import type { Check } from "../../ads/answers";
import { clock, dayOf, dayText, whole } from "../../format";
import { dayStart } from "../../days";

/** Above all else where the ledger and the clicks behind it disagree. */
export function LedgerDiffers({ check }: { check: Check | null }) {
  if (check === null || check.differences === 0) return null;
  return (
    <section class="panel problem-panel" aria-labelledby="differs-title">
      <h2 id="differs-title">The ledger differs from its clicks</h2>
      <p>
        <code>footfall verify ads</code> found {whole(check.differences)} {check.differences === 1 ? "difference" : "differences"}
        {check.at !== null && ` at ${moment(check.at)}`}. Until they are explained, seal nothing and pay nothing.
      </p>
      <ul class="differences">{check.first.map((one) => <li key={one}>{one}</li>)}</ul>
      {check.first.length < check.differences && <p class="faint">The command prints all of them.</p>}
    </section>
  );
}

/** When it was found to agree. */
export function LedgerAgrees({ check }: { check: Check | null }) {
  if (check === null || check.differences > 0) return null;
  return (
    <p class="faint foot">
      {check.at === null
        ? <>The ledger was not yet held to its clicks: <code>footfall verify ads</code> does so.</>
        : `Held to its clicks at ${moment(check.at)}: no difference.`}
    </p>
  );
}

/** A unix second in the reader's zone. */
export function moment(at: number): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return `${dayText(dayStart(dayOf(at, zone)))}, ${clock(at, "minute")}`;
}
