import { eventCommand } from "../../counters";
import { useTarget } from "../../door";
import { Command } from "../command";

/** Stands in place of the ledger until there is something in it. `taken`: whether this process takes events. */
export function FirstClick({ taken }: { taken: boolean }) {
  const target = useTarget();
  const click = { action: "click", ad: "banner-1", reseller: "reseller-1", amount: "0.25", currency: "EUR" };
  return (
    <section class="panel first" aria-labelledby="first-click-title">
      <h2 id="first-click-title">No click has a price yet</h2>
      <p>
        Send the first from a shell. It is counted within two seconds, and the reseller earns their share of its amount as soon
        as they have a rate.
        {!taken && <> This process only answers: put the address of one with the role <code>collect</code> into the command.</>}
      </p>
      <Command text={eventCommand(taken ? target : { ...target, origin: "http://COLLECTOR:8080" }, "banner-1", click)}
        label="the command that sends a click with a price" />
      <p class="faint">
        <code>amount</code> is decimal text, at most six decimals. An amount below zero is a refund: give it the time of the click
        that it takes back.
      </p>
    </section>
  );
}

/** Said once, where a key sees clicks but no money. */
export function NoMoney() {
  return (
    <section class="notice" aria-label="No money">
      <p><b>Clicks only.</b> This key has not the scope <code>money</code>, so incomes, rates and the ledger are not shown.</p>
    </section>
  );
}
