import type { Changes } from "../../page";

interface Props {
  currencies: readonly string[];
  currency: string | null;
  change: (changes: Changes) => void;
}

/** Stands only where there is something to choose. */
export function CurrencyChoice({ currencies, currency, change }: Props) {
  if (currencies.length < 2 || currency === null) return null;
  return (
    <label class="currency">
      <span>Currency</span>
      <select class="small" value={currency} onChange={(event) => change({ currency: event.currentTarget.value })}>
        {currencies.map((one) => <option key={one} value={one}>{one}</option>)}
      </select>
      <span class="faint">never added to another</span>
    </label>
  );
}

/** What an amount is an amount of: "Income, EUR". */
export function inUnits(label: string, currency: string | null): string {
  return currency === null ? label : `${label}, ${currency}`;
}
