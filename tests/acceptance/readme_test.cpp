// The README's commands do what the README says.

#include "foundation_testing/repository.h"
#include "readme_commands.h"
#include "readme_rehearsal.h"
#include "test_support/raw_connection.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>

namespace footfall::acceptance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace test_support;

constexpr std::string_view sample = R"(# A sample

```sh
git clone nowhere
./run
```

```text
this is not run
```

```sh
build/release/footfall serve &          # counts
curl -s -X PUT -d user-1 http://127.0.0.1:8080/api/v1/counter/page    # 1
curl -s -X PUT -d user-2 \
    http://127.0.0.1:8080/api/v1/counter/page
# 2

# for people: the same, twice
curl -s http://127.0.0.1:8080/api/v1/counter/page -H 'Accept: application/json'
# {"object":"page",...,"limit":100000}
cat > visits.csv <<'END'
who,what
u1,a

u2,a
u3
END
footfall import visits.csv --as tokens --format csv --map object=what,token=who
# imported 2 duplicates 0 rejected 1
build/release/footfall count a          # 2
build/release/footfall count --all
# a	2
```
)";

std::uint16_t free_port() {
    return TakenPort{}.port();
}

TEST(ReadmeCommands, are_the_lines_of_sh_blocks_with_what_they_promise) {
    const auto commands = read_commands(sample);
    ASSERT_EQ(commands.size(), 10U);
    EXPECT_EQ(commands[0].text, "git clone nowhere");
    EXPECT_EQ(commands[0].line, 4);
    EXPECT_THAT(commands[2].expected, IsEmpty());
    EXPECT_THAT(commands[3].expected, ElementsAre("1"));
    EXPECT_THAT(commands[4].expected, ElementsAre("2"));
    EXPECT_THAT(commands[4].text, HasSubstr("\\\n"));
    EXPECT_THAT(commands[6].text, HasSubstr("\n\nu2,a\nu3\nEND"));
    EXPECT_THAT(commands[8].expected, ElementsAre("2"));
    EXPECT_THAT(commands[9].expected, IsEmpty());
}

TEST(ReadmeCommands, promises_are_the_last_lines_with_dots_for_anything) {
    EXPECT_TRUE(is_as_promised({}, "whatever\n"));
    EXPECT_TRUE(is_as_promised({"43"}, "progress\n43\n"));
    EXPECT_FALSE(is_as_promised({"43"}, "43\n44\n"));
    EXPECT_FALSE(is_as_promised({"43"}, ""));
    EXPECT_FALSE(is_as_promised({"4"}, "43\n"));
    EXPECT_TRUE(is_as_promised({"{\"a\":...,\"b\":2}"}, "{\"a\":1,\"b\":2}\n"));
    EXPECT_FALSE(is_as_promised({"{\"a\":...,\"b\":2}"}, "{\"a\":1,\"b\":3}\n"));
    EXPECT_TRUE(is_as_promised({"1", "2"}, "0\n1\n2\n"));
    EXPECT_TRUE(is_as_promised({"1..."}, "12\n"));
}

TEST(ReadmeRehearsal, of_a_true_document_finds_no_fault) {
    EXPECT_THAT(ReadmeRehearsal{free_port()}.run(sample), IsEmpty());
}

TEST(ReadmeRehearsal, tells_what_is_not_so) {
    const auto faults = ReadmeRehearsal{free_port()}.run(
        "```sh\n"
        "build/release/footfall count a   # 1\n"
        "build/release/footfall cuont a\n"
        "./does-not-exist\n"
        "build/release/footfall serve --flag\n"
        "build/release/footfall count a   # 0\n"
        "```\n"
    );
    ASSERT_EQ(faults.size(), 4U);
    EXPECT_THAT(faults[0], HasSubstr("line 2: "));
    EXPECT_THAT(faults[0], HasSubstr("printed \"0\n\""));
    EXPECT_THAT(faults[1], HasSubstr("ended with 2"));
    EXPECT_THAT(faults[2], HasSubstr("./does-not-exist"));
    EXPECT_THAT(faults[3], HasSubstr("did not serve"));
    EXPECT_THAT(ReadmeRehearsal{free_port()}.run("no block"), testing::SizeIs(1));
}

TEST(Readme, every_command_does_what_the_readme_says) {
    const std::string readme = read_text(in_repository("README.md"));
    const std::uint16_t port = is_free(8080) ? std::uint16_t{8080} : free_port();
    EXPECT_THAT(ReadmeRehearsal{port}.run(readme), IsEmpty());
}

}  // namespace
}  // namespace footfall::acceptance
