import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { isForbidden, type Asked } from "../ask";
import { endsOf, findOf, guardOf, idAddress, idText, profilePath, wantedOf, type Ends, type Wanted } from "../identities/address";
import { readFound, readProfile, readWhy, type Detached, type Fact, type Found, type Profile } from "../identities/answers";
import type { Act } from "../identities/facts";
import { page, type PageProps } from "../page";
import { Chain } from "../parts/identities/chain";
import { ContestedLinks } from "../parts/identities/contested_links";
import { ProfileData } from "../parts/identities/data";
import { FindId } from "../parts/identities/find_id";
import { FirstMatch, NoProfiles, Unclear, UnknownId, UnknownProfile } from "../parts/identities/first_match";
import { WhyGraph } from "../parts/identities/graph";
import { Members } from "../parts/identities/members";
import { ProfileFigures, ProvisionalNotice } from "../parts/identities/profile_figures";
import { SharedNotice } from "../parts/identities/shared_notice";
import { Tied } from "../parts/identities/tied";
import { Name } from "../parts/name";
import { DemoNotice } from "../parts/notice";
import { Problem } from "../parts/problem";
import { useTables } from "../parts/series";
import { Status } from "../parts/status";
import { Trouble } from "../parts/trouble";
import { useWatched } from "../use_watched";
import { viewStream, type LiveViews } from "../view_stream";

export default page({
  path: "/identities", key: "p", title: "Identities", titleOf: findOf, start: { find: null, from: null, to: null, guard: null }, View: Identities,
  // Matches are events like others: it tells whether the server is there.
  streams: { views: { stream: viewStream, address: () => "/api/v1/live/views" } },
});

/** Which customer an id is: one profile of many networks, why it is one, and how it is taken apart again. */
function Identities({ live: { views: live }, hello, search, go, change }: PageProps<{ views: LiveViews }>) {
  const text = findOf(search);
  const wanted = useMemo(() => (text === null ? null : wantedOf(text)), [text]);
  const find = (next: string | null) => go("/identities", { find: next, from: null, to: null });
  const ends = useMemo(() => endsOf(search), [search]);
  const askEnds = (next: Ends | null) => change({ from: next?.from ?? null, to: next?.to ?? null });
  return (
    <main id="content" tabIndex={-1} class={live.link === "lost" ? "page old" : "page"}>
      <header class="page-head">
        <h1>{text === null ? "Identities" : wanted?.kind === "profile" ? `Profile ${wanted.sid.slice(0, 8)}` : <Name name={text} />}</h1>
        <Status live={live} />
        <FindId text={text} find={find} />
      </header>
      {hello?.mode === "demo" && <DemoNotice command={hello.serveCommand} />}
      {wanted === null && <FirstMatch demo={hello?.mode === "demo"} find={find} />}
      {wanted === null && <Tied ends={ends} start={null} near={[]} ask={askEnds} find={find} />}
      {wanted === null && <ContestedLinks guard={guardOf(search)} choose={(guard) => change({ guard })} find={find} />}
      {wanted?.kind === "unclear" && <Unclear text={wanted.text} />}
      {wanted !== null && wanted.kind !== "unclear" && <One key={text} wanted={wanted} ends={ends} askEnds={askEnds} find={find} />}
    </main>
  );
}

type Sought = Exclude<Wanted, { kind: "unclear" }>;

interface OneProps {
  wanted: Sought;
  /** Of which ids it is asked how they are tied. */
  ends: Ends | null;
  askEnds: (ends: Ends | null) => void;
  find: (text: string) => void;
}

/** What somebody looked for, as far as there is any. */
function One({ wanted, ends, askEnds, find }: OneProps) {
  const [changes, setChanges] = useState(0);
  const address = wanted.kind === "id" ? idAddress(wanted.id) : null;
  const found = useWatched(typeof address === "string" ? address : null, readFound, changes);
  const sid = wanted.kind === "profile" ? wanted.sid : found.value?.sid ?? null;
  const profile = useWatched(sid && profilePath(sid), readProfile, changes);
  const facts = useWatched(sid && `${profilePath(sid)}/why`, readWhy, changes);
  if (address !== null && typeof address !== "string") return <section class="panel" aria-label="No id"><Problem no={address} /></section>;
  if ([found, profile, facts].some(({ no }) => isForbidden(no))) return <NoProfiles />;
  if (wanted.kind === "id" && isUnknown(found)) return <UnknownId id={wanted.id} />;
  if (wanted.kind === "profile" && isUnknown(profile)) return <UnknownProfile sid={wanted.sid} />;
  return (
    <Whole wanted={wanted} ends={ends} askEnds={askEnds} find={find} found={found} profile={profile} facts={facts}
      renew={() => setChanges((before) => before + 1)} />
  );
}

interface WholeProps extends OneProps {
  found: Asked<Found>;
  profile: Asked<Profile>;
  facts: Asked<Fact[]>;
  /** Something was changed here. */
  renew: () => void;
}

function Whole({ wanted, ends, askEnds, found, profile: asked, facts, find, renew }: WholeProps) {
  const tables = useTables();
  const [said, setSaid] = useState<Said>({ text: "", sids: [], times: 0 });
  const profile = asked.value;
  // Since when a shared id is known nobody keeps.
  const alone = profile?.ids.length === 1 ? profile.ids.find(({ since }) => since === null) ?? null : null;
  // The same trouble of several questions is told once.
  const trouble = [found, asked, facts].find(({ no, value }) => no !== null && (value === null || no.kind === "refused"));
  const detached = (what: string, { sids }: Detached) => {
    setSaid({ text: `${what}. The chain has it, and there it can be revoked.`, sids, times: said.times + 1 });
    renew();
  };
  const decided = (act: Act) => {
    setSaid({ text: act === "accept" ? "Accepted." : act === "reject" ? "Rejected." : "Revoked.", sids: [], times: said.times + 1 });
    renew();
  };
  return (
    <>
      <SaidLine said={said} here={profile?.sid ?? null} find={find} />
      {trouble !== undefined && <section class="panel" aria-label="No answer"><Trouble of={trouble} /></section>}
      {profile !== null && <ProfileLine wanted={wanted} sid={profile.sid} find={find} />}
      {alone !== null && <SharedNotice key={idText(alone)} id={alone} found={found.value} lifted={(made) => detached("Lifted", made)} />}
      {(profile !== null || trouble === undefined) && <ProfileFigures profile={profile} facts={facts.value} />}
      {profile?.provisional === true && <ProvisionalNotice of="profile" />}
      {profile !== null && (
        <Tied ends={ends} start={wanted.kind === "id" ? wanted.id : profile.ids[0] ?? null} near={profile.ids} ask={askEnds} find={find} />
      )}
      {profile !== null && facts.value !== null && <WhyGraph profile={profile} facts={facts.value} tables={tables} find={find} />}
      {profile !== null && <ProfileData profile={profile} find={find} />}
      {profile !== null && (
        <div class="pair profile-pair">
          <Members key={profile.sid} profile={profile} find={find} detached={detached} />
          {facts.value !== null && <Chain profile={profile} facts={facts.value} detached={detached} decided={decided} />}
        </div>
      )}
    </>
  );
}

/** Which profile this is. */
function ProfileLine({ wanted, sid, find }: { wanted: Sought; sid: string; find: (text: string) => void }) {
  if (wanted.kind === "id") {
    return <p class="profile-line">is in the profile <button type="button" class="why sid" onClick={() => find(sid)}>{sid}</button></p>;
  }
  if (wanted.sid === sid) return <p class="profile-line">by its sid <span class="sid">{sid}</span></p>;
  return <p class="profile-line"><span class="sid">{wanted.sid}</span> is part of the profile <button type="button" class="why sid" onClick={() => find(sid)}>{sid}</button> now</p>;
}

interface Said {
  text: string;
  /** Profiles that ids are in now. */
  sids: readonly string[];
  times: number;
}

/** What was done, where whoever did it stands afterwards: what they used for it is gone. */
function SaidLine({ said: { text, sids, times }, here, find }: { said: Said; here: string | null; find: (text: string) => void }) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => { if (times > 0) place.current?.focus(); }, [times]);
  return (
    <p class="said identities-said" role="status" tabIndex={-1} ref={place}>
      {text}
      {sids.filter((sid) => sid !== here).slice(0, 4).map((sid) => <button type="button" class="why sid" key={sid} onClick={() => find(sid)}>profile {sid}</button>)}
    </p>
  );
}

function isUnknown({ value, no }: Asked<unknown>): boolean {
  return value === null && no?.kind === "refused" && no.status === 404;
}
