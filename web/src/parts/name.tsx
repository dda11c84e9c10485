import { cutName } from "../format";

interface Props {
  name: string;
  /** The names in the same list: what tells it from them is not left out. */
  beside?: readonly string[];
  onPick?: (name: string) => void;
}

/**
 * An object's name. Where it is too long for its line its middle gives way; on a narrow page it takes some lines, and only
 * what does not fit on those is left out. Focus and hover show all of it.
 */
export function Name({ name, beside = [], onPick }: Props) {
  const { start, middle, end, tail } = cutName(name, beside);
  const text = (
    <>
      <span class="name-head">
        <span class={middle === "" ? "" : "name-start"}>{start}</span>
        {middle !== "" && <span class="name-middle">{middle}</span>}
        {end}
      </span>
      {tail !== "" && <span class="name-tail">{tail}</span>}
    </>
  );
  if (onPick === undefined) return <span class="name" title={name}>{text}</span>;
  return <button type="button" class="name" title={name} onClick={() => onPick(name)}>{text}</button>;
}
