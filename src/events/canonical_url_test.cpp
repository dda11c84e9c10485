#include "events/canonical_url.h"

#include "foundation/crc32c.h"
#include "foundation_testing/repository.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <vector>

namespace footfall::events {
namespace {

struct Spelling {
    std::string_view object;
    std::string_view form;
};

void expect_forms(const std::vector<Spelling>& spellings) {
    for (const Spelling& each : spellings) {
        EXPECT_EQ(canonical_url(each.object), each.form) << each.object;
        EXPECT_EQ(canonical_url(each.form), each.form);
        EXPECT_FALSE(site_of(each.form).empty()) << each.form;
    }
}

void expect_no_urls(const std::vector<std::string_view>& objects) {
    for (const std::string_view object : objects) {
        EXPECT_EQ(canonical_url(object), object);
        EXPECT_EQ(site_of(object), "") << object;
    }
}

TEST(CanonicalUrl, has_one_scheme_and_no_blanks_around_it) {
    expect_forms(
        {{"https://example.org/a", "https://example.org/a"},
         {"http://example.org/a", "https://example.org/a"},
         {"HTTP://example.org/a", "https://example.org/a"},
         {"hTtPs://example.org/a", "https://example.org/a"},
         {" \t\r\n\fhttps://example.org/a\f\n\r\t ", "https://example.org/a"},
         {"https://example.org/a\n", "https://example.org/a"}}
    );
}

TEST(CanonicalUrl, has_one_spelling_of_a_host) {
    expect_forms(
        {{"https://Example.ORG/A", "https://example.org/A"},
         {"https://example.org./a", "https://example.org/a"},
         {"https://www.example.org/", "https://www.example.org/"},
         {"https://ex%61mple.org/", "https://example.org/"},
         {"https://EX%41MPLE%2Eorg%2E/", "https://example.org/"},
         {"https://r3---sn-4g5e.example.org/", "https://r3---sn-4g5e.example.org/"},
         {"https://_a.-b-.example.org/", "https://_a.-b-.example.org/"},
         {"https://localhost", "https://localhost/"},
         {"https://192.0.2.7/", "https://192.0.2.7/"},
         {"https://0x7f.1/", "https://0x7f.1/"},
         {"https://[2001:DB8:0:0::0:1]/", "https://[2001:db8::1]/"},
         {"http://[::FFFF:c000:0207]:80/", "https://[::ffff:192.0.2.7]/"},
         {"https://[::1]:8080/a", "https://[::1]:8080/a"},
         {"https://u@[0:0:0:0:0:0:0:1]", "https://[::1]/"}}
    );
}

TEST(CanonicalUrl, has_hosts_of_other_letters_in_ascii) {
    expect_forms(
        {{"https://bücher.example/", "https://xn--bcher-kva.example/"},
         {"https://BÜCHER.example/", "https://xn--bcher-kva.example/"},
         {"https://bu\u0308cher.example/", "https://xn--bcher-kva.example/"},
         {"https://b%C3%BCcher.example/", "https://xn--bcher-kva.example/"},
         {"https://XN--BCHER-KVA.example/", "https://xn--bcher-kva.example/"},
         {"https://r3---sn-4g5e.bücher.example/", "https://r3---sn-4g5e.xn--bcher-kva.example/"},
         // Not transitional: a word of its own, which "strasse" is not.
         {"https://straße.example/", "https://xn--strae-oqa.example/"},
         {"https://STRASSE.example/", "https://strasse.example/"},
         // Unicode 15.1 makes it "ß". A libidn2 that has it gives another form: raise the version.
         {"https://STRASSE.example/", "https://strasse.example/"},
         // Unicode 15.1 has "ß" for it. Whose libidn2 does so, too, gives it another form: a
         // version.
         {"https://STRAẞE.example/", "https://strasse.example/"},
         {"https://βόλος.example/", "https://xn--nxasmm1c.example/"},
         {"https://نامه\u200cای.example/", "https://xn--mgba3gch31f060k.example/"},
         {"https://日本語。ＪＰ．/", "https://xn--wgv71a119e.jp/"},
         {"https://日本語｡jp/", "https://xn--wgv71a119e.jp/"},
         {"https://ｅｘａｍｐｌｅ.org/", "https://example.org/"},
         {"https://ex\u00adample.org/", "https://example.org/"},
         // Symbols have a name in ASCII, which is what browsers send.
         {"https://xn--ls8h.example/", "https://xn--ls8h.example/"},
         {"https://XN--i-7iq.example/", "https://xn--i-7iq.example/"}}
    );
}

TEST(CanonicalUrl, has_no_user_and_no_usual_port) {
    expect_forms(
        {{"https://user@example.org/", "https://example.org/"},
         {"https://user:password@example.org/", "https://example.org/"},
         {"https://a@b@example.org/", "https://example.org/"},
         {"https://@example.org/", "https://example.org/"},
         {"https://a b<>:1@example.org:444/", "https://example.org:444/"},
         {"https://example.org/a@b:80", "https://example.org/a@b:80"},
         {"https://example.org:443/", "https://example.org/"},
         {"http://example.org:80/", "https://example.org/"},
         {"http://example.org:443/", "https://example.org/"},
         {"https://example.org:80", "https://example.org/"},
         {"https://example.org:/", "https://example.org/"},
         {"https://example.org:00080/", "https://example.org/"},
         {"https://example.org:08080/", "https://example.org:8080/"},
         {"https://example.org:000/", "https://example.org:0/"},
         {"https://example.org:65535/", "https://example.org:65535/"},
         {"https://example.org.:8443/", "https://example.org:8443/"}}
    );
}

TEST(CanonicalUrl, has_no_fragment_and_no_dot_segments) {
    expect_forms(
        {{"https://example.org", "https://example.org/"},
         {"https://example.org#top", "https://example.org/"},
         {"https://example.org?", "https://example.org/"},
         {"https://example.org?#", "https://example.org/"},
         {"https://example.org?a=1", "https://example.org/?a=1"},
         {"https://example.org/a#b?c=d", "https://example.org/a"},
         {"https://example.org/a?b#c#d", "https://example.org/a?b"},
         {"https://example.org/a/", "https://example.org/a/"},
         {"https://example.org//a//b", "https://example.org//a//b"},
         {"https://example.org/./a", "https://example.org/a"},
         {"https://example.org/a/.", "https://example.org/a/"},
         {"https://example.org/a/./b/../c", "https://example.org/a/c"},
         {"https://example.org/a/b/..", "https://example.org/a/"},
         {"https://example.org/..", "https://example.org/"},
         {"https://example.org/../../a", "https://example.org/a"},
         {"https://example.org/a//../b", "https://example.org/a/b"},
         {"https://example.org/a/%2e/%2E%2e/b", "https://example.org/b"},
         {"https://example.org/a/.%2e", "https://example.org/"},
         {"https://example.org/a/...", "https://example.org/a/..."},
         {"https://example.org/a/..b/.c", "https://example.org/a/..b/.c"},
         {"https://example.org/a?b=/../c", "https://example.org/a?b=/../c"}}
    );
}

TEST(CanonicalUrl, has_one_percent_encoding) {
    expect_forms(
        {{"https://example.org/%7Euser/%41%2d%5F%2e%30", "https://example.org/~user/A-_.0"},
         {"https://example.org/a%2fb%3f%23", "https://example.org/a%2Fb%3F%23"},
         {"https://example.org/caf\u00e9", "https://example.org/caf%C3%A9"},
         {"https://example.org/caf%c3%a9", "https://example.org/caf%C3%A9"},
         {"https://example.org/\u65e5?\U0001F4A9", "https://example.org/%E6%97%A5?%F0%9F%92%A9"},
         {"https://example.org/%ff%00", "https://example.org/%FF%00"},
         {"https://example.org/a b?c d", "https://example.org/a%20b?c%20d"},
         {"https://example.org/a+b?c+d", "https://example.org/a+b?c+d"},
         {"https://example.org/\"'<>\\^`{|}", "https://example.org/%22%27%3C%3E%5C%5E%60%7B%7C%7D"},
         {"https://example.org/it%27s", "https://example.org/it%27s"},
         {"https://example.org/?a[0]=1&b[]", "https://example.org/?a%5B0%5D=1&b%5B%5D"},
         {"https://example.org/!$&()*+,;=:@", "https://example.org/!$&()*+,;=:@"},
         {"https://example.org/%21%24%26", "https://example.org/%21%24%26"},
         {"https://example.org/100%", "https://example.org/100%25"},
         {"https://example.org/100%2", "https://example.org/100%252"},
         {"https://example.org/%zz?%4g", "https://example.org/%25zz?%254g"},
         {"https://example.org/%%41", "https://example.org/%25A"},
         {"https://example.org/%%34%31", "https://example.org/%2541"},
         {"https://example.org/%2541", "https://example.org/%2541"},
         {"https://example.org/a\tb\nc", "https://example.org/a%09b%0Ac"},
         {std::string_view{"https://example.org/\0\x7f", 22}, "https://example.org/%00%7F"},
         {"https://example.org/a?b?c/d", "https://example.org/a?b?c/d"}}
    );
}

TEST(CanonicalUrl, has_no_tracking_parameters) {
    expect_forms(
        {{"https://example.org/?utm_source=a&utm_medium=b", "https://example.org/"},
         {"https://example.org/a?utm_", "https://example.org/a"},
         {"https://example.org/a?id=7&gclid=x&page=2", "https://example.org/a?id=7&page=2"},
         {"https://example.org/a?fbclid=x&id=7", "https://example.org/a?id=7"},
         {"https://example.org/a?UTM_Source=x&FBCLID&hsCtaTracking=y", "https://example.org/a"},
         {"https://example.org/a?%75tm%5fsource=x", "https://example.org/a"},
         {"https://example.org/a?b&&c=&=d&&", "https://example.org/a?b&c=&=d"},
         {"https://example.org/a?&", "https://example.org/a"},
         {"https://example.org/a?&utm_id=1&", "https://example.org/a"},
         {"https://example.org/a?z=1&b=2&b=1", "https://example.org/a?z=1&b=2&b=1"},
         {"https://example.org/a?_ga=1&_gat=2", "https://example.org/a?_gat=2"},
         {"https://example.org/a?a=utm_source=b", "https://example.org/a?a=utm_source=b"},
         {"https://example.org/a?gclid%3D1=2", "https://example.org/a?gclid%3D1=2"},
         {"https://example.org/a?xgclid=1&gclidx=2", "https://example.org/a?xgclid=1&gclidx=2"},
         {"https://example.org/a?utm=1&utm%2Fx", "https://example.org/a?utm=1&utm%2Fx"},
         // What means something on a large site.
         {"https://example.org/a?ref=1&s=2&keywords=3&source=4&si=5&s_cid=6",
          "https://example.org/a?ref=1&s=2&keywords=3&source=4&si=5&s_cid=6"},
         // Longer than any name of the list, and beginning like one, or not.
         {"https://example.org/a?utm_a_name_that_is_longer_than_all_of_the_list=1",
          "https://example.org/a"},
         {"https://example.org/a?__twitter_impressions",
          "https://example.org/a?__twitter_impressions"}}
    );
}

TEST(CanonicalUrl, leaves_what_is_no_url_as_it_is) {
    expect_no_urls(
        {"",
         " ",
         " post-12 ",
         "post-12",
         "example.org/a",
         "//example.org/a",
         "mailto:ann@example.org",
         "javascript:alert(1)",
         "ftp://example.org/",
         "HTTPX://example.org/",
         "data:text/html,https://example.org/",
         "http:",
         "http:/x",
         "http:x",
         "http:\\\\example.org\\a",
         "https:/\\example.org",
         "https ://example.org/",
         "ht\ttps://example.org/",
         "\vhttps://example.org/"}
    );
}

TEST(CanonicalUrl, leaves_what_has_no_host_or_port_as_it_is) {
    expect_no_urls(
        {"https://",
         "https:///a",
         "https://?a",
         "https://#a",
         "https://user@/",
         "https://:80/",
         "https://./",
         "https://%",
         "https://%zz/",
         "https://a%2fb/",
         "https://a%00b/",
         "https://%2565xample.org/",
         "https://exa mple.org/",
         "https://exa\tmple.org/",
         "https://exa<mple.org/",
         "https://example.org\\a",
         "https://example.org\\@example.com/",
         "https://example..org/",
         "https://.example.org/",
         "https://example.org../",
         "https://example.org:65536/",
         "https://example.org:18446744073709551696/",
         "https://example.org:-1/",
         "https://example.org:+80/",
         "https://example.org:8o/",
         "https://example.org:80:80/",
         "https://[::1/",
         "https://[::1]a/",
         "https://[::1]:x/",
         "https://[]/",
         "https://[",
         "https://[:::1]/",
         "https://[192.0.2.7]/",
         "https://[fe80::1%25eth0]/",
         "https://%5B::1%5D/",
         "https://example.org/\xff",
         "https://example.org/\xed\xa0\x80",
         "https://%ff.example.org/",
         "https://ex\u00e4m ple.org/",
         "https://\u00fc%00.example.org/",
         "https://=\u0338.example.org/",
         "https://\u2100.example.org/",
         "https://\uff05.example.org/",
         "https://\u00ad.example.org/",
         "https://a\u200cb.example.org/",
         "https://\u0308a.example.org/",
         "https://xn--a.example.org/",
         "https://xn--abc-.example.org/",
         // libidn2 has IDNA 2008, which knows no symbols.
         "https://\U0001F4A9.example.org/"}
    );
    expect_no_urls({std::string_view{"https://[::1\0x]/", 16}, std::string_view{"\0", 1}});
}

TEST(CanonicalUrl, takes_names_as_long_as_dns_has_them) {
    const std::string label(63, 'a');
    const std::string longest = fmt::format("https://{0}.{0}.{0}.{1}", label, std::string(61, 'b'));
    EXPECT_EQ(canonical_url(longest + "."), longest + "/");
    EXPECT_EQ(canonical_url(longest + "b"), longest + "b");
    EXPECT_EQ(canonical_url("http://" + label), "https://" + label + "/");
    EXPECT_EQ(canonical_url("http://a" + label), "http://a" + label);
}

TEST(CanonicalUrl, takes_urls_of_any_length) {
    const std::string letters(2 << 10, 'a');
    EXPECT_EQ(canonical_url("http://example.org/" + letters), "https://example.org/" + letters);
    std::string blanks = "http://example.org/";
    std::string encoded = "https://example.org/";
    std::string ups = "http://example.org";
    std::string pieces = "http://example.org/?";
    for (int at = 0; at < 100'000; ++at) {
        blanks += at % 2 == 0 ? " " : "\u00e9";
        encoded += at % 2 == 0 ? "%20" : "%C3%A9";
        ups += "/a/..";
        pieces += "&utm_id=1&";
    }
    EXPECT_EQ(canonical_url(blanks + "x"), encoded + "x");
    EXPECT_EQ(canonical_url(ups), "https://example.org/");
    EXPECT_EQ(canonical_url(pieces), "https://example.org/");
}

TEST(CanonicalUrl, names_its_site) {
    EXPECT_EQ(site_of("https://example.org/a/b?c=https://example.com/"), "example.org");
    EXPECT_EQ(site_of("https://www.example.org:8080/"), "www.example.org");
    EXPECT_EQ(site_of("https://xn--bcher-kva.example/"), "xn--bcher-kva.example");
    EXPECT_EQ(site_of("https://[2001:db8::1]:8080/"), "[2001:db8::1]");
    EXPECT_EQ(site_of("https://example.org:65536/"), "");
    EXPECT_EQ(site_of("https://xn--a/"), "");
    EXPECT_EQ(site_of("post-12"), "");
    const std::string form = canonical_url("http://u@Example.org:80/");
    EXPECT_EQ(site_of(form).data(), form.data() + 8) << "it is a part of the form";
}

/// Forms are stored, and an index is made anew where the version is another: nobody may change the
/// list without raising it.
TEST(CanonicalUrl, has_a_version_for_every_list) {
    std::ifstream file{in_repository("src/events/tracking_parameters.txt")};
    std::string names;
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && !line.starts_with('#')) {
            names += line + "\n";
        }
    }
    EXPECT_EQ(canonical_version, 1);
    EXPECT_EQ(crc32c(names), 2185278106) << "raise the version, and change both numbers here";
}

TEST(CanonicalUrl, an_article_whose_form_is_too_long_for_a_name_is_named_as_it_was) {
    const std::string fits = "https://a.example/" + std::string(1000, 'x');
    EXPECT_EQ(article_named("HTTP://a.example/" + std::string(1000, 'x')), fits);
    std::string grows = "https://a.example/";
    while (grows.size() < 900) {
        grows += "ü";
    }
    EXPECT_EQ(article_named(grows), grows);
    EXPECT_EQ(article_named("no URL"), "no URL");
}

}  // namespace
}  // namespace footfall::events
