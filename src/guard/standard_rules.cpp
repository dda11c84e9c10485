#include "guard/rules.h"

namespace footfall::guard {
namespace {

constexpr std::string_view standard_rule_file =
    R"toml(# The standard rules. They are asked in this order; the first to object gives the reason.
# docs/formats/rules.md says what may stand here.

# The id was used before, for an event with other content.
[[rule]]
name = "id_conflict"
kind = "id_conflict"

[[rule]]
name = "impossible_time"
kind = "impossible_time"
ahead = "5m"

# Robots, previews of links and the like. Further lists: lists = ["robots.json"]
[[rule]]
name = "not_human"
kind = "not_human"

# The same person, action and object.
[[rule]]
name = "repeat_fast"
kind = "repeat"
window = "30s"
actions = ["view", "click", "read"]

[[rule]]
name = "repeat"
kind = "repeat"
window = "1h"
actions = ["view", "click", "read"]

# Faster than people are; an office or a school may share one address.
[[rule]]
name = "rate_actor"
reason = "rate"
kind = "rate"
door = "public"
per = "actor"
limit = 120
window = "1m"
actions = ["view", "click", "read"]

[[rule]]
name = "rate_address"
reason = "rate"
kind = "rate"
door = "public"
per = "address"
limit = 1200
window = "1m"
actions = ["view", "click", "read"]
)toml";

// Part of the name in most cases; what is short, or part of other words too, is tied to a place in
// it. "[^u]bot": there are phones called Cubot. Apps of people name themselves okhttp or Dart, so
// these are left out.
constexpr std::string_view standard_robot_list = R"(# Those who say what they are.
(^|[^u])bots?\b
[^u]bot[-_/.;)(+@0-9]
robot
youbot
crawl
spider
scrap(er|ing|y)
slurp
archiver
archive\.org
wayback
indexer
fetcher
harvest
# Browsers of people give neither a page nor an address of who sent them.
https?://
[a-z0-9]@[a-z0-9]
# Browsers without a person.
headless
phantomjs
slimerjs
puppeteer
playwright
selenium
webdriver
cypress/
lighthouse
pagespeed
prerender
# Who watches whether a site is there, and how fast.
monitor(ing)?[-_/ ;)]
uptime
pingdom
statuscake
site24x7
gtmetrix
nagios
zabbix
health-?check
kube-probe
blackbox[-_ ]exporter
# Previews of links.
facebookexternalhit
facebookcatalog
meta-external(agent|fetcher)
^whatsapp/
^iframely
embedly
preview
vkshare
flipboardproxy
outbrain
# Models that read.
chatgpt-user
claude-(web|user)
anthropic-ai
perplexity
cohere-ai
# Helpers of search engines and advertisers.
google-inspectiontool
google-read-aloud
googleother
mediapartners-google
apis-google
# Feeds and validators.
feed
\brss
newsblur
inoreader
validator
checker
checklink
scanner
screenshot
favicon
# Libraries and tools.
^curl/
^wget/
^libcurl
^httpie/
^libwww-perl
^lwp::
python-(requests|urllib|httpx)
^python
^aiohttp/
^java/
^jakarta commons
http-?client
^node-fetch
^node\.js
^axios/
^undici
^got \(
^ruby
^faraday
^typhoeus
^php/
guzzle
^postmanruntime
^insomnia
^restsharp
winhttp
^microsoft-?cryptoapi
^microsoft office existence
^reqwest
^ureq
^hyper/
^masscan
nmap scripting engine
nikto
sqlmap
zgrab
nuclei
^expanse
censys
^apachebench
^ab/
^wrk
^k6/
siege/
jmeter
^vegeta
heritrix
nutch
httrack
webcopier
^teleport
)";

}  // namespace

std::string_view standard_rules() {
    return standard_rule_file;
}

std::string_view standard_robots() {
    return standard_robot_list;
}

}  // namespace footfall::guard
