import { useMemo, useState } from "preact/hooks";
import { percentText } from "../../ads/percent";
import { rateOn, readRates, stepsOf } from "../../ads/rates";
import { useAsked } from "../../ask";
import { dayOf } from "../../format";
import { Problem } from "../problem";
import { RateForm } from "./rate_form";
import { RateTable } from "./rate_table";
import { RateTimeline } from "./rate_timeline";

interface Props {
  path: string;
  theme: string;
  /** Of the ledger's days. */
  zone: string;
  /** A rate was recorded: income is another now. */
  changed: () => void;
}

/** The rates of a party: over time, as the list of their changes, and a further one. */
export function RatesPanel({ path, theme, zone, changed }: Props) {
  const [news, setNews] = useState(0);
  const [withdrawing, setWithdrawing] = useState<string | null>(null);
  const { value, no } = useAsked(`${path}/rates`, readRates, news, 0);
  const steps = useMemo(() => stepsOf(value?.changes ?? []), [value]);
  const today = dayOf(Date.now() / 1000, zone);
  const renew = () => {
    setNews(news + 1);
    changed();
  };
  return (
    <>
      <section class="panel series rates-panel" aria-labelledby="rates-title">
        <header class="panel-head">
          <h2 id="rates-title">Rates</h2>
          {value !== null && <p class="faint">today <b>{percentText(rateOn(steps, today))}</b></p>}
        </header>
        {no !== null && <Problem no={no} />}
        {value === null && no === null && <p class="faint waiting">Waiting for the server.</p>}
        {value !== null && value.changes.length === 0 && <p class="faint">No rate was ever given: the share is 0 %.</p>}
        {steps.length > 0 && <RateTimeline steps={steps} today={today} theme={theme} />}
        {value !== null && value.changes.length > 0 && <RateTable changes={value.changes} today={today} withdraw={setWithdrawing} />}
      </section>
      {value !== null && (
        <RateForm key={withdrawing ?? ""} path={path} etag={value.etag} today={today} withdrawing={withdrawing}
          stop={() => setWithdrawing(null)} renew={renew} />
      )}
    </>
  );
}
