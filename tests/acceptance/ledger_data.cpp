#include "ledger_data.h"

#include "foundation/lines.h"
#include "foundation/parse_number.h"
#include "test_support/eventually.h"
#include "test_support/must.h"
#include "test_support/run_command.h"
#include "test_support/tested_store.h"
#include "test_support/truth.h"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string_view>

namespace footfall::acceptance {
namespace {

using namespace test_support;

constexpr const char* folder = FOOTFALL_DATA_DIR "/ledger-retail/";
constexpr std::string_view first_day = "2010-12-01";
constexpr std::chrono::minutes settling_patience{1};

std::vector<std::string_view> columns_of(std::string_view line) {
    std::vector<std::string_view> columns;
    for (std::size_t comma = 0; comma != line.npos;) {
        comma = line.find(',');
        columns.push_back(line.substr(0, comma));
        line.remove_prefix(comma == line.npos ? line.size() : comma + 1);
    }
    return columns;
}

std::uint64_t number(std::string_view text) {
    const auto read = parse_unsigned(text);
    if (!read) {
        give_up(fmt::format("not a number: \"{}\"", text));
    }
    return *read;
}

events::Micros money(std::string_view text) {
    const auto read = events::parse_money(text);
    if (!read) {
        give_up(fmt::format("not an amount: \"{}\"", text));
    }
    return *read;
}

/// Sums of a truth file by its first `names` columns; its last column is the amount.
Sums read_truth_sums(
    const std::string& file, std::size_t names, std::size_t rows, const Sales& sales
) {
    const std::string text = read_gzip(folder + file);
    std::string_view left = text;
    take_line(left);  // the header
    Sums sums;
    while (!left.empty()) {
        const auto columns = columns_of(take_line(left));
        if (columns[0] > sales.through) {
            continue;
        }
        std::string name{columns[0]};
        for (std::size_t at = 1; at < names; ++at) {
            name.append(" ").append(columns[at]);
        }
        sums[name] = {.rows = number(columns[rows]), .amount = money(columns.back())};
    }
    return sums;
}

std::string_view text_in(const boost::json::object& object, std::string_view name) {
    return object.at(name).as_string();
}

/// Of an object that has clicks, sales, refunds and an amount.
Sum sum_in(const boost::json::object& object) {
    Sum sum{.amount = money(text_in(object, "amount"))};
    for (const char* const kind : {"clicks", "sales", "refunds"}) {
        sum.rows += object.at(kind).to_number<std::uint64_t>();
    }
    return sum;
}

/// What the ledger answers once it is not provisional: on a cluster lanes come and go, and until
/// they were read again it says itself that something may be missing.
boost::json::object settled(Api& api, const std::string& target) {
    boost::json::object answer;
    const bool is_settled = eventually(
        [&] {
            answer = api.get_json(target);
            return !answer.at("provisional").as_bool();
        },
        settling_patience
    );
    if (!is_settled) {
        give_up(fmt::format("{} stays provisional", target));
    }
    return answer;
}

boost::json::object income(
    Api& api,
    const std::string& reseller,
    std::string_view from,
    std::string_view to,
    std::string_view group_by
) {
    const std::string target = fmt::format(
        "/api/v1/resellers/{}/income?from={}&to={}&group_by={}",
        http_server::percent_encode(reseller),
        from,
        to,
        group_by
    );
    return settled(api, target);
}

}  // namespace

Sales december() {
    return {.name = "december", .through = "2010-12-31"};
}

Sales whole() {
    return {.name = "whole", .through = "2011-12-09"};
}

std::string Sales::csv() const {
    const CommandResult made = run_command(
        {.words =
             {FOOTFALL_PYTHON,
              FOOTFALL_ADS_SCRIPTS "/retail_sales.py",
              std::string{folder} + "online-retail.csv.gz"}}
    );
    if (made.exit_code != 0) {
        give_up(made.errors);
    }
    std::string_view left = made.output;
    std::string kept{take_line(left)};
    kept += '\n';
    while (!left.empty()) {
        const std::string_view line = take_line(left);
        if (columns_of(line)[1].substr(0, through.size()) <= through) {
            kept.append(line).append("\n");
        }
    }
    return kept;
}

std::vector<std::string> Sales::import_words(
    const std::string& file, const std::vector<std::string>& target
) {
    std::vector<std::string> words{
        "import",
        file,
        "--as",
        "events",
        "--format",
        "csv",
        "--map",
        "id=row,time=time,object=code,reseller=country,publisher=customer,amount=amount",
        "--set",
        "action=sale",
        "--set",
        "currency=GBP"
    };
    words.insert(words.end(), target.begin(), target.end());
    return words;
}

Sum& Sum::operator+=(const Sum& other) {
    rows += other.rows;
    amount += other.amount;
    return *this;
}

Sums truth_by_day(const Sales& sales) {
    return read_truth_sums("truth_by_day.csv.gz", 1, 1, sales);
}

Sums truth_by_day_and_code(const Sales& sales) {
    return read_truth_sums("truth_by_day_and_stock.csv.gz", 2, 2, sales);
}

Sum sum_of(const Sums& sums) {
    Sum all;
    for (const auto& [name, sum] : sums) {
        all += sum;
    }
    return all;
}

std::string text_of(const Sum& sum) {
    return fmt::format("{} GBP {}", sum.rows, events::format_money(sum.amount));
}

std::string different_sums(const Sums& expected, const Sums& actual) {
    std::set<std::string> names;
    for (const Sums* const sums : {&expected, &actual}) {
        for (const auto& [name, sum] : *sums) {
            names.insert(name);
        }
    }
    const auto text_in = [](const Sums& sums, const std::string& name) {
        const auto found = sums.find(name);
        return found == sums.end() ? "nothing" : text_of(found->second);
    };
    std::string text;
    int shown = 0;
    for (const std::string& name : names) {
        const std::string wanted = text_in(expected, name);
        const std::string got = text_in(actual, name);
        if (wanted != got && ++shown <= 10) {
            text += fmt::format("{}: {} instead of {}\n", name, got, wanted);
        }
    }
    return shown > 10 ? text + fmt::format("and {} more\n", shown - 10) : text;
}

std::string surplus_days(const Sums& truth, const Sums& actual) {
    std::string text;
    for (const auto& [day, sum] : actual) {
        const auto found = truth.find(day);
        if (found == truth.end() || sum.rows > found->second.rows) {
            text += fmt::format("{}: {}\n", day, text_of(sum));
        }
    }
    return text;
}

std::string split_amount(Api& api) {
    return std::string{text_in(settled(api, "/api/v1/ledger/split"), "amount")};
}

std::vector<std::string> resellers_of(Api& api) {
    std::vector<std::string> names;
    const boost::json::object list = api.get_json("/api/v1/resellers?limit=500");
    for (const boost::json::value& each : list.at("resellers").as_array()) {
        names.emplace_back(text_in(each.as_object(), "reseller"));
    }
    return names;
}

Sums days_by_income(Api& api, const Sales& sales) {
    Sums sums;
    for (const std::string& reseller : resellers_of(api)) {
        const auto answer = income(api, reseller, first_day, sales.through, "day");
        for (const boost::json::value& each : answer.at("days").as_array()) {
            sums[std::string{text_in(each.as_object(), "day")}] += sum_in(each.as_object());
        }
    }
    return sums;
}

Sums days_and_codes_by_income(Api& api, const Sales& sales) {
    Sums sums;
    for (const std::string& reseller : resellers_of(api)) {
        const auto answer = income(api, reseller, first_day, sales.through, "day");
        for (const boost::json::value& of_day : answer.at("days").as_array()) {
            const std::string day{text_in(of_day.as_object(), "day")};
            const auto by_ad = income(api, reseller, day, day, "ad");
            for (const boost::json::value& each : by_ad.at("ads").as_array()) {
                sums[fmt::format("{} {}", day, text_in(each.as_object(), "ad"))] +=
                    sum_in(each.as_object());
            }
        }
    }
    return sums;
}

Sums days_and_codes_by_table(const std::vector<std::string>& place) {
    std::vector<std::string> words{
        "table", "clicks_per_ad", "--json", "--limit", "10000000", "--looks", "10000000"
    };
    words.insert(words.end(), place.begin(), place.end());
    const CommandResult table = run_footfall(std::move(words));
    if (table.exit_code != 0) {
        give_up(table.errors);
    }
    Sums sums;
    for (std::string_view left = table.output; !left.empty();) {
        const boost::json::object row = parse_object(take_line(left));
        if (text_in(row, "currency") != "GBP") {
            give_up("an amount in another currency than pounds");
        }
        sums[fmt::format("{} {}", text_in(row, "day"), text_in(row, "ad"))] += sum_in(row);
    }
    return sums;
}

std::vector<std::string> rows_of(const std::string& data) {
    std::vector<std::string> words = store_words(data);
    words.erase(std::ranges::find(words, "--log"), words.end());
    return words;
}

}  // namespace footfall::acceptance
