import { every } from "../../system/address";
import { Command } from "../command";

/** While the server has just begun: nothing is wrong. */
export function FirstFigures() {
  return (
    <section class="panel first" aria-labelledby="first-figures">
      <h2 id="first-figures">The first figures come within ten seconds</h2>
      <p role="status">The server keeps what it says of itself every {every} seconds. This page shows it as soon as it is there.</p>
    </section>
  );
}

/** Stands in place of the figures where nobody keeps any. */
export function FiguresOff() {
  return (
    <section class="panel first" aria-labelledby="figures-off">
      <h2 id="figures-off">No server keeps its own figures here</h2>
      <p>
        With a name a server keeps what it says of itself in the metrics store, every {every} seconds: some 400 series. Each server of a
        cluster has a name of its own. In <code>footfall.toml</code>, before it is started again:
      </p>
      <Command text={'metrics_own = "shop-1"'} label="the line that turns it on" />
      <p class="faint">Without it, its figures of this moment are at <a href="/metrics">/metrics</a>, as Prometheus reads them.</p>
    </section>
  );
}

/** Said once, where a key may not know. */
export function NoFigures() {
  return (
    <section class="notice" aria-label="No figures">
      <p><b>No figures.</b> This key has not the scope <code>read</code>, so what servers say of themselves is not shown.</p>
    </section>
  );
}

/** Said above figures that are not of now. */
export function SilentServer({ server }: { server: string }) {
  return (
    <section class="notice" aria-label="A silent server">
      <p role="status"><b>{server} has kept no figures for a minute.</b> Lines show what it kept before.</p>
    </section>
  );
}
