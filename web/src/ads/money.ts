// Money as the server writes it: decimal text. It is grouped, filled up and summed as text and whole numbers, for floating
// point would lose what the server keeps.

/** An amount: digits with at most one point, and a minus where it is below zero. */
export function readAmount(value: unknown): string {
  if (typeof value !== "string" || !/^-?\d+(\.\d+)?$/.test(value)) throw new TypeError("an amount as decimal text was expected");
  return value;
}

/** What people read of an amount: cents. */
const cents = 2;

/** -1204.5 -> −1,204.50; rounded half to even, and never to nothing: 0.004 -> <0.01 */
export function amountText(amount: string): string {
  const text = exactText(roundedTo(amount, cents));
  if (signOf(amount) === 0 || signOf(roundedTo(amount, cents)) !== 0) return text;
  return signOf(amount) > 0 ? "<0.01" : ">−0.01";
}

/** A change, which always has its sign: 4.2 -> +4.20 */
export function differenceText(amount: string): string {
  return signOf(amount) > 0 ? amountText(amount).replace(/\d/, "+$&") : amountText(amount);
}

/** With every digit the server wrote, and at least `decimals`: 1204.0625 -> 1,204.0625 */
export function exactText(amount: string, decimals = cents): string {
  const { negative, whole, fraction } = parts(amount);
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${negative ? "−" : ""}${grouped}.${fraction.padEnd(decimals, "0")}`;
}

/** How many decimals exact amounts need so that none of them has fewer than another: two at least. */
export function decimalsOf(amounts: readonly string[]): number {
  return Math.max(cents, ...amounts.map((amount) => parts(amount).fraction.length));
}

/** Half to even, as the server rounds. */
function roundedTo(amount: string, decimals: number): string {
  const { negative, whole, fraction } = parts(amount);
  const kept = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
  const left = fraction.slice(decimals).replace(/0+$/, "");
  const up = left > "5" || (left === "5" && kept % 2n === 1n);
  const digits = (up ? kept + 1n : kept).toString().padStart(decimals + 1, "0");
  const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return negative && signOf(text) !== 0 ? `-${text}` : text;
}

export function signOf(amount: string): -1 | 0 | 1 {
  const { negative, whole, fraction } = parts(amount);
  if (/^0*$/.test(whole + fraction)) return 0;
  return negative ? -1 : 1;
}

/** The exact sum, as the shortest text. */
export function sumOfAmounts(amounts: readonly string[]): string {
  const scale = Math.max(0, ...amounts.map((amount) => parts(amount).fraction.length));
  const sum = amounts.reduce((before, amount) => {
    const { negative, whole, fraction } = parts(amount);
    const units = BigInt(whole + fraction.padEnd(scale, "0"));
    return negative ? before - units : before + units;
  }, 0n);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(scale + 1, "0");
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, "");
  const whole = digits.slice(0, digits.length - scale);
  return `${sum < 0n ? "-" : ""}${whole}${scale > 0 && fraction !== "" ? `.${fraction}` : ""}`;
}

/** How high an amount is drawn. A height is no figure: it is rounded to pixels anyway. */
export function heightOf(amount: string): number {
  return Number(amount);
}

function parts(amount: string): { negative: boolean; whole: string; fraction: string } {
  const negative = amount.startsWith("-");
  const [whole = "0", fraction = ""] = amount.slice(negative ? 1 : 0).split(".");
  return { negative, whole, fraction };
}
