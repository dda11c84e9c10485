import { Fragment } from "preact";
import { whole } from "../../format";
import type { Fact, Profile } from "../../identities/answers";
import { byNetwork, countEffects, effects } from "../../identities/facts";
import { Figure, FigureLine } from "../figures";
import { Mark } from "../mark";
import { Moment } from "./moment";

interface Props {
  profile: Profile | null;
  /** Null: not known yet. */
  facts: readonly Fact[] | null;
}

/** How large a profile is, and what it rests on. */
export function ProfileFigures({ profile, facts }: Props) {
  const counts = facts && countEffects(facts);
  const mark = <Mark kind={profile?.provisional === true ? "provisional" : "exact"} />;
  const networks = profile && byNetwork(profile.ids);
  const since = profile && Math.min(...profile.ids.map((id) => id.since ?? Infinity));
  return (
    <FigureLine noun="profile" sum={counts && facts && <Sum all={facts.length} counts={counts} />}
      when={since !== null && Number.isFinite(since) && <>known since <Moment at={since} /></>}>
      <Figure name="ids" label="Ids" mark={mark} value={profile && whole(profile.ids.length)}>{profile && "in this profile"}</Figure>
      <Figure name="networks" label="Networks" mark={mark} value={networks && whole(networks.length)}>
        {networks && "that name this person"}
      </Figure>
      <Figure name="links" label="Links" mark={mark} value={counts && whole(counts.holds)}>{counts && "hold the ids together"}</Figure>
      <Figure name="contested" label="Contested" mark={mark} value={counts && whole(counts.contested)}>
        {counts && (counts.contested === 0 ? "no link waits" : "links that wait")}
      </Figure>
      <Figure name="partings" label="Partings" mark={mark} value={counts && whole(counts.parting)}>
        {counts && (counts.parting === 0 ? "nothing was detached" : "keep ids apart")}
      </Figure>
    </FigureLine>
  );
}

/** Why a profile may be another one in a moment. */
export function ProvisionalNotice({ of }: { of: "profile" | "answer" }) {
  return (
    <p class="faint" role="status" data-provisional>
      This {of} may change in a moment: guards are others than before, or much hangs together with one of its ids, and profiles are being settled.
    </p>
  );
}

/** The first three stand always, the others where there are any. */
function Sum({ all, counts }: { all: number; counts: ReturnType<typeof countEffects> }) {
  const shown = effects.filter(({ key }, i) => i < 3 || counts[key] > 0);
  return (
    <>
      <b>{whole(all)}</b> {all === 1 ? "fact" : "facts"} ={" "}
      {shown.map(({ key, one, many }, i) => (
        <Fragment key={key}>
          {i > 0 && " + "}
          <b class={key === "holds" ? "counted" : key === "contested" || key === "parting" ? "refused" : undefined}>{whole(counts[key])}</b>{" "}
          {counts[key] === 1 ? one : many}
        </Fragment>
      ))}
    </>
  );
}
