import { useAsked } from "../../ask";
import { whole } from "../../format";
import { trendingAddress } from "../../reading/address";
import { readTrending, type Trending } from "../../reading/answers";
import { Trouble } from "../trouble";
import { Article } from "./article";

const listed = 10;

/** The articles that are read more than one would expect of them. */
export function TrendingArticles({ news }: { news: unknown }) {
  const asked = useAsked(trendingAddress(listed), readTrending, news, 2000);
  const { value, no } = asked;
  return (
    <section class="panel trending" aria-labelledby="trending-title">
      <header class="panel-head">
        <h2 id="trending-title">Trending</h2>
        <p class="faint">more readers than expected</p>
      </header>
      <Trouble of={asked} />
      {value === null && no === null && <p class="faint">Waiting for the server.</p>}
      {value !== null && value.articles.length === 0 && <p class="faint">Nothing is read more than usual just now.</p>}
      {value !== null && value.articles.length > 0 && <Rows trending={value} />}
      {value !== null && value.articles.length > 0 && (
        <details class="foot">
          <summary class="faint">How the score is made</summary>
          <p class="faint">{value.formula}</p>
        </details>
      )}
    </section>
  );
}

function Rows({ trending: { articles } }: { trending: Trending }) {
  return (
    <table class="ledger ledger-names" aria-labelledby="trending-title">
      <thead>
        <tr>
          <th scope="col" data-name>Article</th>
          <th scope="col" class="number">Readers</th>
          <th scope="col" class="number">Score</th>
        </tr>
      </thead>
      <tbody>
        {articles.map(({ url, readers, score, fast, expected }) => (
          <tr key={url} data-url={url}>
            <th scope="row"><Article url={url} /></th>
            <td class="number">{whole(readers)}</td>
            <td class="number"><span class="term" title={`${fast.toFixed(1)} lately, ${expected.toFixed(1)} expected`}>{score.toFixed(1)}</span></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
