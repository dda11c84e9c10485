import { useAsked } from "../ask";
import { whole } from "../format";
import { readHot, type Hot } from "../reports";
import { Name } from "./name";
import { Problem } from "./problem";

interface Props {
  news: unknown;
  pick: (object: string) => void;
}

/** The objects that most events of the last moments are of, whoever did them. */
export function HotObjects({ news, pick }: Props) {
  const { value, no } = useAsked("/api/v1/hot?limit=5", readHot, news, 2000);
  return (
    <section class="panel hot" aria-labelledby="hot-title">
      <header class="panel-head">
        <h2 id="hot-title">Hot</h2>
        <p class="faint">most events just now</p>
      </header>
      {no !== null && <Problem no={no} />}
      {value === null && no === null && <p class="faint">Waiting for the server.</p>}
      {value !== null && value.objects.length === 0 && <p class="faint">No events just now.</p>}
      {value !== null && value.objects.length > 0 && <Rows hot={value} pick={pick} />}
      {value !== null && value.objects.length > 0 && (
        <p class="faint foot">Events of all kinds but reads, refused ones, too; halved every {value.halvedEvery} s.</p>
      )}
      {value?.provisional && <p class="faint foot">Provisional: a process that counts does not answer; its objects are missing.</p>}
    </section>
  );
}

function Rows({ hot: { objects }, pick }: { hot: Hot; pick: (object: string) => void }) {
  const names = objects.map(({ object }) => object);
  return (
    <table class="ledger ledger-names" aria-labelledby="hot-title">
      <thead>
        <tr>
          <th scope="col" data-name>Object</th>
          <th scope="col" class="number">Events</th>
        </tr>
      </thead>
      <tbody>
        {objects.map(({ object, events }) => (
          <tr key={object}>
            <th scope="row"><Name name={object} beside={names} onPick={pick} /></th>
            <td class="number">{whole(events)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
