import { useState } from "preact/hooks";
import { currencyOf, liveAddress, partyOf, partyPath, splitAddress, toParty, type Party } from "../ads/address";
import { readCheck, readMonths, readSplit, type Check, type Months } from "../ads/answers";
import { signOf } from "../ads/money";
import { useMoney } from "../ads/use_money";
import { isForbidden, useAsked, type Asked } from "../ask";
import { clickStream, type LiveClicks as Live } from "../click_stream";
import { page, type PageProps } from "../page";
import { CurrencyChoice } from "../parts/ads/currency_choice";
import { FindParty } from "../parts/ads/find_party";
import { FirstClick, NoMoney } from "../parts/ads/first_click";
import { LedgerDiffers } from "../parts/ads/ledger_check";
import { LedgerMonths } from "../parts/ads/ledger_months";
import { LiveClicks } from "../parts/ads/live_clicks";
import { PartyList } from "../parts/ads/party_list";
import { PartyClicks, PartyIncome } from "../parts/ads/party_view";
import { SplitFigures } from "../parts/ads/split_figures";
import { DayRanges } from "../parts/day_ranges";
import { Name } from "../parts/name";
import { DemoNotice } from "../parts/notice";
import { Problem } from "../parts/problem";
import { useTables } from "../parts/series";
import { Status } from "../parts/status";
import { newsOf, rangeNow } from "../views_address";

export default page({
  path: "/clicks", key: "c", title: "Clicks & income", titleOf: (search) => partyOf(search)?.name ?? null,
  start: toParty(null), View: Clicks,
  streams: { clicks: { stream: clickStream, address: liveAddress } },
});

type Props = PageProps<{ clicks: Live }>;

/** Clicks as they come, and what resellers and publishers earn by them: of all together, or of one. */
function Clicks(props: Props) {
  const { live: { clicks: live }, hello, search, change, go, theme } = props;
  const party = partyOf(search);
  const tables = useTables();
  const [seals, setSeals] = useState(0);
  // With the first click the ledger begins; with a seal, or after a connect, its months may be others.
  const anyClick = live.history.seconds.length > 0;
  const months = useAsked("/api/v1/ledger/months", readMonths, `${live.hello?.started} ${anyClick} ${seals}`, 0);
  const check = useAsked("/api/v1/ledger/check", readCheck, live.hello).value;
  const find = (one: Party | null) => go("/clicks", toParty(one));
  const liveChart = <LiveClicks live={live} party={party} search={search} change={change} theme={theme} tables={tables} />;
  return (
    <main id="content" tabIndex={-1} class={live.link === "lost" ? "page old" : "page"}>
      <header class="page-head">
        <h1>{party === null ? "Clicks & income" : <Name name={party.name} />}</h1>
        {party !== null && <p class="faint">{party.kind}</p>}
        <Status live={live} />
        <FindParty party={party} find={find} />
        {party !== null && <DayRanges search={search} change={change} />}
      </header>
      {hello?.mode === "demo" && <DemoNotice command={hello.serveCommand} />}
      <LedgerDiffers check={check} />
      {party === null
        ? (
          <>
            {liveChart}
            <All {...props} months={months} check={check} find={find} renew={() => setSeals(seals + 1)} />
          </>
        )
        : (
          <>
            <One key={`${party.kind} ${party.name}`} party={party} {...props} tables={tables} months={months.value} leave={() => find(null)} />
            {liveChart}
          </>
        )}
    </main>
  );
}

interface AllProps extends Props {
  months: Asked<Months>;
  check: Check | null;
  find: (party: Party) => void;
  renew: () => void;
}

/** Who gets what, the largest parties, and the ledger's months. */
function All({ live: { clicks: live }, hello, search, change, months, check, find, renew }: AllProps) {
  const range = rangeNow(search);
  const news = newsOf(live);
  const split = useMoney(splitAddress(range), currencyOf(search), readSplit, news);
  const forbidden = isForbidden(split.no);
  const currency = split.value?.currency ?? split.currency;
  const none = split.value !== null && signOf(split.value.amount) === 0 && range.from === null && live.history.seconds.length === 0;
  return (
    <>
      {forbidden && <NoMoney />}
      {none && <FirstClick taken={hello?.takesEvents ?? true} />}
      {!forbidden && !none && (
        <>
          <div class="page-head">
            <DayRanges search={search} change={change} />
            <CurrencyChoice currencies={split.currencies} currency={split.currency} change={change} />
          </div>
          {split.no !== null && <section class="panel" aria-label="No split"><Problem no={split.no} /></section>}
          {(split.value !== null || split.no === null) && (
            <SplitFigures split={split.value} currency={currency} months={months.value} range={range} />
          )}
        </>
      )}
      <div class="pair halves">
        {(["reseller", "publisher"] as const).map((kind) => (
          <PartyList key={kind} kind={kind} currency={none ? null : currency} ready={split.value !== null || split.no !== null} news={news}
            pick={(name) => find({ kind, name })} />
        ))}
      </div>
      {!forbidden && !none && <LedgerMonths months={months} check={check} renew={renew} />}
    </>
  );
}

interface OneProps extends Props {
  party: Party;
  tables: { asTable: boolean; toggle: () => void };
  months: Months | null;
  leave: () => void;
}

function One({ party, live: { clicks: live }, search, change, theme, tables, months, leave }: OneProps) {
  const path = partyPath(party);
  if (typeof path !== "string") return <section class="panel" aria-label="No figures"><Problem no={path} /></section>;
  const shared = { party, path, search, range: rangeNow(search), news: newsOf(live), months, theme, tables, change, leave };
  return party.kind === "ad" ? <PartyClicks {...shared} /> : <PartyIncome {...shared} />;
}
