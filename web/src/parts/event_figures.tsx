import { eventAccount, type EventPart } from "../account";
import { clock, rate, shares, whole, wholeOrNone } from "../format";
import { lastSeconds, newestSecond, sumOf, total, type History } from "../history";
import type { Range } from "../range";
import type { Report } from "../reports";
import { Figure, Figures, knownFrom, When } from "./figures";
import { Mark, PeopleMark } from "./mark";

interface Props {
  history: History<EventPart>;
  range: Range;
  started: number | null;
  /** Of all objects. */
  today: Report | null;
}

/** What came in over the last seconds, and how many people came today. */
export function EventFigures({ history, range, started, today }: Props) {
  const sum = history.end === null ? null : total(history.zero, lastSeconds(history, range.seconds));
  const now = newestSecond(history);
  const parts = sum && shares([sum.parts.counted, sum.parts.refused]);
  const known = knownFrom(history, range, started);
  const exact = <Mark kind="exact" />;
  return (
    <Figures account={eventAccount} sum={sum} when={<When history={history} range={range} known={known} />}>
      <Figure name="events" label="Events" mark={exact} value={sum && whole(sum.all)}>
        {sum && `${rate(sum.all / (now.time - known + 1))} a second on average`}
      </Figure>
      <Figure name="counted" label="Counted" mark={exact} value={sum && whole(sum.parts.counted)}>
        {sum && (parts === null ? "no events" : `${parts[0]} of events`)}
      </Figure>
      <Figure name="refused" label="Refused" mark={exact} value={sum && whole(sum.parts.refused)}>
        {sum && (parts === null ? "no events" : `${parts[1]} of events`)}
      </Figure>
      <Figure name="events-now" label="Per second now" mark={exact} value={sum && whole(sumOf(now.parts))}>
        {sum && `in the second of ${clock(now.time)}`}
      </Figure>
      <Figure name="people" label="People today" mark={today && <PeopleMark {...today} />}
        value={today && wholeOrNone(today.people)}>
        {today && `saw something, ${today.peopleTz}`}
      </Figure>
    </Figures>
  );
}
