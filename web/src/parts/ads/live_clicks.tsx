import { useMemo } from "preact/hooks";
import { stretchOf, type Party } from "../../ads/address";
import { sinceFirst } from "../../ads/stretch";
import { clickAccount, type LiveClicks as Live } from "../../click_stream";
import { csvName, csvOf, download, secondColumns } from "../../csv";
import { timestamp } from "../../format";
import { buckets } from "../../history";
import type { Changes } from "../../page";
import { ranges } from "../../range";
import { clockScale } from "../../scale";
import { Series } from "../series";

interface Props {
  live: Live;
  party: Party | null;
  search: string;
  change: (changes: Changes) => void;
  theme: string;
  tables: { asTable: boolean; toggle: () => void };
}

/** Clicks as they come, counted and refused: of all, of an ad, or of a reseller. */
export function LiveClicks({ live, party, search, change, theme, tables }: Props) {
  const chosenRange = stretchOf(search);
  const range = useMemo(() => sinceFirst(live.history, chosenRange), [live.history, chosenRange]);
  const rows = useMemo(() => buckets(live.history, range.seconds, range.width), [live.history, range]);
  const chosen = party === null || party.kind === "publisher" ? null : party;
  return (
    <Series id="live" account={clickAccount} rows={rows} scale={clockScale(range)} heading="Clicks a second"
      title={`Clicks per ${range.step}`} mark="exact" spoken={range.spoken} theme={theme} tables={tables}
      waiting="Waiting for the first second."
      tools={
        <label>
          <span class="unseen">How far back</span>
          <select class="small" value={range.key} onChange={(event) => change({ range: event.currentTarget.value })}>
            {ranges.map((one) => <option key={one.key} value={one.key}>{one.spoken}</option>)}
          </select>
        </label>
      }
      save={() => download(csvName("clicks", range.key, timestamp(live.history.end ?? 0)),
        csvOf(secondColumns(clickAccount, false), rows))}>
      <p class="faint foot">
        {chosen === null ? "Of all ads and resellers." : `Of this ${chosen.kind} alone.`}
        {range !== chosenRange && ` Nothing came before in the ${chosenRange.spoken}.`}
        {party === null && " Find a reseller or an ad to see its clicks alone."}
      </p>
    </Series>
  );
}
