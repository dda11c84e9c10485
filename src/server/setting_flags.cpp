#include "server/setting_flags.h"

#include <string>

namespace footfall::server {
namespace {

bool takes(SettingFlags::Which which, const SettingRow& row) {
    if (!row.is_flag) {
        return false;
    }
    switch (which) {
        case SettingFlags::Which::all:
            return true;
        case SettingFlags::Which::directory:
            return row.concerns == Concerns::all || row.concerns == Concerns::directory;
        case SettingFlags::Which::cluster:
            return row.concerns == Concerns::cassandra;
        case SettingFlags::Which::place:
            return row.locates == Locates::rows;
        case SettingFlags::Which::logs:
            return row.locates != Locates::nothing;
        case SettingFlags::Which::cluster_logs:
            return row.concerns == Concerns::cassandra || row.locates == Locates::log;
    }
    return false;
}

}  // namespace

std::shared_ptr<SettingFlags> SettingFlags::add_to(CLI::App& verb, Which which) {
    auto flags = std::make_shared<SettingFlags>();
    for (const SettingRow& each : all_settings()) {
        if (takes(which, each)) {
            verb.add_option(flag_of(each), flags->texts_[&each], help_of(each))
                ->type_name(std::string{each.takes});
        }
    }
    verb.add_option("--config", flags->config_, "A TOML file; flags and FOOTFALL_* win over it")
        ->type_name("FILE");
    return flags;
}

Settings SettingFlags::given() const {
    Settings settings;
    for (const auto& [row, text] : texts_) {
        if (!text.empty()) {
            settings.insert_or_assign(
                std::string{row->name}, Setting{.text = text, .origin = flag_of(*row)}
            );
        }
    }
    return settings;
}

}  // namespace footfall::server
