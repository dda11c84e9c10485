import { useEffect, useRef, useState } from "preact/hooks";
import type { No } from "../../ask";
import { idText } from "../../identities/address";
import type { Detached, Profile } from "../../identities/answers";
import { detach, type Part } from "../../identities/changing";
import { leavesTogether } from "../../identities/facts";
import { ReasonForm } from "./reason_form";
import { WouldIds } from "./would_ids";

interface Props {
  profile: Profile;
  /** What is taken out. */
  part: Part;
  title: string;
  done: (made: Detached) => void;
  stop: () => void;
}

interface Trial {
  reason: string;
  /** Of what it was a trial: it holds of no other state of the profile. */
  of: Profile;
  would: Detached;
}

/** Takes ids or a link out of a profile: first it shows which profiles there would be, and only a second click parts them. */
export function DetachForm({ profile, part, title, done, stop }: Props) {
  const [trial, setTrial] = useState<Trial | null>(null);
  const [asking, setAsking] = useState(false);
  const [no, setNo] = useState<No | null>(null);
  const count = "ids" in part ? part.ids.length : 0;
  // What others say meanwhile, and another choice, make the trial one of something else.
  useEffect(() => setTrial(null), [profile, JSON.stringify(part)]);

  const send = async (reason: string, dry: boolean) => {
    setAsking(true);
    const answer = await detach(profile.sid, part, reason, dry);
    setAsking(false);
    setNo(answer.kind === "found" ? null : answer);
    if (answer.kind !== "found") setTrial(null);
    else if (dry) setTrial({ reason, of: profile, would: answer.value });
    else done(answer.value);
  };
  const shown = trial !== null && trial.of === profile ? trial : null;
  return (
    <div class="detach">
      <ReasonForm title={title} act="Show what would be" asking={asking && shown === null} no={no} edited={() => setTrial(null)}
        go={(reason) => void send(reason, true)} stop={stop}>
        {"ids" in part
          ? <>{title}: {count === 1 ? "it stays" : "they stay"} out of this profile, however often {count === 1 ? "its" : "their"} links are said again, until that is revoked.</>
          : <>{title}: the link does not hold any more, said again or not, until that is revoked.</>}
      </ReasonForm>
      {shown !== null && (
        <WouldBe profile={profile} part={part} would={shown.would} asking={asking} make={() => void send(shown.reason, false)} leave={stop} />
      )}
    </div>
  );
}

interface WouldBeProps {
  profile: Profile;
  part: Part;
  would: Detached;
  asking: boolean;
  make: () => void;
  leave: () => void;
}

/** The profiles that there would be. */
function WouldBe({ profile, part, would: { profiles }, asking, make, leave }: WouldBeProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  const same = leavesTogether(profile.ids, profiles);
  const taken = new Set("ids" in part ? part.ids.map(idText) : []);
  return (
    <div class="trial would-be" ref={place} tabIndex={-1} role="group" aria-label="What would be">
      <p class="sentence">{same
        ? "No profile would change: other links hold the same ids together."
        : `There would be ${profiles.length} profiles:`}</p>
      {!same && (
        <ol class="would-profiles">
          {profiles.map(({ sid, ids }) => (
            <li key={sid} data-sid={sid}>
              <p><b>{sid === profile.sid ? "This profile" : "Another profile"}</b> <span class="faint">{ids.length === 1 ? "1 id" : `${ids.length} ids`}</span></p>
              <WouldIds ids={ids} first={taken} />
            </li>
          ))}
        </ol>
      )}
      <p class="trial-buttons">
        <button type="button" class="button button-main" disabled={asking} onClick={make}>{asking ? "Asking" : "ids" in part ? "Detach" : "Undo the link"}</button>
        <button type="button" class="button" onClick={leave}>Leave it</button>
      </p>
    </div>
  );
}
