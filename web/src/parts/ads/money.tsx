import { amountText, exactText } from "../../ads/money";

interface Props {
  amount: string;
  /** How it is written. */
  text?: (amount: string) => string;
}

/** An amount in cents; where they are not all of it, the rest is told on a closer look. */
export function Money({ amount, text = amountText }: Props) {
  return <span title={exactTitle(amount)}>{text(amount)}</span>;
}

/** What a closer look tells; undefined where there is nothing to add. */
export function exactTitle(amount: string): string | undefined {
  const exact = exactText(amount);
  return exact === amountText(amount) ? undefined : exact;
}
