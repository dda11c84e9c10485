import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { incomeAddress, inCurrency, weekRange } from "../../ads/address";
import { readIncome } from "../../ads/income";
import { busiest, hourText, weekdays, weekOf, type Week } from "../../ads/week";
import { useAsked } from "../../ask";
import type { DayRange } from "../../day_range";
import { dayStart } from "../../days";
import { dayOf, daysText, whole } from "../../format";
import { Problem } from "../problem";

interface Props {
  path: string;
  range: DayRange;
  currency: string | null;
  /** Another one when there may be other clicks. */
  news: unknown;
  asTable: boolean;
}

/** Hours are many, and a click more changes little: milliseconds between two askings. */
const pause = 60_000;

const readHours = readIncome("hour");

/** At which hours of the week clicks come: the more, the darker. */
export function WeekMap({ path, range, currency, news, asTable }: Props) {
  const days = weekRange(range, dayOf(Date.now() / 1000, range.tz));
  const address = incomeAddress(path, days, "hour");
  const { value, no } = useAsked(currency === null ? address : inCurrency(address, currency), readHours, news, pause);
  const week = value === null ? null : weekOf(value.rows);
  const most = week && busiest(week);
  return (
    <section class="panel week" aria-labelledby="week-title" data-series="week">
      <header class="panel-head">
        <h2 id="week-title">Clicks by hour of the week</h2>
        <p class="faint">{days.from !== null && days.to !== null && daysText(dayStart(days.from), dayStart(days.to))}, {range.tz}</p>
      </header>
      {no !== null && <Problem no={no} />}
      {week === null && no === null && <p class="faint">Waiting for the server.</p>}
      {week !== null && (most === null
        ? <p class="faint">No clicks on these days.</p>
        : asTable ? <WeekTable week={week} /> : <WeekGrid week={week} most={most} />)}
    </section>
  );
}

function WeekGrid({ week, most }: { week: Week; most: string }) {
  const [pointed, setPointed] = useState<string | null>(null);
  return (
    <>
      <p class="readout"><span>{pointed ?? `most clicks: ${most}`}</span><span><b>{whole(week.all)}</b> clicks</span></p>
      <div class="week-map" role="img" onPointerLeave={() => setPointed(null)}
        aria-label={`Heat map, ${whole(week.all)} clicks by weekday and hour; most on ${most}, ${whole(week.most)}. The table holds its rows.`}>
        {week.hours.map((line, weekday) => (
          <Fragment key={weekday}>
            <span>{weekdays[weekday]?.slice(0, 3)}</span>
            {line.map((clicks, hour) => (
              <i key={hour} onPointerEnter={() => setPointed(`${weekdays[weekday]}, ${hourText(hour)}: ${whole(clicks)}`)}>
                <b style={{ opacity: clicks / week.most }} />
              </i>
            ))}
          </Fragment>
        ))}
        <span />
        {[0, 6, 12, 18].map((hour) => <span class="week-hour" key={hour}>{hourText(hour)}</span>)}
      </div>
      <p class="week-scale faint" aria-hidden="true">none <i /> {whole(week.most)} clicks</p>
    </>
  );
}

function WeekTable({ week }: { week: Week }) {
  return (
    <div class="series-table" tabIndex={0} role="region" aria-label="Clicks by hour of the week, as a table" data-scrolls>
      <table class="ledger ledger-numbers">
        <thead>
          <tr>
            <th scope="col">Hour</th>
            {weekdays.map((name) => <th scope="col" class="number" key={name}>{name}</th>)}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: 24 }, (_, hour) => (
            <tr key={hour}>
              <th scope="row">{hourText(hour)}</th>
              {week.hours.map((line, weekday) => <td class="number" key={weekday}>{whole(line[hour] ?? 0)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
