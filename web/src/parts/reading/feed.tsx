import { useState } from "preact/hooks";
import type { Asked } from "../../ask";
import { whole } from "../../format";
import type { Activity, FriendsArticle } from "../../reading/answers";
import { someNames } from "../../reading/article";
import { Problem } from "../problem";
import { Article } from "./article";
import { FirstFriend } from "./first_read";
import { Quarter } from "./quarter";

interface Props {
  actor: string;
  /** Null: not known yet. */
  friends: number | null;
  activity: Asked<Activity>;
}

/** What a person's friends read lately, the latest first, and who of them. */
export function Feed({ actor, friends, activity: { value, no } }: Props) {
  const found = value?.articles.length ?? 0;
  return (
    <section class="panel feed" aria-labelledby="feed-title">
      <header class="panel-head">
        <h2 id="feed-title">Friends read</h2>
        <p class="faint">latest first{friends !== null && friends > 0 && ` · of ${whole(friends)} friends, as far as they share`}</p>
      </header>
      {no !== null && <Problem no={no} />}
      {value === null && no === null && <p class="faint">Waiting for the server.</p>}
      {value !== null && found === 0 && (friends === 0
        ? <FirstFriend actor={actor} />
        : <p class="faint">None of the friends shared a read in the last 30 days.</p>)}
      {value !== null && found > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="The list of what friends read" data-scrolls>
          <table class="ledger ledger-names" aria-labelledby="feed-title">
            <thead>
              <tr>
                <th scope="col" data-name>Article</th>
                <th scope="col">Read by</th>
                <th scope="col">Latest</th>
              </tr>
            </thead>
            <tbody>
              {value.articles.map((one) => (
                <tr key={one.url} data-url={one.url}>
                  <th scope="row"><Article url={one.url} /></th>
                  <td><Readers article={one} /></td>
                  <td><Quarter at={one.latest} /></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {found > 0 && (
        <p class="faint foot">
          Of who read when, only the quarter-hour of the latest read is kept.{value?.more === true && " Older articles are left out."}
        </p>
      )}
    </section>
  );
}

function Readers({ article: { readers, count, url } }: { article: FriendsArticle }) {
  const [all, setAll] = useState(false);
  const { names, left } = all ? { names: readers, left: count - readers.length } : someNames(readers, count);
  const more = left > 0 && !all && readers.length > names.length;
  return (
    <span class="readers">
      {names.map((name) => <span class="reader" key={name}>{name}</span>)}
      {more && (
        <button type="button" class="why" aria-label={`and ${left} more who read ${url}`} onClick={() => setAll(true)}>+{left}</button>
      )}
      {!more && left > 0 && <span class="faint">and {left} more</span>}
    </span>
  );
}
