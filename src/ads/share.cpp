#include "ads/share.h"

#include "events/money.h"

namespace footfall::ads {

Result<Millionths> parse_share(std::string_view text) {
    const auto share = text.starts_with('-') ? std::nullopt : events::parse_money(text);
    if (!share || *share > whole) {
        return fail(
            ErrorKind::invalid_input,
            "a share is decimal text from \"0\" to \"1\" with at most six decimals: 30 % is \"0.3\""
        );
    }
    return static_cast<Millionths>(*share);
}

std::string format_share(Millionths share) {
    return events::format_money(share);
}

}  // namespace footfall::ads
