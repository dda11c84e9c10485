import type { Months, Split } from "../../ads/answers";
import { amountText, decimalsOf, exactText } from "../../ads/money";
import { monthStart } from "../../ads/rows";
import type { DayRange } from "../../day_range";
import { dayText } from "../../format";
import { Figure, FigureLine } from "../figures";
import { inUnits } from "./currency_choice";
import { exactTitle } from "./money";

interface Props {
  split: Split | null;
  currency: string | null;
  months: Months | null;
  range: DayRange;
}

/** Who gets what of the amount in the range; together it is all of it. */
export function SplitFigures({ split, currency, months, range }: Props) {
  const { amount, resellers, publishers, network } = split ?? { amount: "0", resellers: "0", publishers: "0", network: "0" };
  const shown = (value: string) => (split === null ? { value: null } : { value: amountText(value), exact: exactTitle(value) });
  // The sum has to be seen to be right to its last digit.
  const exact = (value: string) => <b>{exactText(value, decimalsOf([amount, resellers, publishers, network]))}</b>;
  const sealed = months?.months.find(({ state }) => state === "sealed");
  return (
    <FigureLine noun="split" when={`${range.spoken}, ledger days of ${months?.zone ?? "the ledger's zone"}`} sum={split && (
      <>
        {exact(amount)} amount = {exact(resellers)} resellers + {exact(publishers)} publishers + {exact(network)} network
      </>
    )}>
      <Figure name="amount" label={inUnits("Amount", currency)} {...shown(amount)}>{split && "all that was priced"}</Figure>
      <Figure name="resellers" label={inUnits("Resellers", currency)} {...shown(resellers)}>{split && "at their rates"}</Figure>
      <Figure name="publishers" label={inUnits("Publishers", currency)} {...shown(publishers)}>{split && "at their rates"}</Figure>
      <Figure name="network" label={inUnits("Network", currency)} {...shown(network)}>{split && "what is left"}</Figure>
      <Figure name="sealed" label="Sealed until" value={months && (sealed === undefined ? "–" : dayText(monthStart(sealed.month), "month"))}>
        {months && (sealed === undefined ? "no month is sealed yet" : "it never changes")}
      </Figure>
    </FigureLine>
  );
}
