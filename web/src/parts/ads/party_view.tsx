import { useMemo, useState } from "preact/hooks";
import { clicksAddress, currencyOf, groupOf, incomeAddress, type Party } from "../../ads/address";
import { readClickReport, type Months } from "../../ads/answers";
import { askedFor, groupedBy } from "../../ads/grouped";
import { readIncome } from "../../ads/income";
import { useMoney } from "../../ads/use_money";
import { isForbidden, useAsked, type No } from "../../ask";
import type { DayRange } from "../../day_range";
import { dayOf } from "../../format";
import type { Changes } from "../../page";
import { Problem } from "../problem";
import { Adjustments } from "./adjustments";
import { ClickReportPanels } from "./click_report";
import { CurrencyChoice } from "./currency_choice";
import { NoMoney } from "./first_click";
import { IncomeFigures } from "./income_figures";
import { IncomeSeries } from "./income_series";
import { RateForm } from "./rate_form";
import { RatesPanel } from "./rates_panel";
import { StatementLink } from "./statement_link";
import { WeekMap } from "./week_map";

export interface PartyProps {
  party: Party;
  path: string;
  search: string;
  range: DayRange;
  /** Another one when there may be other clicks. */
  news: unknown;
  months: Months | null;
  theme: string;
  tables: { asTable: boolean; toggle: () => void };
  change: (changes: Changes) => void;
  leave: () => void;
}

/** A reseller or publisher: what they earned, at which rates, and what changed after the fact. */
export function PartyIncome(props: PartyProps) {
  const { party, path, search, range, news, months, theme, tables, change, leave } = props;
  const [changes, setChanges] = useState(0);
  const group = groupOf(search, party.kind);
  const asked = askedFor(group);
  const income = useMoney(incomeAddress(path, range, asked), currencyOf(search), readIncome(asked), `${news} ${changes}`);
  const grouped = useMemo(() => income.value && groupedBy(group, income.value), [income.value, group]);
  if (isForbidden(income.no)) return <><NoMoney /><PartyClicks {...props} /></>;
  const zone = months?.zone ?? "UTC";
  const changed = () => setChanges(changes + 1);
  if (income.value === null && income.no !== null && income.currencies.length === 0) {
    return (
      <>
        <Missing no={income.no} leave={leave} />
        {isUnknown(income.no) && <FirstRate party={party} path={path} zone={zone} changed={changed} />}
      </>
    );
  }
  return (
    <>
      <div class="party-tools">
        <CurrencyChoice currencies={income.currencies} currency={income.currency} change={change} />
        <StatementLink path={path} currency={income.currency} months={monthsToChoose(months, zone)} />
      </div>
      {income.no !== null && <section class="panel" aria-label="No newer figures"><Problem no={income.no} /></section>}
      <IncomeFigures income={income.value} spoken={range.spoken} />
      <IncomeSeries income={grouped} kind={party.kind} group={group} spoken={range.spoken} theme={theme} tables={tables} change={change} />
      <RatesPanel path={path} theme={theme} zone={zone} changed={changed} />
      <Adjustments income={income.value} />
      {income.value !== null && <WeekMap path={path} range={range} currency={income.currency} news={news} asTable={tables.asTable} />}
    </>
  );
}

/** An ad, or any party for who may not see money: its clicks. */
export function PartyClicks({ path, range, news, theme, tables, leave }: PartyProps) {
  const { value, no } = useAsked(clicksAddress(path, range), readClickReport, news);
  if (value === null && no !== null) return <Missing no={no} leave={leave} />;
  return <ClickReportPanels report={value} range={range} theme={theme} tables={tables} />;
}

function isUnknown(no: No): boolean {
  return no.kind === "refused" && no.status === 404;
}

/** Whoever has no click yet may have a rate already. */
function FirstRate({ party: { kind, name }, path, zone, changed }: { party: Party; path: string; zone: string; changed: () => void }) {
  return (
    <>
      <p class="faint">A rate that is given to <b>{name}</b> makes a {kind} of it, who earns from the first click on.</p>
      <RateForm path={path} etag={null} today={dayOf(Date.now() / 1000, zone)} withdrawing={null} stop={() => {}} renew={changed} />
    </>
  );
}

function Missing({ no, leave }: { no: No; leave: () => void }) {
  return (
    <section class="panel" aria-label="No figures">
      <Problem no={no}><button type="button" class="button" onClick={leave}>Show all resellers and publishers</button></Problem>
    </section>
  );
}

/** The ledger's, or where they are not told the last two years'. */
function monthsToChoose(months: Months | null, zone: string): readonly string[] {
  if (months !== null && months.months.length > 0) return months.months.map(({ month }) => month);
  const now = dayOf(Date.now() / 1000, zone);
  const [year, month] = [Number(now.slice(0, 4)), Number(now.slice(5, 7))];
  return Array.from({ length: 24 }, (_, back) => new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7));
}
