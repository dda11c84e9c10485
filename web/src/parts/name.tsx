import { useLayoutEffect, useRef } from "preact/hooks";
import { cutName } from "../format";
import { snug } from "../snug";

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
  const head = useRef<HTMLSpanElement>(null);
  const { start, middle, end, tail } = cutName(name, beside);
  // Short names have no tail, and nothing stands after what is left out.
  useLayoutEffect(() => (tail === "" || head.current === null ? undefined : snug(head.current)), [start, middle, end, tail]);
  const text = (
    <>
      <span class="name-head" ref={head}>
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
