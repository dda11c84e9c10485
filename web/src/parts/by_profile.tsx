import type { Asked } from "../ask";
import { dayOf, dayText, whole } from "../format";
import { dayStart } from "../days";
import { useKeys } from "../keys";
import type { Changes } from "../page";
import type { ProfileReport } from "../reports";
import { Figure } from "./figures";
import { Mark } from "./mark";

interface SwitchProps {
  on: boolean;
  change: (changes: Changes) => void;
}

/** Whether people are told by profile, too. The address keeps it. */
export function ByProfileSwitch({ on, change }: SwitchProps) {
  const toggle = () => change({ by: on ? null : "profile" });
  useKeys([{ keys: "p", does: "people by profile, or not", run: toggle }]);
  return (
    <button type="button" class="button" aria-pressed={on} onClick={toggle}>By profile <kbd>p</kbd></button>
  );
}

/** How many people the actors are, as identities know them; of what the log still has, which is said where it is not all. */
export function ProfileFigure({ asked: { value, no } }: { asked: Asked<ProfileReport> }) {
  return (
    <Figure name="by-profile" label="People by profile" value={value && whole(value.people)}
      mark={value && <Mark kind={value.provisional ? "provisional" : "exact"} />}>
      {no !== null ? no.detail : value === null ? "being counted from the log" : actorsNote(value)}
    </Figure>
  );
}

function actorsNote({ actors, partial, since, tz }: ProfileReport): string {
  const of = `of ${whole(actors)} ${actors === 1 ? "actor" : "actors"}`;
  return partial && since !== null ? `${of}; events before ${dayText(dayStart(dayOf(since, tz)))} are kept no more` : of;
}
