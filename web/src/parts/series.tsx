import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { partsShown, zeroOf } from "../account";
import { Chart } from "../chart";
import { total, type Row } from "../history";
import { useKeys } from "../keys";
import { Mark, type MarkKind } from "./mark";
import { SeriesTable, type TableProps } from "./series_table";
import { Meanings, Term } from "./sum";

/** Whether the charts of a page are shown as their tables: one key for all of them. */
export function useTables(): { asTable: boolean; toggle: () => void } {
  const [asTable, setAsTable] = useState(false);
  const toggle = () => setAsTable(!asTable);
  useKeys([{ keys: "t", does: "Chart or its table", run: toggle }]);
  return { asTable, toggle };
}

interface Props<P extends string, R extends Row<P>> extends TableProps<P, R> {
  id: string;
  /** Of the chart; `title` is the table's. */
  heading: string;
  mark: MarkKind;
  spoken: string;
  theme: string;
  tables: { asTable: boolean; toggle: () => void };
  save: () => void;
  /** Stands where there are no rows. */
  waiting: string;
  /** Stands before the buttons. */
  tools?: ComponentChildren;
  children?: ComponentChildren;
}

/** An account over time: its chart or its table, its legend, its file. */
export function Series<P extends string, R extends Row<P>>(props: Props<P, R>) {
  const { id, account, rows, scale, title, heading, mark, spoken, theme, tables: { asTable, toggle }, save } = props;
  const sum = total(zeroOf(account), rows);
  return (
    <section class="panel series" aria-labelledby={`${id}-title`} data-series={id}>
      <header class="panel-head">
        <h2 id={`${id}-title`}>{asTable ? title : heading}</h2>
        <Mark kind={mark} />
        {!asTable && (
          <p class="legend">
            {partsShown(account, sum).map(({ key, label, tone, meaning }) => (
              <span key={key}>
                <i class={`swatch swatch-${tone}`} aria-hidden="true" /><Term meaning={meaning}>{label}</Term>
              </span>
            ))}
          </p>
        )}
        <div class="tools">
          {props.tools}
          <button type="button" class="button" aria-pressed={asTable} onClick={toggle}>Table <kbd>t</kbd></button>
          <button type="button" class="button" onClick={save} disabled={rows.length === 0}>CSV</button>
        </div>
      </header>
      {rows.length === 0 && <p class="faint waiting">{props.waiting}</p>}
      {rows.length > 0 && (asTable
        ? <SeriesTable account={account} rows={rows} scale={scale} title={title} beside={props.beside} before={props.before} />
        : <Chart account={account} rows={rows} scale={scale} spoken={spoken} theme={theme} />)}
      <Meanings account={account} of={sum} />
      {props.children}
    </section>
  );
}
