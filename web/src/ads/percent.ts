// A share as people write it, 30 or 30 %, and as the server does: "0.3".

export type Typed = { fraction: string; wrong: null } | { fraction: null; wrong: string };

/** What was typed, as the fraction that is sent. Digits are moved, not divided: 12.3456 % is exactly 0.123456. */
export function fractionOf(typed: string): Typed {
  const text = typed.replace(/\s/g, "").replace(/%$/, "").replace(",", ".");
  if (text === "") return no("A percentage is needed: 30 for 30 %.");
  const found = /^(\d*)(?:\.(\d*))?$/.exec(text);
  const [whole, decimals] = [found?.[1] ?? "", found?.[2] ?? ""];
  if (found === null || whole + decimals === "") return no("This is no percentage: write 30 for 30 %.");
  const places = decimals.replace(/0+$/, "");
  if (places.length > 4) return no("At most four decimals: 12.3456 %.");
  const digits = whole.replace(/^0+/, "").padStart(3, "0");
  const fraction = `${digits.slice(-2)}${places}`.replace(/0+$/, "");
  const units = digits.slice(0, -2).replace(/^0+(?=\d)/, "");
  if (units !== "0" && (units !== "1" || fraction !== "")) return no("A share is at most 100 %.");
  return { fraction: fraction === "" ? units : `${units}.${fraction}`, wrong: null };
}

/** "0.3" -> 30 % */
export function percentText(fraction: string): string {
  return `${percentDigits(fraction)} %`;
}

/** The same as a number, to draw it. */
export function percentHeight(fraction: string): number {
  return Number(percentDigits(fraction));
}

function percentDigits(fraction: string): string {
  const [units = "0", places = ""] = fraction.split(".");
  const digits = places.padEnd(2, "0");
  const whole = (units + digits.slice(0, 2)).replace(/^0+(?=\d)/, "");
  const rest = digits.slice(2).replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}

function no(wrong: string): Typed {
  return { fraction: null, wrong };
}
