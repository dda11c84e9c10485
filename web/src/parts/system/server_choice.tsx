interface Props {
  names: readonly string[];
  telling: readonly string[];
  server: string;
  choose: (server: string) => void;
}

/** Stands only where there is something to choose. */
export function ServerChoice({ names, telling, server, choose }: Props) {
  if (names.length < 2) return null;
  return (
    <label class="servers">
      <span>Server</span>
      <select class="small" value={server} onChange={(event) => choose(event.currentTarget.value)}>
        {names.map((one) => <option key={one} value={one}>{telling.includes(one) ? one : `${one} (silent)`}</option>)}
      </select>
    </label>
  );
}
