#include "webhooks/signature.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall::webhooks {
namespace {

/// The example of the Standard Webhooks libraries: whoever verifies by them accepts what we sign.
TEST(Signature, is_that_of_the_standard) {
    EXPECT_EQ(
        signature(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            Instant{std::chrono::seconds{1'614'265'330}},
            R"({"test": 2432232314})"
        ),
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    );
}

TEST(Signature, of_other_bytes_is_another) {
    const std::string secret = *make_secret();
    const Instant sent{std::chrono::seconds{1}};
    const std::string right = signature(secret, "a", sent, "body");
    EXPECT_NE(signature(secret, "b", sent, "body"), right);
    EXPECT_NE(signature(secret, "a", sent, "bodx"), right);
    EXPECT_NE(signature(secret, "a", sent + std::chrono::seconds{1}, "body"), right);
    EXPECT_NE(signature(*make_secret(), "a", sent, "body"), right);
    // The header has whole seconds.
    EXPECT_EQ(signature(secret, "a", sent + std::chrono::milliseconds{999}, "body"), right);
}

TEST(Signature, secrets_are_checked) {
    EXPECT_TRUE(check_secret(*make_secret()));
    EXPECT_TRUE(check_secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
    for (const std::string secret :
         {"",
          "whsec_",
          "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
          "whsec_MfKQ9r8GKYqrTwjUPD8I",
          "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS*",
          "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS"}) {
        const auto checked = check_secret(secret);
        ASSERT_FALSE(checked) << secret;
        EXPECT_EQ(checked.error().kind, ErrorKind::invalid_input);
    }
    EXPECT_FALSE(check_secret("whsec_" + std::string(400, 'A')));
}

}  // namespace
}  // namespace footfall::webhooks
