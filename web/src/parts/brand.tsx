/** The tally: four counted, and the one that was refused. */
export function Brand() {
  return (
    <a class="brand" href="/">
      <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <path class="brand-counted" d="M7 6v20M13 6v20M19 6v20M25 6v20" />
        <path class="brand-refused" d="M3 22 29 10" />
      </svg>
      Footfall
    </a>
  );
}
