#include "audit/verify.h"

#include "audit/test_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace footfall::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// What is wrong, as "what entry".
std::vector<std::string> found(Checker& checker) {
    std::vector<std::string> texts;
    for (const Finding& each : checker.finish().findings) {
        texts.push_back(each.entry ? fmt::format("{} {}", each.what, *each.entry) : each.what);
    }
    return texts;
}

/// A log of ten entries, written out.
class AuditVerify : public testing::Test {
protected:
    AuditVerify() : log_{world_.open(world_.store)} {
        for (std::size_t at = 0; at < 10; ++at) {
            EXPECT_TRUE(log_->record(act_numbered(at)));
            heads_.push_back(*log_->head());
        }
        lines_ = world_.lines();
    }

    std::vector<std::string> check(std::vector<std::string> kept = {}) {
        Checker checker{
            {.checkpoint = heads_.back().checkpoint,
             .vkey = heads_.back().vkey,
             .kept = std::move(kept)}
        };
        for (const std::string& each : lines_) {
            const auto shown = read_entry_line(each);
            EXPECT_TRUE(shown) << each;
            checker.add(*shown);
        }
        return found(checker);
    }

    /// Gives the line another number, as who covers his tracks does.
    static std::string renumbered(const std::string& line, std::size_t number) {
        return fmt::format(R"({{"entry":{}{})", number, line.substr(line.find(',')));
    }

    /// And the leaf that belongs to it then.
    static std::string hashed_anew(const std::string& line) {
        const std::string bytes = read_entry_line(line)->bytes;
        return entry_line(bytes, leaf_hash(bytes));
    }

    LogWorld world_;
    std::unique_ptr<Log> log_;
    std::vector<SignedHead> heads_;
    std::vector<std::string> lines_;
};

TEST_F(AuditVerify, finds_nothing_where_nothing_is_wrong) {
    std::vector<std::string> kept;
    for (const SignedHead& each : heads_) {
        kept.push_back(each.checkpoint);
    }
    EXPECT_THAT(check(kept), ElementsAre());
}

TEST_F(AuditVerify, names_an_edit) {
    std::string& line = lines_[4];
    line.replace(line.find("0.05"), 4, "0.06");
    EXPECT_THAT(check(), ElementsAre("edited 4"));
    line = hashed_anew(line);
    EXPECT_THAT(check(), ElementsAre("rewritten"));
    EXPECT_THAT(
        check({heads_[3].checkpoint, heads_[7].checkpoint}),
        ElementsAre("two_histories 4", "rewritten")
    ) << "it lies behind the newest head that is still a beginning";
}

TEST_F(AuditVerify, names_every_byte_that_is_changed) {
    const std::vector<std::string> good = lines_;
    const std::string& line = good[6];
    const std::size_t end = line.rfind(R"(,"leaf":")");
    for (std::size_t at = line.find(',') + 1; at < end; ++at) {
        lines_ = good;
        lines_[6][at] = static_cast<char>(lines_[6][at] ^ 1);
        EXPECT_THAT(check(), ElementsAre("edited 6")) << lines_[6];
    }
}

TEST_F(AuditVerify, names_an_insertion) {
    const std::vector<std::string> good = lines_;
    lines_.insert(lines_.begin() + 5, good[5]);
    EXPECT_THAT(check(), ElementsAre("inserted 5"));
    for (const bool hashed : {false, true}) {
        lines_ = good;
        std::string forged = renumbered(good[2], 5);
        lines_.insert(lines_.begin() + 5, hashed ? hashed_anew(forged) : forged);
        for (std::size_t at = 6; at < lines_.size(); ++at) {
            lines_[at] = renumbered(lines_[at], at);
        }
        EXPECT_THAT(check(), testing::Contains("inserted 5")) << hashed;
    }
}

TEST_F(AuditVerify, names_a_deletion) {
    const std::vector<std::string> good = lines_;
    lines_.erase(lines_.begin() + 3, lines_.begin() + 5);
    EXPECT_THAT(check(), ElementsAre("deleted 3"));
    lines_ = good;
    lines_.erase(lines_.begin() + 3);
    for (std::size_t at = 3; at < lines_.size(); ++at) {
        lines_[at] = renumbered(lines_[at], at);
    }
    EXPECT_THAT(check(), ElementsAre("deleted 3", "cut 9"));
}

TEST_F(AuditVerify, names_a_swap) {
    const std::vector<std::string> good = lines_;
    std::swap(lines_[3], lines_[4]);
    EXPECT_THAT(check(), ElementsAre("swapped 3"));
    lines_ = good;
    lines_[2] = renumbered(good[7], 2);
    lines_[7] = renumbered(good[2], 7);
    EXPECT_THAT(check(), ElementsAre("swapped 2"));
    lines_ = good;
    lines_[3] = renumbered(good[4], 3);
    lines_[4] = renumbered(good[3], 4);
    EXPECT_THAT(check(), ElementsAre("swapped 3"));
}

TEST_F(AuditVerify, names_an_end_that_is_cut_off) {
    lines_.resize(7);
    EXPECT_THAT(check(), ElementsAre("cut 7"));
    lines_.clear();
    EXPECT_THAT(check(), ElementsAre("cut 0"));
}

TEST_F(AuditVerify, names_what_stands_behind_the_head) {
    lines_.push_back(hashed_anew(renumbered(lines_[2], 10)));
    EXPECT_THAT(check(), ElementsAre("unsigned 10"));
}

TEST_F(AuditVerify, names_an_older_state_that_was_put_back) {
    const std::string kept = heads_.back().checkpoint;
    lines_.resize(7);
    heads_.resize(7);
    EXPECT_THAT(check(), ElementsAre()) << "by itself it is sound";
    EXPECT_THAT(check({kept}), ElementsAre("older 7"));
}

TEST_F(AuditVerify, names_two_histories) {
    LogWorld elsewhere;
    const std::string seed = **storage::stored_fact(world_.store, "audit_key.main");
    ASSERT_TRUE(storage::replace_fact(elsewhere.store, "audit_key.main", seed));
    const auto other = elsewhere.open(elsewhere.store);
    for (std::size_t at = 0; at < 6; ++at) {
        ASSERT_TRUE(other->record(act_numbered(at == 5 ? 55 : at)));
    }
    EXPECT_THAT(
        check({heads_[4].checkpoint, other->head()->checkpoint}), ElementsAre("two_histories 5")
    );
}

TEST_F(AuditVerify, names_a_head_that_is_not_signed) {
    const std::string good = heads_.back().checkpoint;
    heads_.back().checkpoint[good.size() - 5] ^= 1;
    EXPECT_THAT(check(), ElementsAre("signature"));
    heads_.back().checkpoint = "nothing";
    EXPECT_THAT(check(), ElementsAre("signature"));
    heads_.back().checkpoint = good;
    heads_.back().vkey = Signer::make("footfall/test/main", {})->verifier().vkey();
    EXPECT_THAT(check(), ElementsAre("signature"));
}

/// The same in tables, where the tree stands beside the entries.
TEST_F(AuditVerify, names_an_edit_that_has_its_leaf_changed_too_by_the_tree) {
    const auto tile = *read_tile(world_.store, "main", 0, 0);
    const auto tree = [&](std::uint64_t entry) -> std::optional<Hash> {
        return entry < tile.size() ? std::optional{tile[entry].second} : std::nullopt;
    };
    const auto check_tables = [&] {
        Checker checker{{.checkpoint = heads_.back().checkpoint, .vkey = heads_.back().vkey}, tree};
        for (const std::string& each : lines_) {
            checker.add(*read_entry_line(each));
        }
        return found(checker);
    };
    EXPECT_THAT(check_tables(), ElementsAre());
    const std::vector<std::string> good = lines_;
    lines_[4].replace(lines_[4].find("0.05"), 4, "0.06");
    lines_[4] = hashed_anew(lines_[4]);
    EXPECT_THAT(check_tables(), ElementsAre("edited 4"));
    lines_ = good;
    lines_.insert(lines_.begin() + 5, good[2]);
    for (std::size_t at = 5; at < lines_.size(); ++at) {
        lines_[at] = hashed_anew(renumbered(lines_[at], at));
    }
    EXPECT_THAT(check_tables(), ElementsAre("inserted 5", "unsigned 10"));
    lines_ = good;
    lines_[2] = hashed_anew(renumbered(good[7], 2));
    lines_[7] = hashed_anew(renumbered(good[2], 7));
    EXPECT_THAT(check_tables(), ElementsAre("swapped 2"));
}

TEST(AuditLine, is_read_back_or_refused) {
    const std::string line = entry_line(R"({"entry":3,"time":"t"})", empty_root());
    const auto shown = read_entry_line(line);
    ASSERT_TRUE(shown);
    EXPECT_EQ(shown->number, 3U);
    EXPECT_EQ(shown->bytes, R"({"entry":3,"time":"t"})");
    for (std::size_t length = 0; length < line.size(); ++length) {
        EXPECT_FALSE(read_entry_line(line.substr(0, length))) << length;
    }
    for (const char* const bad :
         {"",
          "{}",
          R"({"entry":-1,"leaf":"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="})",
          R"({"entry":1,"leaf":"47DEQpj8"})",
          R"({"entry":99999999999999999999,"leaf":"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="})"
         }) {
        EXPECT_FALSE(read_entry_line(bad)) << bad;
    }
}

}  // namespace
}  // namespace footfall::audit
