// The same as requests.mjs, of metrics. There are none: what points come to is tested in tests/acceptance/metrics_test.cpp.

const problem = (status, type, field) => ({ status, type, field });
const invalid = (field) => problem(400, "invalid-input", field);
const render = (query, more) => ({ method: "GET", target: `/render${query}`, ...more });
const find = (query, more) => ({ method: "GET", target: `/metrics/find${query}`, ...more });

export const metricsSamples = {
  "GET /render": { target: "/render?target=servers.*.load&from=-1h" },
  "GET /metrics/find": { target: "/metrics/find?query=servers.*" },
};

export const metricsRequests = [
  render("?target=a&target=b.%7Bc,d%7D&from=-1h&until=now&maxDataPoints=100&format=json", { status: 200 }),
  render("?target=a;host=b&from=20261129&until=14:30_20261130", { status: 200 }),
  render("", { ...invalid("target") }),
  render("?target=", { ...invalid("target") }),
  render(`?${"target=a&".repeat(101)}`, { ...invalid("target") }),
  render("?target=%ff", { ...invalid("target") }),
  render("?target=a..b", { ...invalid("target") }),
  render("?target=a.%5Bb", { ...invalid("target") }),
  render("?target=a;b", { ...invalid("target") }),
  render("?target=sumSeries(a.*)&target=constantLine(100)", { status: 200 }),
  render("?target=noFunction(a.*)", { ...invalid("target") }),
  render("?target=alias(a", { ...invalid("target") }),
  render("?target=scale(a,'2')", { ...invalid("target") }),
  render("?target=movingAverage(constantLine(1),1000000000)", { ...invalid("target") }),
  render("?target=timeShift(a,'101y')", { ...invalid("target") }),
  render("?target=a&from=noon", { ...invalid("from") }),
  render("?target=a&until=1e9", { ...invalid("until") }),
  render("?target=a&from=now&until=-1h", { ...invalid("from") }),
  render("?target=a&from=0", { ...invalid("from") }),
  render("?target=a&maxDataPoints=0", { ...invalid("maxDataPoints") }),
  render("?target=a&maxDataPoints=many", { ...invalid("maxDataPoints") }),
  render("?target=a&format=png", { ...invalid("format") }),
  render("?target=a&width=100", { ...invalid("width") }),
  find("", { ...invalid("query") }),
  find("?query=%ff", { ...invalid("query") }),
  find("?query=a.%7Bb", { ...invalid("query") }),
  find("?query=*&from=-1h&until=now&format=treejson", { status: 200 }),
  find("?query=*&format=completer", { ...invalid("format") }),
  find("?query=*&wildcards=1", { ...invalid("wildcards") }),
];
