import { cutName } from "../format";

/** An object's name. Where it is too long for its place its middle gives way; focus and hover show all of it. */
export function Name({ name, onPick }: { name: string; onPick?: (name: string) => void }) {
  const { head, tail } = cutName(name);
  const text = (
    <>
      <span class="name-head">{head}</span>
      {tail !== "" && <span class="name-tail">{tail}</span>}
    </>
  );
  if (onPick === undefined) return <span class="name" title={name}>{text}</span>;
  return <button type="button" class="name" title={name} onClick={() => onPick(name)}>{text}</button>;
}
