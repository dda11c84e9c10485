#include "server/setting_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace footfall::server {
namespace {

/// Which deployments a setting is of.
enum class Concerns { all, cassandra, kafka };

struct SettingFlag {
    std::string_view setting;
    const char* type;
    const char* help;
    Concerns concerns = Concerns::all;
};

constexpr std::array<SettingFlag, 27> all_flags{{
    {"listen", "ADDR:PORT", "Where to serve; port 0 takes any free one [127.0.0.1:8080]"},
    {"data", "DIR", "The data directory; made if missing"},
    {"sync", "WHEN", "always: answer once it is on disk; or an interval such as 200ms [always]"},
    {"memory", "SIZE", "Memory for everything: the store and the objects counted [256MiB]"},
    {"threads", "N", "Threads that serve; 0: one a core [0]"},
    {"rules", "FILE", "The rule file that events are judged by [the standard rules]"},
    {"redis",
     "ADDR:PORT",
     "Where processes share what rules on rates have counted [each goes by its own]"},
    {"keep_events",
     "TIME",
     "How long events are kept; what was counted of them stays. Or forever [90d]"},
    {"keep_addresses",
     "TIME",
     "How long the addresses of events are shown, then only a keyed hash; or forever [7d]"},
    {"sites", "ORIGINS", "Sites whose pages may send events, such as https://example.org [none]"},
    {"trusted_proxies", "NETWORKS", "Networks of proxies whose X-Forwarded-For is believed [none]"},
    {"store",
     "STORE",
     "Where rows are kept: rocksdb (in --data) or cassandra [rocksdb]",
     Concerns::cassandra},
    {"cassandra",
     "NODES",
     "Some nodes, ADDRESS:PORT with commas between [127.0.0.1:9042]",
     Concerns::cassandra},
    {"cassandra_datacenter",
     "NAME",
     "The nearest datacenter, whose nodes are asked [dc1]",
     Concerns::cassandra},
    {"cassandra_keyspace", "NAME", "The keyspace of all tables [footfall]", Concerns::cassandra},
    {"cassandra_user",
     "NAME",
     "Who asks; the password is FOOTFALL_CASSANDRA_PASSWORD or in --config [nobody]",
     Concerns::cassandra},
    {"cassandra_replication",
     "COPIES",
     "Copies a datacenter, such as dc1:3,dc2:1, to make keyspace and tables with if they are "
     "missing [they have to be there]",
     Concerns::cassandra},
    {"cassandra_counts",
     "LEVEL",
     "How many replicas answer for counts: local_quorum, or local_one, which may be a moment old "
     "[local_quorum]",
     Concerns::cassandra},
    {"cassandra_remote_reads",
     "WHETHER",
     "yes: objects of counters that the nearest datacenter cannot answer are asked of another one; "
     "or no [no]",
     Concerns::cassandra},
    {"log", "LOG", "Where events are kept: rocksdb (in --data) or kafka [rocksdb]", Concerns::kafka
    },
    {"kafka",
     "BROKERS",
     "Some brokers, ADDRESS:PORT with commas between [127.0.0.1:9092]",
     Concerns::kafka},
    {"kafka_prefix", "TEXT", "What the names of the topics begin with [footfall.]", Concerns::kafka
    },
    {"kafka_replicas",
     "N",
     "Copies of each record, if the topics are to be made [3]",
     Concerns::kafka},
    {"judged_json",
     "on|off",
     "Write judged events as JSON to the topic judged.json, for other programs [off]",
     Concerns::kafka},
    {"instance",
     "NAME",
     "This process's name in the cluster; its work waits for it after a restart [it goes to "
     "others]",
     Concerns::kafka},
    {"advertise",
     "ADDR:PORT",
     "Where the other processes reach this one [where it listens]",
     Concerns::kafka},
    {"roles",
     "ROLES",
     "What this process does: some of collect,guard,project,query [all]",
     Concerns::kafka},
}};

std::string flag_of(std::string_view setting) {
    std::string flag = fmt::format("--{}", setting);
    std::ranges::replace(flag, '_', '-');
    return flag;
}

bool takes(SettingFlags::Which which, const SettingFlag& flag) {
    switch (which) {
        case SettingFlags::Which::all:
            return true;
        case SettingFlags::Which::directory:
            return flag.concerns == Concerns::all;
        case SettingFlags::Which::cluster:
            return flag.concerns == Concerns::cassandra && flag.setting != "store";
        case SettingFlags::Which::place:
            return flag.concerns == Concerns::cassandra || flag.setting == "data";
        case SettingFlags::Which::logs:
            return takes(SettingFlags::Which::place, flag) || flag.setting == "log" ||
                   flag.setting == "kafka" || flag.setting == "kafka_prefix";
    }
    return false;
}

}  // namespace

std::shared_ptr<SettingFlags> SettingFlags::add_to(CLI::App& verb, Which which) {
    auto flags = std::make_shared<SettingFlags>();
    for (const SettingFlag& each : all_flags) {
        if (takes(which, each)) {
            verb.add_option(flag_of(each.setting), flags->texts_[each.setting], each.help)
                ->type_name(each.type);
        }
    }
    verb.add_option("--config", flags->config_, "A TOML file; flags and FOOTFALL_* win over it")
        ->type_name("FILE");
    return flags;
}

Settings SettingFlags::given() const {
    Settings settings;
    for (const auto& [setting, text] : texts_) {
        if (!text.empty()) {
            settings.insert_or_assign(
                std::string{setting}, Setting{.text = text, .origin = flag_of(setting)}
            );
        }
    }
    return settings;
}

}  // namespace footfall::server
