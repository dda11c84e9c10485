import type { Income } from "../../ads/income";
import { amountText, decimalsOf, differenceText, exactText } from "../../ads/money";
import { dayStart } from "../../days";
import { daysText, whole } from "../../format";
import { Figure, FigureLine } from "../figures";
import { Mark } from "../mark";
import { inUnits } from "./currency_choice";
import { exactTitle } from "./money";

/** What a party earned in the range: by its own days, and by corrections of days before. */
export function IncomeFigures({ income, spoken }: { income: Income | null; spoken: string }) {
  const { amount, earned, corrected } = income ?? { amount: "0", earned: "0", corrected: "0" };
  const all = income?.income ?? "0";
  const shown = (value: string, text = amountText) => (income === null
    ? { value: null } : { value: text(value), exact: exactTitle(value) });
  // The sum has to be seen to be right to its last digit.
  const decimals = decimalsOf([all, earned, corrected]);
  const currency = income?.currency ?? null;
  const mark = income && <Mark kind={income.provisional ? "provisional" : income.sealed ? "sealed" : "exact"} />;
  return (
    <FigureLine noun="income" when={income && stretch(income, spoken)} sum={income && (
      <>
        <b>{exactText(all, decimals)}</b> income = <b>{exactText(earned, decimals)}</b> earned{" "}
        {corrected.startsWith("-") ? "−" : "+"} <b>{exactText(corrected.replace("-", ""), decimals)}</b> corrected
      </>
    )}>
      <Figure name="clicks" label="Clicks" mark={mark} value={income && whole(income.clicks)}>
        {income && `${some(income.sales, "sale")} · ${some(income.refunds, "refund")}`}
      </Figure>
      <Figure name="amount" label={inUnits("Amount", currency)} {...shown(amount)}>{income && "before the shares"}</Figure>
      <Figure name="earned" label={inUnits("Earned", currency)} {...shown(earned)}>{income && "of these days' amounts"}</Figure>
      <Figure name="corrected" label={inUnits("Corrected", currency)} {...shown(corrected, differenceText)}>
        {income && "posted now, of days before"}
      </Figure>
      <Figure name="income" label={inUnits("Income", currency)} mark={mark} {...shown(all)}>{income && "earned and corrected"}</Figure>
    </FigureLine>
  );
}

export function some(count: number, one: string): string {
  return `${whole(count)} ${one}${count === 1 ? "" : "s"}`;
}

function stretch({ from, to, tz }: Income, spoken: string): string {
  const days = from === null || to === null ? spoken : daysText(dayStart(from), dayStart(to));
  return `${days}, ${tz}`;
}
