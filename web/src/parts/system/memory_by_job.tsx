import { useAsked } from "../../ask";
import { lineAddress, type Span } from "../../system/address";
import { extentOf, newest, readLines, type Lines } from "../../system/answers";
import { budget, jobs } from "../../system/measures";
import { figureText, shareText } from "../../system/units";
import { Trouble } from "../trouble";
import { Figures } from "./figures_link";

interface Props {
  server: string;
  span: Span;
  now: Lines | null;
  news: string;
}

/** What each job has booked, against what all of them may take together: the largest first. It is not there where nothing is known. */
export function MemoryByJob({ server, span, now, news }: Props) {
  const asked = useAsked(lineAddress(server, jobs, span), readLines, news, 1000);
  const all = newest("bytes", now?.[budget.key]);
  const rows = jobs
    .map(({ key, title }) => ({ key, title, value: newest("bytes", now?.[key]), most: extentOf(asked.value?.[key] ?? [])?.most ?? null }))
    .filter(({ value, most }) => value !== null || most !== null)
    .sort((one, other) => (other.value ?? 0) - (one.value ?? 0));
  if (rows.length === 0 && asked.value !== null && now !== null) return null;
  const sum = rows.reduce((before, { value }) => before + (value ?? 0), 0);
  const part = (bytes: number | null) => (bytes === null || all === null ? "–" : shareText(bytes, all));
  return (
    <section class="panel measure-jobs" aria-labelledby="measure-jobs" data-series="jobs">
      <header class="measure-head">
        <h2 id="measure-jobs">Memory by job <span class="faint">now, and at most in the {span.spoken}</span></h2>
        <Figures title="Memory by job" address={(format) => lineAddress(server, jobs, span, format)} />
      </header>
      <Trouble of={asked} />
      {rows.length === 0 && asked.no === null && <p class="faint" role="status">Waiting for the server.</p>}
      {rows.length > 0 && (
        <table class="ledger ledger-jobs" aria-labelledby="measure-jobs">
          <thead>
            <tr>
              <th scope="col">Job</th><th scope="col" class="number">Now</th>
              <th scope="col" class="number">At most</th><th scope="col" class="number">Share</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, title, value, most }) => (
              <tr key={key} data-job={key}>
                <th scope="row">{title}</th>
                <td class="number">{value === null ? "–" : figureText("bytes", value)}</td>
                <td class="number">{most === null ? "–" : figureText("bytes", most)}</td>
                <td class="number">{part(value)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Together</th><td class="number">{figureText("bytes", sum)}</td><td class="number" /><td class="number">{part(sum)}</td>
            </tr>
          </tfoot>
        </table>
      )}
      {rows.length > 0 && all !== null && (
        <p class="faint foot">
          Shares are of the setting <code>memory</code>, {figureText("bytes", all)}, of which the store's caches take some, too. The process
          has its code, and what the heap keeps for later, beside it.
        </p>
      )}
    </section>
  );
}
