import { useAsked, type Asked } from "../ask";
import { whole, wholeOrNone } from "../format";
import { readRanking, type Ranking } from "../reports";
import { PeopleMark } from "./mark";
import { Name } from "./name";
import { Problem } from "./problem";

/** The objects that most people saw. */
export function useMost(news: unknown): Asked<Ranking> {
  return useAsked("/api/v1/top?by=people&limit=10", readRanking, news);
}

interface Props {
  most: Asked<Ranking>;
  pick: (object: string) => void;
  /** Where there is room, refusals too. */
  wide?: boolean;
}

export function MostPeople({ most: { value, no }, pick, wide = false }: Props) {
  return (
    <section class={wide ? "panel most most-wide" : "panel most"} aria-labelledby="most-title">
      <header class="panel-head">
        <h2 id="most-title">Most people</h2>
        <p class="faint">views of all time</p>
      </header>
      {no !== null && <Problem no={no} />}
      {value === null && no === null && <p class="faint">Waiting for the server.</p>}
      {value !== null && value.objects.length === 0 && <p class="faint">No object has a view yet.</p>}
      {value !== null && value.objects.length > 0 && <Rows ranking={value} pick={pick} wide={wide} />}
      {value !== null && !value.complete && (
        <p class="faint foot">The server is still going through its objects; a larger one may be missing.</p>
      )}
      {value !== null && value.provisional && (
        <p class="faint foot">Provisional: a process that counts does not answer, so the latest views may be missing.</p>
      )}
    </section>
  );
}

function Rows({ ranking, pick, wide }: { ranking: Ranking; pick: (object: string) => void; wide: boolean }) {
  const names = ranking.objects.map(({ object }) => object);
  return (
    <table class="ledger ledger-names" aria-labelledby="most-title">
      <thead>
        <tr>
          <th scope="col" data-name>Object</th>
          <th scope="col" class="number">People</th>
          <th scope="col" class="number">Views</th>
          {wide && <th scope="col" class="number">Refused</th>}
        </tr>
      </thead>
      <tbody>
        {ranking.objects.map((one) => (
          <tr key={one.object}>
            <th scope="row"><Name name={one.object} beside={names} onPick={pick} /></th>
            <td class="number">{wholeOrNone(one.people)} <span class="mark-place"><PeopleMark {...one} provisional={ranking.provisional} /></span></td>
            <td class="number">{whole(one.views)}</td>
            {wide && <td class="number">{whole(one.refused)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
