import { whole } from "../../format";
import { idText, type Id } from "../../identities/address";
import { IdName } from "./id_name";

const listed = 8;

/** Ids of a profile that there would be. Those that it is about stand first: they are what the reader is here for. */
export function WouldIds({ ids, first }: { ids: readonly Id[]; first: ReadonlySet<string> }) {
  const order = [...ids.filter((id) => first.has(idText(id))), ...ids.filter((id) => !first.has(idText(id)))];
  return (
    <ul class="would-ids">
      {order.slice(0, listed).map((id) => <li key={idText(id)}><IdName id={id} /></li>)}
      {order.length > listed && <li class="faint">and {whole(order.length - listed)} more</li>}
    </ul>
  );
}
