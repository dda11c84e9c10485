#include "server/job_settings.h"

#include <span>
#include <string>

namespace footfall::server {

std::vector<SettingRow> rows_of_jobs(jobs::List list) {
    std::vector<SettingRow> rows;
    for (const jobs::Registered* const job : list) {
        if (job->settings == nullptr) {
            continue;
        }
        for (const jobs::ValueSetting& each : job->settings->values) {
            rows.push_back(
                {.name = each.name,
                 .takes = each.takes,
                 .without = each.without,
                 .help = each.help,
                 .concerns = Concerns::all,
                 .locates = Locates::nothing}
            );
        }
    }
    return rows;
}

Result<jobs::OptionsByJob> read_jobs(
    jobs::List list, const Settings& settings, const Sections& sections
) {
    jobs::OptionsByJob options;
    for (const jobs::Registered* const job : list) {
        if (job->settings == nullptr) {
            continue;
        }
        std::vector<jobs::GivenValue> values;
        for (const jobs::ValueSetting& each : job->settings->values) {
            if (const auto given = settings.find(each.name); given != settings.end()) {
                const Setting& setting = given->second;
                values.push_back({.name = each.name, .text = setting.text, .origin = setting.origin}
                );
            }
        }
        const auto own = sections.find(job->settings->section);
        const std::span<const jobs::Section> none;
        TRY(options[std::string{job->name}],
            job->settings->read(
                {.sections = own == sections.end() ? none : own->second, .values = values}
            ));
    }
    return options;
}

}  // namespace footfall::server
