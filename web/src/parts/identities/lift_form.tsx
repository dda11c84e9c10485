import { useEffect, useRef, useState } from "preact/hooks";
import type { No } from "../../ask";
import { whole } from "../../format";
import { idText, type Id } from "../../identities/address";
import type { Detached } from "../../identities/answers";
import { lift } from "../../identities/changing";
import { ReasonForm } from "./reason_form";
import { WouldIds } from "./would_ids";

interface Props {
  id: Id;
  done: (made: Detached) => void;
  stop: () => void;
}

/** Lets a shared id unite again: first it shows whom, and only a second click does it. */
export function LiftForm({ id, done, stop }: Props) {
  const [trial, setTrial] = useState<{ reason: string; would: Detached } | null>(null);
  const [asking, setAsking] = useState(false);
  const [no, setNo] = useState<No | null>(null);
  const send = async (reason: string, dry: boolean) => {
    setAsking(true);
    const answer = await lift(id, reason, dry);
    setAsking(false);
    setNo(answer.kind === "found" ? null : answer);
    if (answer.kind !== "found") setTrial(null);
    else if (dry) setTrial({ reason, would: answer.value });
    else done(answer.value);
  };
  return (
    <div class="detach">
      <ReasonForm title="Lift this id" act="Show what would be" asking={asking && trial === null} no={no} edited={() => setTrial(null)}
        go={(reason) => void send(reason, true)} stop={stop}>
        Lift this id: its links unite whoever they name, those that were said before, too, until that is revoked.
      </ReasonForm>
      {trial !== null && <WouldBe id={id} would={trial.would} asking={asking} make={() => void send(trial.reason, false)} leave={stop} />}
    </div>
  );
}

interface WouldBeProps {
  id: Id;
  would: Detached;
  asking: boolean;
  make: () => void;
  leave: () => void;
}

/** The profile that there would be. */
function WouldBe({ id, would: { profiles }, asking, make, leave }: WouldBeProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  const ids = profiles.find((profile) => profile.ids.some((one) => idText(one) === idText(id)))?.ids ?? [];
  return (
    <div class="trial would-be" ref={place} tabIndex={-1} role="group" aria-label="What would be">
      <p class="sentence">{ids.length <= 1
        ? "This id would stay alone: other guards object to each of its links."
        : `This id would be in one profile of ${whole(ids.length)} ids:`}</p>
      {ids.length > 1 && <ul class="would-profiles"><li><WouldIds ids={ids} first={new Set([idText(id)])} /></li></ul>}
      <p class="trial-buttons">
        <button type="button" class="button button-main" disabled={asking} onClick={make}>{asking ? "Asking" : "Lift it"}</button>
        <button type="button" class="button" onClick={leave}>Leave it</button>
      </p>
    </div>
  );
}
