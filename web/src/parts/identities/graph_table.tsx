import { idText } from "../../identities/address";
import { effects } from "../../identities/facts";
import { numbersOf, type Graph } from "../../identities/graph";
import { IdName } from "./id_name";

const heads = { holds: "Links", contested: "Contested", parting: "Partings", decision: "Decisions", datum: "Data", over: "Undone or ended" } as const;

/** The rows of the graph: for each id the numbers of the facts that name it, by what they do. */
export function GraphTable({ graph, find }: { graph: Graph; find: (text: string) => void }) {
  const values = graph.rows.map(({ id }) => id.idValue);
  const shown = effects.filter(({ key }) => graph.columns.some((column) => column.effect === key));
  return (
    <div class="series-table" tabIndex={0} role="region" aria-label="Facts by id, as a table" data-scrolls>
      <table class="ledger ledger-cards graph-table" aria-labelledby="graph-title">
        <thead>
          <tr>
            <th scope="col">Id</th>
            {shown.map(({ key }) => <th scope="col" key={key}>{heads[key]}</th>)}
          </tr>
        </thead>
        <tbody>
          {graph.rows.map(({ id, inside }, place) => (
            <tr key={idText(id)} class={inside ? "" : "idle"}>
              <th scope="row"><IdName id={id} beside={values} find={find} />{!inside && <span class="faint">not in this profile</span>}</th>
              {shown.map(({ key }) => <td key={key} data-label={heads[key]}>{numbersOf(graph, place, key).join(", ")}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
