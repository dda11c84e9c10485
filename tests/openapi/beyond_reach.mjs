/** Documented, and not to be had from outside: [which, why]. */
export const beyondReach = [
  [/ 500 /, "needs stored bytes that are damaged but can be opened"],
  [/ 504 /, "needs a disk that hangs"],
  [/^GET (\/|\/metrics|\/openapi\.json|\/healthz\/live|\/api\/v1\/live\/[\w/{}]+|\/api\/v1\/rules|\/how-we-count|\/footfall\.js) 503 /, "needs 10,000 connections"],
  [/^(GET|POST|DELETE) \/api\/v1\/(keys|session)\S* 503 /, "needs 10,000 connections; changes of keys a full disk"],
  [/^(GET|PUT) \/(api\/v1\/ads|r\/)\S* 503 /, "needs 10,000 connections; changes of ads a full disk"],
  [/^(GET|PUT|POST|DELETE) \/api\/v1\/(people|reading)\S* 503 /, "needs 10,000 connections; changes of people a full disk"],
  [/^GET \/api\/v1\/erasures\S* 503 /, "needs 10,000 connections"],
  [/^(GET|POST|DELETE) \/api\/v1\/(identities|profiles)\S* 503 /, "needs 10,000 connections; what is said a full disk"],
  [/^(GET|POST) \/api\/v1\/segments\S* 429 /, "needs a key of the scope audience: tests/acceptance/audience_test.cpp"],
  [/^\S+ \/api\/v1\/(webhooks|segment_reports)\S* 503 /, "needs 10,000 connections, or a full disk"],
  [/^(GET|PUT|POST|DELETE) \/api\/v1\/segments\S* 503 /, "needs 10,000 connections; changes of members a full disk"],
  [/^(GET|POST|DELETE) \/api\/v1\/(identities|profiles)(?!\/decisions 409)\S* 409 /, "needs a rule that refuses a match, or 20,000 statements"],
  [/^(GET|POST) \/api\/v1\/(audit|backups)\S* 503 /, "needs 10,000 connections, or a full disk"],
  [/^(GET|POST) \/(render|metrics\/[\w.]+|functions\S*|version|tags\S*) 503 /, "needs 10,000 connections, or readers that are all busy"],
  [/^(GET|POST) \/api\/v1\/(datapoints|metricnames|tagnames|tagvalues|health|version|write)\S* 503 /, "needs 10,000 connections, or readers that are all busy; points a full disk"],
  [/^PUT \/api\/v1\/ads\S* 409 /, "needs 100,000 ads"],
  [/^(PUT|DELETE) \S*\/rates\/\{day\} 409 /, "needs 10,000 changes of a rate"],
  [/^GET \/ 200 text\/plain/, "a build without the dashboard, where there is no node to run this"],
];
/** Likewise; `not-this-machine` needs another machine; `unavailable` is what a write hears that arrives while the store reopens, which may be over too soon. */
export const typesBeyondReach = ["corrupt", "internal-error", "timed-out", "cancelled", "unavailable", "not-this-machine", "too-many-changes"].map((type) => `/problems/${type}`);
