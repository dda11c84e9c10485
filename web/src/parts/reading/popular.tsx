import { useAsked } from "../../ask";
import { whole } from "../../format";
import { useKeys } from "../../keys";
import type { Changes } from "../../page";
import { actorOf, circleOf, popularAddress, windowOf, windows, type Circle } from "../../reading/address";
import { readPopular, type Popular } from "../../reading/answers";
import { Mark } from "../mark";
import { Ranges } from "../ranges";
import { Trouble } from "../trouble";
import { Article } from "./article";

interface Props {
  search: string;
  change: (changes: Changes) => void;
  news: unknown;
}

const listed = 10;
const circles: readonly { key: Circle; label: string }[] = [{ key: "all", label: "All" }, { key: "friends", label: "Friends" }];

/** The articles that most people read within a window: of all who share, or of somebody's friends. */
export function PopularArticles({ search, change, news }: Props) {
  const circle = circleOf(search);
  const window = windowOf(search);
  const chosen = actorOf(search) !== null;
  const address = popularAddress(search, listed);
  const asked = useAsked(address, readPopular, news, 2000);
  // Nobody is shown what belongs to the friends of another.
  const value = asked.address === address || circle === "all" ? asked.value : null;
  const choose = (key: Circle) => change({ scope: key === "all" ? null : key });
  useKeys([{ keys: "f", does: "Popular among all or friends", run: () => { if (chosen) choose(circle === "all" ? "friends" : "all"); } }]);
  const nothing = value !== null && value.articles.length === 0;
  return (
    <section class="panel popular" aria-labelledby="popular-title">
      <header class="panel-head">
        <h2 id="popular-title">Popular {circle === "all" ? "with all" : "among friends"}</h2>
        {value !== null && <Mark kind={value.provisional ? "provisional" : "exact"} />}
        {chosen && (
          <div class="tools" role="group" aria-label="Among whom">
            {circles.map(({ key, label }) => (
              <button type="button" class="button" key={key} aria-pressed={key === circle} onClick={() => choose(key)}>
                {label}
              </button>
            ))}
          </div>
        )}
      </header>
      <Ranges list={windows} at={window.key} choose={({ key }) => change({ window: key === "24h" ? null : key })} />
      <Trouble of={{ ...asked, value }} />
      {value === null && asked.no === null && <p class="faint">Waiting for the server.</p>}
      {nothing && <p class="faint">No article has {value.floor} readers {circle === "all" ? "" : "among the friends "}in {window.spoken}.</p>}
      {value !== null && !nothing && <Rows popular={value} />}
      {value !== null && !nothing && (
        <p class="faint foot">
          Each reader once, by their latest read; articles of fewer than {value.floor} are not listed.
          {!value.complete && " The server is still going through its articles; one may be missing."}
        </p>
      )}
    </section>
  );
}

function Rows({ popular: { articles } }: { popular: Popular }) {
  return (
    <table class="ledger ledger-names" aria-labelledby="popular-title">
      <thead><tr><th scope="col" data-name>Article</th><th scope="col" class="number">Readers</th></tr></thead>
      <tbody>
        {articles.map(({ url, readers }) => (
          <tr key={url} data-url={url}>
            <th scope="row"><Article url={url} /></th>
            <td class="number">{whole(readers)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
