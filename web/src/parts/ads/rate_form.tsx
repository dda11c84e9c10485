import { useEffect, useRef, useState } from "preact/hooks";
import { fractionOf, percentText } from "../../ads/percent";
import type { RateChange } from "../../ads/rates";
import { useRateChange } from "../../ads/use_rate_change";
import { isDay } from "../../day_range";
import { dayStart } from "../../days";
import { dayText } from "../../format";
import { Problem } from "../problem";
import { RateTrial } from "./rate_trial";

interface Props {
  path: string;
  etag: string | null;
  today: string;
  /** The day whose rate is taken back; null: a rate is given. */
  withdrawing: string | null;
  stop: () => void;
  /** The rates may be others now. */
  renew: () => void;
}

/** Gives a rate, or takes one back: first it shows what would move, and only a second click moves it. */
export function RateForm({ path, etag, today, withdrawing, stop, renew }: Props) {
  const [day, setDay] = useState(withdrawing ?? today);
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const [said, setSaid] = useState("");
  /** Whether what is missing is told: not before somebody wants to go on. */
  const [strict, setStrict] = useState(false);
  const { tried, no, asking, look, make, forget } = useRateChange(path, etag);
  const share = fractionOf(typed);
  const wrong = !isDay(day) ? "A day is needed." : withdrawing === null ? share.wrong : null;
  const isLate = no?.kind === "refused" && no.status === 412;

  // Another list of rates than the one that was seen: the new one is shown.
  useEffect(() => {
    if (isLate) renew();
  }, [isLate]);

  const edit = (set: (text: string) => void) => (text: string) => {
    set(text);
    setSaid("");
    setStrict(false);
    forget();
  };
  const go = () => {
    setStrict(true);
    setSaid("");
    if (wrong === null) void look({ day, fraction: withdrawing === null ? share.fraction : null, reason });
  };
  const record = async () => {
    const made = await make();
    if (made === null) return;
    setTyped("");
    setReason("");
    setStrict(false);
    setSaid(made.recorded ? `Recorded: ${changeText(made.change)}.` : "Nothing was recorded: this holds already.");
    renew();
  };

  return (
    <section class="panel rate-form" aria-labelledby="rate-form-title">
      <header class="panel-head">
        <h2 id="rate-form-title">{withdrawing === null ? "A new rate" : `Withdraw the rate of ${dayText(dayStart(withdrawing))}`}</h2>
        {withdrawing !== null && <p><button type="button" class="button" onClick={stop}>{said === "" ? "Keep it" : "Close"}</button></p>}
      </header>
      <Fields given={withdrawing === null ? { day, setDay: edit(setDay), typed, setTyped: edit(setTyped) } : null} reason={reason}
        setReason={edit(setReason)} wrong={strict && share.wrong !== null} asking={asking} go={go} />
      <p class={strict && wrong !== null ? "refused" : "faint"} id="rate-hint" role="status">
        {strict && wrong !== null ? wrong : hint(withdrawing, share.fraction)}
      </p>
      <div role="alert">{no !== null && (
        <Problem no={no}>
          {isLate && <p>Nothing was recorded. The rates are shown anew; look at what moves once more.</p>}
        </Problem>
      )}</div>
      {tried !== null && <RateTrial {...tried} asking={asking} make={() => void record()} leave={forget} />}
      <p role="status" class={said === "" ? "unseen" : "said"}>{said}</p>
    </section>
  );
}

interface FieldsProps {
  /** Null where a rate is taken back: its day is known, and it has no share. */
  given: { day: string; setDay: (day: string) => void; typed: string; setTyped: (typed: string) => void } | null;
  reason: string;
  setReason: (reason: string) => void;
  wrong: boolean;
  asking: boolean;
  go: () => void;
}

function Fields({ given, reason, setReason, wrong, asking, go }: FieldsProps) {
  const why = useRef<HTMLInputElement>(null);
  // Whoever chose to take a rate back is brought here.
  useEffect(() => {
    if (given === null) why.current?.focus();
  }, []);
  return (
    <form onSubmit={(event) => { event.preventDefault(); go(); }}>
      {given !== null && (
        <>
          <label>From <input type="date" name="day" value={given.day} onInput={(event) => given.setDay(event.currentTarget.value)} /></label>
          <label>Percent
            <input name="percent" value={given.typed} placeholder="30" inputMode="decimal" autocomplete="off" size={8}
              aria-invalid={wrong} aria-describedby="rate-hint" onInput={(event) => given.setTyped(event.currentTarget.value)} />
          </label>
        </>
      )}
      <label class="wide-field">Reason
        <input name="reason" ref={why} value={reason} autocomplete="off" placeholder={given === null ? "why it is taken back" : "why it changes"}
          onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <button type="submit" class="button" disabled={asking}>Show what moves</button>
    </form>
  );
}

function changeText({ day, fraction }: RateChange): string {
  const from = dayText(dayStart(day));
  return fraction === null ? `the rate of ${from} is withdrawn` : `${percentText(fraction)} from ${from}`;
}

/** How the server will read what was typed, or what is to be typed. */
function hint(withdrawing: string | null, fraction: string | null): string {
  if (withdrawing !== null) return "From that day on the rate before it holds again. The change stays in the list.";
  if (fraction === null) return "Of the whole amount: 30 or 30 %. It holds until the day of the next rate; days in the past move, too.";
  if (percentText(fraction).startsWith("0.")) return `This is ${percentText(fraction)}, less than one in a hundred. For a share of 0.3 write 30.`;
  return `This is ${percentText(fraction)}, sent as "${fraction}".`;
}
