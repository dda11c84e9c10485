interface Props {
  /** Of what. */
  title: string;
  address: (format: "json" | "csv") => string;
}

/** The numbers behind a drawing, as the server tells them to Graphite's clients. */
export function Figures({ title, address }: Props) {
  return (
    <p class="measure-links">
      <a href={address("json")} target="_blank" rel="noopener" aria-label={`Figures of ${title}`}>figures</a>
      <a href={address("csv")} download={`footfall-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.csv`} aria-label={`CSV of ${title}`}>CSV</a>
    </p>
  );
}
