#include "events/canonical_url.h"
#include "foundation/random.h"
#include "foundation_testing/rounds.h"
#include "foundation_testing/test_seed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <map>
#include <vector>

namespace footfall::events {
namespace {

template <std::size_t size>
std::string_view one_of(Random& random, const std::array<std::string_view, size>& from) {
    return from.at(random.below(size));
}

/// A form, and other spellings of it that the rules make the same.
class SpelledUrl {
public:
    explicit SpelledUrl(Random& random) : random_{random} {
        for (std::uint64_t count = random_.below(5); count > 0; --count) {
            segments_.push_back(text(segment_letters));
        }
        for (std::uint64_t count = random_.below(4); count > 0; --count) {
            pieces_.push_back("p" + text(piece_letters));
        }
    }

    std::string form() const {
        std::string url = fmt::format("https://{}{}", host_.form, port_);
        for (const std::string& segment : segments_) {
            url += "/" + segment;
        }
        url += ends_with_slash_ || segments_.empty() ? "/" : "";
        return fmt::format("{}{}{}", url, pieces_.empty() ? "" : "?", fmt::join(pieces_, "&"));
    }

    std::string spelling() {
        std::string url{one_of<3>(random_, {"", " ", "\r\n\t"})};
        url += any_case(one_of<2>(random_, {"http://", "https://"}));
        url += one_of<4>(random_, {"", "@", "user:1@", "a@b%:@"});
        url += spelled_host() + spelled_port() + spelled_path() + spelled_query();
        url += one_of<3>(random_, {"", "#", "#/../?utm_id=1&#\u00e9"});
        return url += one_of<3>(random_, {"", " ", "\t\n"});
    }

private:
    struct Host {
        std::string_view form;
        std::string_view other;
    };

    static constexpr std::array<Host, 5> hosts{
        {{"example.org", "example.org"},
         {"xn--bcher-kva.example", "b\u00fccher.example"},
         {"r3---a.xn--wgv71a119e.jp", "r3---a.\u65e5\u672c\u8a9e\u3002jp"},
         {"[2001:db8::1]", "[2001:0db8:0:0:0:0:0:1]"},
         {"192.0.2.7", "192.0.2.7"}}
    };
    static constexpr std::array<std::string_view, 10> segment_letters{
        "a", "Z", "~", "..", "!", "%2F", "%C3%A9", "%20", "%25", "%27"
    };
    static constexpr std::array<std::string_view, 10> piece_letters{
        "a", "Z", "=", "+", "?", "%26", "%E6%97%A5", "%5B", "%25", "%22"
    };

    std::string text(const std::array<std::string_view, 10>& letters) {
        std::string text{"x"};
        for (std::uint64_t count = random_.below(6); count > 0; --count) {
            text += one_of(random_, letters);
        }
        // A blank at the end of all would not be a part of it.
        return text += 'x';
    }

    std::string any_case(std::string_view text) {
        std::string other{text};
        for (char& letter : other) {
            if (random_.below(2) == 0) {
                letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
            }
        }
        return other;
    }

    std::string triplet(char letter) {
        return any_case(fmt::format("%{:02x}", static_cast<unsigned char>(letter)));
    }

    std::string spelled_host() {
        std::string host{random_.below(2) == 0 ? host_.form : host_.other};
        if (host.starts_with('[')) {
            return any_case(host);
        }
        std::string spelled;
        for (const char letter : host) {
            const bool ascii = static_cast<unsigned char>(letter) < 0x80;
            // A letter beyond ASCII is encoded as a whole or not at all, as all of them are.
            const bool encoded = ascii ? random_.below(4) == 0 : host_encoded_;
            spelled += encoded ? triplet(letter) : any_case({&letter, ascii ? 1U : 0U});
            if (!ascii && !encoded) {
                spelled += letter;
            }
        }
        return spelled += one_of<3>(random_, {"", ".", "%2E"});
    }

    std::string spelled_port() {
        return std::string{
            port_.empty() ? one_of<5>(random_, {"", ":", ":80", ":443", ":00443"})
                          : one_of<3>(random_, {":8443", ":08443", ":000000000000000000000008443"})
        };
    }

    /// What stands for itself is encoded, and what is encoded is raw, where both mean the same.
    std::string spelled(std::string_view text) {
        std::string spelled;
        for (std::size_t at = 0; at < text.size(); ++at) {
            const bool free = std::isalnum(static_cast<unsigned char>(text[at])) != 0 ||
                              std::string_view{"-._~"}.contains(text[at]);
            if (text[at] != '%') {
                spelled +=
                    free && random_.below(3) == 0 ? triplet(text[at]) : std::string{text[at]};
                continue;
            }
            const std::string_view encoded = text.substr(at, 3);
            at += 2;
            const auto raw = raw_.find(encoded);
            spelled += raw != raw_.end() && random_.below(2) == 0 ? raw->second : any_case(encoded);
        }
        return spelled;
    }

    std::string spelled_path() {
        std::string path;
        for (const std::string& segment : segments_) {
            path += one_of<5>(random_, {"", "/.", "/%2e", "/b/..", "/c/d/%2E./.%2e"});
            path += "/" + spelled(segment);
        }
        if (ends_with_slash_ || segments_.empty()) {
            path += segments_.empty() ? one_of<4>(random_, {"", "/", "/..", "/./"})
                                      : one_of<4>(random_, {"/", "/.", "/a/..", "/%2e/./"});
        }
        return path;
    }

    std::string spelled_query() {
        std::string query;
        for (const std::string& piece : pieces_) {
            query += query.empty() ? "?" : "&";
            query +=
                one_of<5>(random_, {"", "&", "gclid&", "%55TM_id=1&&", "fbcl%69d=a=b?&Utm_x=%&"});
            query += spelled(piece);
        }
        if (query.empty()) {
            return std::string{one_of<4>(random_, {"", "?", "?&", "?gclid=a&utm_b"})};
        }
        return query += one_of<3>(random_, {"", "&", "&utm_=1"});
    }

    Random& random_;
    std::map<std::string_view, std::string_view> raw_{
        {"%20", " "}, {"%27", "'"}, {"%5B", "["}, {"%22", "\""}
    };
    const Host& host_ = hosts.at(random_.below(hosts.size()));
    bool host_encoded_ = random_.below(2) == 0;
    std::string_view port_ = one_of<2>(random_, {"", ":8443"});
    bool ends_with_slash_ = random_.below(2) == 0;
    std::vector<std::string> segments_;
    std::vector<std::string> pieces_;
};

TEST(CanonicalUrl, is_one_of_all_spellings) {
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    Random random{seed};
    for (std::uint64_t round = 0; round < rounds(2000); ++round) {
        SpelledUrl url{random};
        const std::string form = url.form();
        ASSERT_EQ(canonical_url(form), form);
        for (int each = 0; each < 10; ++each) {
            const std::string spelling = url.spelling();
            ASSERT_EQ(canonical_url(spelling), form) << spelling;
        }
    }
}

/// Any bytes, of which many look like a URL.
std::string random_object(Random& random) {
    constexpr std::array<std::string_view, 40> parts{
        "http", "https", ":",      "//",      "/",   "?",   "#",    "&",          "=",      "@",
        "[",    "]",     "%",      "%2",      "%2e", "%C3", "%bc",  "\u00fc",     ".",      "..",
        "a",    "Z",     "xn--",   "xn--tda", "80",  "0",   "utm_", "gclid",      "\\",     "\t",
        " ",    "\xff",  "\u3002", "\u00ad",  "::1", "-",   "_",    "\U0001F4A9", "\u200d", "'"
    };
    std::string object{random.below(4) == 0 ? "" : "http://a"};
    for (std::uint64_t count = random.below(16); count > 0; --count) {
        if (random.below(8) == 0) {
            object += static_cast<char>(random.below(256));
        } else {
            object += one_of(random, parts);
        }
    }
    return object;
}

TEST(CanonicalUrl, of_a_form_is_the_form) {
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    Random random{seed};
    std::uint64_t urls = 0;
    for (std::uint64_t round = 0; round < rounds(50'000); ++round) {
        const std::string object = random_object(random);
        const std::string form = canonical_url(object);
        ASSERT_EQ(canonical_url(form), form) << object;
        if (form != object) {
            ASSERT_FALSE(site_of(form).empty()) << form;
            ++urls;
        }
    }
    EXPECT_GT(urls, rounds(50'000) / 20) << "too few of the objects are URLs";
}

}  // namespace
}  // namespace footfall::events
