import { useState } from "preact/hooks";
import { isForbidden, useAsked } from "../ask";
import { page, type PageProps } from "../page";
import { Name } from "../parts/name";
import { DemoNotice } from "../parts/notice";
import { Problem } from "../parts/problem";
import { Consent } from "../parts/reading/consent";
import { Feed } from "../parts/reading/feed";
import { FindPerson } from "../parts/reading/find_person";
import { ChoosePerson, FirstRead, NoPeople } from "../parts/reading/first_read";
import { OwnReads } from "../parts/reading/own_reads";
import { PopularArticles } from "../parts/reading/popular";
import { TrendingArticles } from "../parts/reading/trending";
import { Status } from "../parts/status";
import { activityAddress, actorOf, anyPopularAddress, personPath, readsAddress } from "../reading/address";
import { readActivity, readFriends, readPerson, readPopular, readReads } from "../reading/answers";
import { useWatched } from "../use_watched";
import { viewStream, type LiveViews } from "../view_stream";
import { newsOf } from "../views_address";

export default page({
  path: "/reading", key: "r", title: "Reading", titleOf: actorOf, start: { actor: null, scope: null }, View: Reading,
  // Reads are events like others: it tells when something came, and whether the server is there.
  streams: { views: { stream: viewStream, address: () => "/api/v1/live/views" } },
});

/** What a person's friends read, what is popular and what trends, and what others may see of that person. */
function Reading({ live: { views: live }, hello, search, change, go }: PageProps<{ views: LiveViews }>) {
  const actor = actorOf(search);
  const news = newsOf(live);
  const demo = hello?.mode === "demo";
  const any = useAsked(anyPopularAddress, readPopular, news, 5000).value;
  const none = actor === null && any?.articles.length === 0;
  const find = (name: string | null) => go("/reading", { actor: name, ...(name === null && { scope: null }) });
  return (
    <main id="content" tabIndex={-1} class={live.link === "lost" ? "page old" : "page"}>
      <header class="page-head">
        <h1>{actor === null ? "Reading" : <Name name={actor} />}</h1>
        <Status live={live} />
        <FindPerson actor={actor} find={find} />
      </header>
      {demo && <DemoNotice command={hello.serveCommand} />}
      {actor === null ? <ChoosePerson demo={demo} find={find} /> : <One key={actor} actor={actor} connected={live.hello} />}
      {none && <FirstRead />}
      {!none && (
        <div class="pair halves">
          <PopularArticles search={search} change={change} news={news} />
          <TrendingArticles news={news} />
        </div>
      )}
    </main>
  );
}

const listed = { feed: 50, reads: 100 };

/** All of one person. `connected`: another one after each connect. */
function One({ actor, connected }: { actor: string; connected: unknown }) {
  const [changes, setChanges] = useState(0);
  const path = personPath(actor);
  const known = typeof path === "string" ? path : null;
  const person = useWatched(known, readPerson, changes);
  const forbidden = isForbidden(person.no);
  const asked = forbidden ? null : known;
  const friends = useAsked(asked && `${asked}/friends`, readFriends, connected).value;
  const activity = useWatched(asked && activityAddress(actor, listed.feed), readActivity, changes);
  const reads = useWatched(asked && readsAddress(asked, listed.reads), readReads, changes);
  const renew = () => setChanges((before) => before + 1);
  if (typeof path !== "string") return <section class="panel" aria-label="No person"><Problem no={path} /></section>;
  if (forbidden) return <NoPeople />;
  return (
    <div class="pair">
      <Feed actor={actor} friends={friends} activity={activity} />
      <div class="stack">
        <Consent actor={actor} path={path} person={person} renew={renew} />
        <OwnReads actor={actor} path={path} reads={reads} renew={renew} />
      </div>
    </div>
  );
}
