// What the page System draws: what a server says of itself, kept as series footfall.SERVER.FIGURE (the setting metrics_own).

import type { Tone } from "../account";
import type { Unit } from "./units";

export interface Measure {
  key: string;
  title: string;
  unit: Unit;
  tone: Tone;
  /** What it is, in a few words. */
  says: string;
  /** Which of the values within a step is drawn: of a peak the peak, of a rate the average. */
  drawn: "avg" | "max" | "min" | "last";
  /** Graphite's words for it. `of`: what names of the server's series begin with, its dot included. */
  target: (of: string) => string;
}

/** How fast counters grow, together. Where steps of graphs are shorter than ten seconds there is nothing between two values. */
const growth = (...counters: readonly string[]) =>
  `sumSeries(${counters.map((one) => `perSecond(keepLastValue(${one},10))`).join(",")})`;

export const measures: readonly Measure[] = [
  {
    key: "events", title: "Events judged", unit: "rate", tone: "counted", says: "counted or refused", drawn: "avg",
    target: (of) => growth(`${of}events_judged_total.*`),
  },
  {
    key: "tokens", title: "Tokens put", unit: "rate", tone: "counted", says: "new or not", drawn: "avg",
    target: (of) => growth(`${of}tokens_put_total`),
  },
  {
    key: "requests", title: "Requests answered", unit: "rate", tone: "plain", says: "over HTTP, of all kinds", drawn: "avg",
    target: (of) => growth(`${of}http_requests_total`),
  },
  {
    key: "waiting", title: "Waiting to be stored", unit: "count", tone: "plain", says: "in the log, not in rows yet", drawn: "max",
    target: (of) => `sumSeries(${of}*_waiting,${of}events_unstored)`,
  },
  {
    key: "behind", title: "Segments behind", unit: "seconds", tone: "plain", says: "age of what sizes are made of", drawn: "max",
    target: (of) => `maxSeries(${of}segments_behind_seconds)`,
  },
  {
    key: "durable", title: "Durable within, p99", unit: "seconds", tone: "plain", says: "99 of 100 writes; answers wait", drawn: "max",
    target: (of) => `maxSeries(${of}{store_block_seconds,cassandra_write_seconds}.p99)`,
  },
  {
    key: "reads", title: "Read within, p99", unit: "seconds", tone: "plain", says: "99 of 100 reads of Cassandra", drawn: "max",
    target: (of) => `maxSeries(${of}cassandra_read_seconds.p99)`,
  },
  {
    key: "failed", title: "Failures", unit: "rate", tone: "refused-1", says: "answers of 5xx; writes, reads", drawn: "avg",
    target: (of) => growth(`${of}http_errors_total.5xx`, `${of}{store,cassandra}_failed_{writes,reads}_total`),
  },
  {
    key: "refused", title: "Requests refused", unit: "rate", tone: "refused-1", says: "answers of 4xx; connections", drawn: "avg",
    target: (of) => growth(`${of}http_errors_total.4xx`, `${of}http_connections_refused_total`),
  },
  {
    key: "points", title: "Points refused", unit: "rate", tone: "refused-1", says: "of metrics; datagrams dropped", drawn: "avg",
    target: (of) => growth(`${of}timeseries_refused_total.*`),
  },
  {
    key: "memory", title: "Memory", unit: "bytes", tone: "plain", says: "of the whole process", drawn: "max",
    target: (of) => `maxSeries(${of}memory_resident_bytes)`,
  },
  {
    key: "disk", title: "Disk free", unit: "bytes", tone: "plain", says: "where the data is", drawn: "min",
    target: (of) => `minSeries(${of}store_disk_free_bytes)`,
  },
  {
    key: "series", title: "Series kept", unit: "count", tone: "plain", says: "of the metrics store", drawn: "last",
    target: (of) => `maxSeries(${of}timeseries_series)`,
  },
];

/** The setting `memory`: what all jobs share. */
export const budget: Measure = {
  key: "budget", title: "Budget", unit: "bytes", tone: "plain", says: "the setting memory", drawn: "last",
  target: (of) => `maxSeries(${of}memory_limit_bytes)`,
};

const booked = (key: string, title: string, ...figures: readonly string[]): Measure => ({
  key, title, unit: "bytes", tone: "plain", says: "", drawn: "max",
  target: (of) => `sumSeries(${figures.map((one) => of + one).join(",")})`,
});

/** What each job has booked of the memory that they share. Few enough series for a week of them in one answer. */
export const jobs: readonly Measure[] = [
  booked("counters", "Counters", "token_bytes"),
  booked("views", "Views", "view_bytes", "view_trends_bytes"),
  booked("ads", "Clicks & income", "ads_bytes", "ads_page_bytes"),
  booked("reading", "Reading", "reading_*bytes"),
  booked("identities", "Identities", "identities_bytes"),
  booked("segments", "Segments", "segments_bytes"),
  booked("metrics", "Metrics", "timeseries_series_bytes"),
  booked("rows", "Rows to write", "store_pending_bytes", "cassandra_queued_bytes"),
];
