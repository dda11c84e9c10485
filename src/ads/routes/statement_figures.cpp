#include "ads_routes/statement_figures.h"

#include "ads/share.h"
#include "foundation/check.h"

#include <fmt/format.h>

namespace footfall::ads::routes {

std::size_t decimals_of(std::string_view money) {
    const std::size_t point = money.find('.');
    return point == std::string_view::npos ? 0 : money.size() - point - 1;
}

std::string money_figure(std::string_view money, std::size_t decimals) {
    std::string figure;
    if (money.starts_with('-')) {
        figure = "\u2212";
        money.remove_prefix(1);
    }
    const std::string_view units = money.substr(0, money.find('.'));
    constexpr std::size_t group = 3;
    for (std::size_t at = 0; at < units.size(); ++at) {
        if (at > 0 && (units.size() - at) % group == 0) {
            figure += ',';
        }
        figure += units[at];
    }
    const std::size_t written = decimals_of(money);
    if (written == 0 && decimals > 0) {
        figure += '.';
    }
    figure += money.substr(units.size());
    figure.append(decimals > written ? decimals - written : 0, '0');
    return figure;
}

std::string share_figure(std::string_view share) {
    if (share.empty()) {
        return "";
    }
    const Result<Millionths> millionths = parse_share(share);
    CHECK(millionths.has_value(), "a statement has a share that is none");
    constexpr Millionths in_a_percent = 10'000;
    std::string figure =
        fmt::format("{}.{:04}", *millionths / in_a_percent, *millionths % in_a_percent);
    figure.resize(figure.find_last_not_of('0') + 1);
    if (figure.ends_with('.')) {
        figure.pop_back();
    }
    return figure + " %";
}

}  // namespace footfall::ads::routes
