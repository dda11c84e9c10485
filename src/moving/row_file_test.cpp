#include "moving/row_file.h"

#include "foundation/random.h"
#include "foundation_testing/temporary_directory.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <string>

namespace footfall::moving {
namespace {

using storage::ColumnType;
using storage::Table;
using testing::HasSubstr;

const Table fruit{
    .name = "fruit",
    .purpose = "Fruit.",
    .partition = {{"tree", ColumnType::text}},
    .clustering = {{"day", ColumnType::day, storage::Order::descending}},
    .values = {{"weight", ColumnType::integer}, {"price", ColumnType::decimal}}
};

using Pairs = std::map<std::string, std::string>;

Pairs some_pairs(std::size_t count) {
    Random random{7};
    Pairs pairs;
    while (pairs.size() < count) {
        pairs[fmt::format("key {:09}", random.below(100'000'000))] =
            std::string(random.below(100), 'v') + std::to_string(random.below(1000));
    }
    return pairs;
}

class RowFileTest : public testing::Test {
protected:
    RowMark write(const Pairs& pairs, std::size_t reopen_after = 0) {
        auto writer = RowFileWriter::create(path_, header_text(fruit, "d"));
        EXPECT_TRUE(writer);
        std::size_t written = 0;
        for (const auto& [key, value] : pairs) {
            EXPECT_TRUE(writer->append({.key = key, .values = value}));
            if (++written == reopen_after) {
                break;
            }
        }
        if (reopen_after == 0) {
            EXPECT_TRUE(writer->finish());
        }
        return writer->mark();
    }

    /// All rows, or why not.
    Result<Pairs> read() {
        TRY(RowFileReader reader, RowFileReader::open(path_));
        Pairs pairs;
        for (;;) {
            TRY(const auto row, reader.next());
            if (!row) {
                return pairs;
            }
            pairs.emplace(row->key, row->values);
        }
    }

    const TemporaryDirectory directory_;
    const std::filesystem::path path_ = directory_ / "rows";
};

TEST_F(RowFileTest, is_read_as_it_was_written) {
    for (const std::size_t count : {0U, 1U, 2U, 20'000U}) {
        const Pairs pairs = some_pairs(count);
        const RowMark mark = write(pairs);
        EXPECT_EQ(mark.tally.rows, count);
        const auto read_back = read();
        ASSERT_TRUE(read_back) << read_back.error().message;
        EXPECT_EQ(*read_back, pairs);
    }
}

// What a crash left behind the mark must not be seen, and must not change the bytes.
TEST_F(RowFileTest, that_was_written_on_behind_a_mark_has_the_same_bytes) {
    const Pairs pairs = some_pairs(20'000);
    write(pairs);
    const std::string whole = read_text(path_);
    const RowMark mark = write(pairs, 15'000);
    ASSERT_GT(mark.tally.rows, 0U);
    ASSERT_LT(mark.tally.rows, 15'000U);
    (void)directory_.write("rows", read_text(path_) + "left by a crash");
    auto writer = RowFileWriter::reopen(path_, mark);
    ASSERT_TRUE(writer);
    for (auto pair = pairs.upper_bound(mark.last_key); pair != pairs.end(); ++pair) {
        ASSERT_TRUE(writer->append({.key = pair->first, .values = pair->second}));
    }
    ASSERT_TRUE(writer->finish());
    EXPECT_TRUE(read_text(path_) == whole);
}

TEST_F(RowFileTest, refuses_a_mark_behind_its_end_and_keys_out_of_order) {
    RowMark mark = write(some_pairs(10));
    mark.length += 1'000;
    const auto reopened = RowFileWriter::reopen(path_, mark);
    ASSERT_FALSE(reopened);
    EXPECT_EQ(reopened.error().kind, ErrorKind::corrupt);
    auto writer = RowFileWriter::create(path_, "");
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->append({.key = "b", .values = ""}));
    for (const char* key : {"b", "a"}) {
        const auto refused = writer->append({.key = key, .values = ""});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().kind, ErrorKind::corrupt);
    }
}

TEST_F(RowFileTest, goes_on_at_the_start_of_a_block) {
    const Pairs pairs = some_pairs(20'000);
    write(pairs);
    auto reader = RowFileReader::open(path_);
    ASSERT_TRUE(reader);
    std::size_t taken = 0;
    do {
        ASSERT_TRUE(reader->next());
        ++taken;
    } while (!reader->at_end_of_block());
    auto other = RowFileReader::open(path_);
    ASSERT_TRUE(other);
    other->seek(reader->offset());
    for (auto pair = std::next(pairs.begin(), static_cast<std::ptrdiff_t>(taken));
         pair != pairs.end();
         ++pair) {
        const auto row = other->next();
        ASSERT_TRUE(row && *row);
        ASSERT_EQ(row->value_or(EncodedRow{}).key, pair->first);
    }
    const auto end = other->next();
    ASSERT_TRUE(end);
    EXPECT_FALSE(*end);
}

TEST_F(RowFileTest, notices_every_changed_byte_and_every_cut) {
    write(some_pairs(20));
    const std::string whole = read_text(path_);
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 0x10);
        (void)directory_.write("rows", changed);
        const auto flipped = read();
        ASSERT_FALSE(flipped) << at;
        EXPECT_EQ(flipped.error().kind, ErrorKind::corrupt);
        (void)directory_.write("rows", whole.substr(0, at));
        const auto cut = read();
        ASSERT_FALSE(cut) << at;
        EXPECT_EQ(cut.error().kind, ErrorKind::corrupt);
    }
    (void)directory_.write("rows", whole + "x");
    const auto longer = read();
    ASSERT_FALSE(longer);
    EXPECT_THAT(longer.error().message, HasSubstr("behind its end"));
}

// Blocks that are whole, but not those that were written: each has a right checksum.
TEST_F(RowFileTest, notices_blocks_that_are_missing_or_come_twice) {
    const Pairs pairs = some_pairs(20'000);
    write(pairs);
    const std::string whole = read_text(path_);
    auto reader = RowFileReader::open(path_);
    ASSERT_TRUE(reader);
    const std::uint64_t first = reader->offset();
    do {
        ASSERT_TRUE(reader->next());
    } while (!reader->at_end_of_block());
    const std::uint64_t second = reader->offset();
    (void)directory_.write("rows", whole.substr(0, first) + whole.substr(second));
    const auto missing = read();
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, HasSubstr("not hold the rows it says"));
    (void)directory_.write("rows", whole.substr(0, second) + whole.substr(first));
    const auto twice = read();
    ASSERT_FALSE(twice);
    EXPECT_THAT(twice.error().message, HasSubstr("not in order"));
}

TEST_F(RowFileTest, belongs_to_one_deployment_and_to_a_table_of_the_same_key) {
    const std::string header = header_text(fruit, "d");
    EXPECT_EQ(
        header,
        "table fruit\ndeployment d\npartition tree text\nclustering day day down\n"
        "value weight integer\nvalue price decimal\n"
    );
    EXPECT_TRUE(check_header(header, fruit, "d"));
    EXPECT_FALSE(check_header(header, fruit, "e"));
    Table grown = fruit;
    grown.values.push_back({"colour", ColumnType::text});
    EXPECT_TRUE(check_header(header, grown, "d"));
    EXPECT_FALSE(check_header(header_text(grown, "d"), fruit, "d"));
    Table other = fruit;
    other.clustering.push_back({"hour", ColumnType::integer});
    EXPECT_FALSE(check_header(header, other, "d"));
    other = fruit;
    other.clustering[0].order = storage::Order::ascending;
    EXPECT_FALSE(check_header(header, other, "d"));
    EXPECT_FALSE(check_header("", fruit, "d"));
    EXPECT_FALSE(check_header("table fruit\n", fruit, "d"));
}

TEST(Tally, does_not_depend_on_order_and_sees_every_difference) {
    Tally one;
    one.add("a", "1");
    one.add("b", "2");
    Tally other;
    other.add("b", "2");
    other.add("a", "1");
    EXPECT_EQ(one, other);
    const auto read = tally_of(text_of(one));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, one);
    for (const auto& [key, values] : Pairs{{"a", "2"}, {"a1", ""}, {"", "a1"}, {"1", "a"}}) {
        Tally changed;
        changed.add("b", "2");
        changed.add(key, values);
        EXPECT_NE(changed, one) << key << ' ' << values;
    }
    for (const char* bad : {"", "1", "1 ", "x 00", "1 00", "-1 0123456789abcdef0123456789abcdef"}) {
        EXPECT_FALSE(tally_of(bad)) << bad;
    }
}

}  // namespace
}  // namespace footfall::moving
