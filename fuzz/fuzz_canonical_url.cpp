// Any bytes as an object. Properties: its form is ASCII or the object itself; the form of the form
// is the form; what was changed is a URL with a site; nothing behind a "#" changes a URL.
#include "events/canonical_url.h"
#include "foundation/check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace footfall::events;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view object{reinterpret_cast<const char*>(data), size};
    const std::string form = canonical_url(object);
    const bool ascii =
        std::ranges::all_of(form, [](char letter) { return letter > ' ' && letter < '\x7f'; });
    CHECK(form == object || ascii, "it is neither ASCII nor the object", form);
    CHECK(canonical_url(form) == form, "the form of the form is another", form);
    const std::string_view site = site_of(form);
    if (site.empty()) {
        CHECK(form == object, "what is no URL was changed", form);
        return 0;
    }
    CHECK(form.starts_with("https://" + std::string{site}), "it has another site", form);
    CHECK(canonical_url(form + "#/../?&a b") == form, "its fragment changes it", form);
    return 0;
}
