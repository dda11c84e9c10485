import { useAsked, type Asked, type Reader } from "../ask";
import { inCurrency } from "./address";

export interface AskedMoney<T> extends Asked<T> {
  /** More than one: an answer has one of them, for currencies are never added. */
  currencies: readonly string[];
  /** The one that was asked for; null where there was no choice. */
  currency: string | null;
}

const none: readonly string[] = [];

/** Asks for money; where the server wants to know in which currency, for `wanted`, or else for the first that it names. */
export function useMoney<T>(
  address: string | null, wanted: string | null, read: Reader<T>, news: unknown = null, pause = 3000,
): AskedMoney<T> {
  const plain = useAsked(address, read, news, pause);
  const currencies = (plain.no?.kind === "refused" && plain.no.currencies) || none;
  const currency = currencies.find((one) => one === wanted) ?? currencies[0] ?? null;
  const exact = useAsked(address === null || currency === null ? null : inCurrency(address, currency), read, news, pause);
  return { ...(currency === null ? plain : exact), currencies, currency };
}
