import { clock } from "../format";
import type { Live } from "../live";

type State = Pick<Live, "link" | "end">;

/** Whether the figures are of now; if not, since when they are old. Its text changes only with that, so it may speak. */
export function Status({ live }: { live: State }) {
  const { end } = live;
  return (
    <p class={`status status-${live.link}`} role="status">
      <span class="dot" aria-hidden="true" />
      <span>
        {live.link === "live" && <><b>live</b> · a second behind</>}
        {live.link === "waiting" && <>connecting</>}
        {live.link === "lost" && (end === null
          ? <><b>no answer yet</b>, trying again</>
          : <><b>no news since {clock(end)}</b>, reconnecting</>)}
      </span>
    </p>
  );
}

/** Of several streams of one page, the one that is worst off. */
export function worst(lives: readonly [State, ...State[]]): State {
  const order = ["lost", "waiting", "live"];
  return lives.reduce((bad, live) => (order.indexOf(live.link) < order.indexOf(bad.link) ? live : bad));
}
