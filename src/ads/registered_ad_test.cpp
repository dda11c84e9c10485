#include "ads/registered_ad.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall::ads {
namespace {

RegisteredAd good_ad() {
    return {
        .ad = "banner-1",
        .terms =
            {.targets = {"https://shop.example/a", "https://shop.example/b"},
             .price = 250'000,
             .currency = "EUR",
             .publisher = "paper"},
        .author = "this machine"
    };
}

std::string field_at_fault(const RegisteredAd& ad) {
    const auto fault = fault_of_ad(ad);
    return fault ? fault->field : "";
}

TEST(Targets, are_absolute_urls) {
    for (const char* good :
         {"https://shop.example",
          "http://shop.example:8080/a/b?c=d&e[]=%C3%BC#f",
          "https://[2001:db8::1]:443/",
          "https://xn--bcher-kva.example/@user?a=b@c",
          "http://localhost/"}) {
        EXPECT_FALSE(fault_of_target(good)) << good << ": " << fault_of_target(good).value_or("");
    }
    for (const char* bad :
         {"",
          "/a",
          "//shop.example/",
          "shop.example",
          "javascript:alert(1)",
          "data:text/html,x",
          "HTTPS://shop.example/",
          "https:/shop.example/",
          "https:///shop.example/",
          "https://",
          "https://?a",
          "https://:80/"}) {
        EXPECT_TRUE(fault_of_target(bad)) << bad;
    }
}

TEST(Targets, have_nothing_that_a_browser_reads_otherwise) {
    for (const char* bad :
         {"https://shop.example@evil.example/",
          "https://shop.example:secret@evil.example/",
          "https://evil.example\\@shop.example/",
          "https://shop.example\\.evil.example/",
          "https://shop.example%2f.evil.example/",
          "https://shop.example/ a",
          "https://shop.example/\r\nSet-Cookie: a=b",
          "https://shop.example/\t",
          "https://sh\xc3\xb6p.example/",
          "https://shop.example/\xc3\xb6",
          "https://shop.example/%",
          "https://shop.example/%zz",
          "https://shop.example:0/",
          "https://shop.example:65536/",
          "https://shop.example:8a/",
          "https://[::1/",
          "https://[::1]evil.example/",
          "https://.shop.example/"}) {
        EXPECT_TRUE(fault_of_target(bad)) << bad;
    }
    const std::string start = "https://shop.example/";
    EXPECT_FALSE(fault_of_target(start + std::string(longest_target - start.size(), 'a')));
    EXPECT_TRUE(fault_of_target(start + std::string(longest_target - start.size() + 1, 'a')));
}

TEST(Targets, are_led_to_letter_by_letter) {
    const AdTerms terms = good_ad().terms;
    const std::string* const first = terms.targets.data();
    EXPECT_EQ(target_of(terms, ""), first);
    EXPECT_EQ(target_of(terms, "https://shop.example/a"), first);
    EXPECT_EQ(target_of(terms, "https://shop.example/b"), first + 1);
    for (const char* foreign :
         {"https://shop.example/",
          "https://shop.example/a/",
          "https://shop.example/a/../c",
          "https://shop.example/a?b",
          "http://shop.example/a",
          "https://Shop.example/a",
          "https://shop.example/a@evil.example",
          "https://evil.example/"}) {
        EXPECT_EQ(target_of(terms, foreign), nullptr) << foreign;
    }
}

TEST(RegisteredAds, say_which_field_is_at_fault) {
    EXPECT_EQ(field_at_fault(good_ad()), "");
    RegisteredAd ad = good_ad();
    ad.terms.targets.clear();
    EXPECT_EQ(field_at_fault(ad), "targets");
    ad.terms.targets.assign(targets_max, "https://shop.example/");
    EXPECT_EQ(field_at_fault(ad), "");
    ad.terms.targets.emplace_back("https://shop.example/");
    EXPECT_EQ(field_at_fault(ad), "targets");
    ad = good_ad();
    ad.terms.targets.emplace_back("ftp://shop.example/");
    EXPECT_EQ(field_at_fault(ad), "targets");
    ad = good_ad();
    ad.terms.price = -1;
    EXPECT_EQ(field_at_fault(ad), "price");
    ad = good_ad();
    for (const char* currency : {"", "euro", "eur"}) {
        ad.terms.currency = currency;
        EXPECT_EQ(field_at_fault(ad), "currency");
    }
    ad = good_ad();
    ad.terms.publisher = std::string(events::longest_id + 1, 'p');
    EXPECT_EQ(field_at_fault(ad), "publisher");
    ad = good_ad();
    for (const std::string& id : {std::string{}, std::string(events::longest_id + 1, 'a')}) {
        ad.ad = id;
        EXPECT_EQ(field_at_fault(ad), "id");
    }
    ad.ad = "a\nb";
    EXPECT_EQ(field_at_fault(ad), "id");
}

TEST(RegisteredAds, are_clicked_on_at_their_price) {
    events::Event click{.actor = "u1", .referrer = "https://paper.example/"};
    click_on(good_ad(), click);
    const events::Event wanted{
        .action = "click",
        .object = "banner-1",
        .actor = "u1",
        .referrer = "https://paper.example/",
        .amount = 250'000,
        .currency = "EUR",
        .ad = "banner-1",
        .publisher = "paper"
    };
    EXPECT_EQ(click, wanted);
}

}  // namespace
}  // namespace footfall::ads
