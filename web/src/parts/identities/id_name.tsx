import { idText, type Id } from "../../identities/address";
import { Name } from "../name";

interface Props {
  id: Id;
  /** Whether the network stands above the list already. */
  within?: boolean;
  /** Values in the same list: what tells this one from them is not left out. */
  beside?: readonly string[];
  find?: (text: string) => void;
}

/** An id: where it is from above, its value below. Long parts are cut; focus and hover show all of them. */
export function IdName({ id, within = false, beside = [], find }: Props) {
  const way = within ? id.idName : `${id.identifier} / ${id.idName}`;
  return (
    <span class="id-name">
      <span class="faint way" title={way}>{way}</span>
      <Name name={id.idValue} beside={beside} {...(find !== undefined && { onPick: () => find(idText(id)) })} />
    </span>
  );
}
