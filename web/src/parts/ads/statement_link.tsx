import { useState } from "preact/hooks";
import { statementAddress } from "../../ads/address";
import { monthText } from "../../ads/rows";

interface Props {
  path: string;
  /** Of which currency it is; null where there is no choice. */
  currency: string | null;
  /** To choose from, the newest first, which is not over. */
  months: readonly string[];
}

/** Opens the statement of a month, which the server writes to be printed. */
export function StatementLink({ path, currency, months }: Props) {
  const [chosen, setChosen] = useState<string | null>(null);
  const month = chosen ?? months[1] ?? months[0];
  if (month === undefined) return null;
  return (
    <p class="statement">
      <label>
        <span class="unseen">Month of the statement</span>
        <select class="small" value={month} onChange={(event) => setChosen(event.currentTarget.value)}>
          {months.map((one) => <option key={one} value={one}>{monthText(one)}</option>)}
        </select>
      </label>
      <a class="button" href={statementAddress(path, month, currency)} target="_blank" rel="noopener">
        Statement<span class="unseen"> of {monthText(month)}, in a new tab</span>
      </a>
    </p>
  );
}
