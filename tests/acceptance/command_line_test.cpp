#include "foundation_testing/temporary_directory.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using namespace test_support;

/// Runs a program of the system: gzip, zstd.
std::string output_of(std::vector<std::string> words, std::string input) {
    const auto done = run_command({.words = std::move(words), .input = std::move(input)});
    EXPECT_EQ(done.exit_code, 0) << done.errors;
    return done.output;
}

TEST(CommandLine, help_of_every_verb_shows_an_example_and_exits_0) {
    for (const char* verb :
         {"serve",
          "demo",
          "import",
          "count",
          "keys",
          "identities",
          "segments",
          "schema",
          "bench",
          "version"}) {
        const CommandResult help = run_footfall({verb, "--help"});
        EXPECT_EQ(help.exit_code, 0) << verb;
        EXPECT_THAT(help.output, HasSubstr("Example")) << verb;
        EXPECT_THAT(help.output, HasSubstr(std::string{"\n  footfall "} + verb)) << verb;
        EXPECT_THAT(help.errors, IsEmpty()) << verb;
        EXPECT_THAT(run_footfall({"--help"}).output, HasSubstr(verb));
    }
}

TEST(CommandLine, wrong_use_exits_2_with_a_word_on_standard_error) {
    const TemporaryDirectory directory;
    const std::string file = directory.write("a.csv", "a,b\n1,2\n");
    const std::vector<std::vector<std::string>> wrong{
        {},
        {"nothing"},
        {"--nothing"},
        {"count"},
        {"count", "a", "--all"},
        {"count", "a", "--key", "no key"},
        {"keys"},
        {"keys", "add", "a"},
        {"keys", "add", "a", "--scope", "fly"},
        {"keys", "add", "a", "--scope", "read", "--expires", "soon"},
        {"keys", "revoke"},
        {"keys", "list", "--server", "http://127.0.0.1:1", "--data", "d"},
        {"count", "a", "--server", "ftp://127.0.0.1"},
        {"count", "a", "--server", "http://127.0.0.1:1", "--data", "d"},
        {"count", "a", "--config", "c"},
        {"import"},
        {"import", file, "--format", "csv"},
        {"import", file, "--as", "tokens"},
        {"import", file, "--as", "tokens", "--format", "xml"},
        {"import", file, "--as", "nothing", "--format", "csv", "--map", "object=a,token=b"},
        {"import", file, "--as", "tokens", "--format", "csv"},
        {"import", file, "--as", "tokens", "--format", "csv", "--map", "object=a"},
        {"import", file, "--as", "tokens", "--format", "combined", "--zone", "Europe/Berlin"},
        {"import", file, "--as", "events", "--format", "csv", "--map", "object=a"},
        {"import", file, "--as", "events", "--format", "combined", "--zone", "Berlin"},
        {"import", file, "--as", "events", "--format", "combined", "--time-format", "seconds"},
        {"import", file, "--as", "events", "--format", "combined", "--counter", "a"},
        {"import", file, "--as", "events", "--format", "combined", "--set", "amount=much"},
        {"import", file, "--as", "rates", "--format", "csv"},
        {"import", file, "--as", "rates", "--format", "csv", "--map", "reseller=a"},
        {"import",
         file,
         "--as",
         "tokens",
         "--format",
         "csv",
         "--map",
         "object=a,token=b",
         "--delimiter",
         "ab"},
        {"serve", "--listen", "nowhere"},
        {"serve", "--listen", "127.0.0.1:70000"},
        {"serve", "--sync", "sometimes"},
        {"serve", "--memory", "1"},
        {"serve", "--threads", "-1"},
        {"serve", "--store", "mysql"},
        {"serve", "--store", "cassandra", "--cassandra", "nowhere"},
        {"serve", "--cassandra-password", "secret"},
        {"schema"},
        {"schema", "apply", "--cassandra-replication", "dc1=3"},
        {"bench"},
        {"bench", "counter", "--objects", "0"},
        {"bench", "counter", "--poisson"},
        {"bench", "counter", "--server", "redis://127.0.0.1:1", "--post-batch", "10"},
        {"bench", "counter", "--post-batch", "10", "--get", "0.5"},
        {"version", "now"},
    };
    for (const auto& words : wrong) {
        const CommandResult done = run_footfall(words);
        SCOPED_TRACE(fmt::format("{}", fmt::join(words, " ")));
        EXPECT_EQ(done.exit_code, 2) << done.errors;
        EXPECT_THAT(done.errors, Not(IsEmpty()));
        EXPECT_THAT(done.output, IsEmpty());
    }
}

TEST(CommandLine, version_says_which_for_people_and_programs) {
    EXPECT_THAT(run_footfall({"version"}).output, StartsWith("footfall 0."));
    const CommandResult json = run_footfall({"version", "--json"});
    EXPECT_EQ(json.exit_code, 0);
    const auto version = parse_object(json.output);
    for (const char* field : {"footfall", "compiler", "rocksdb"}) {
        EXPECT_NE(version.at(field).as_string(), "") << field;
    }
}

TEST(CommandLine, says_where_no_server_is) {
    const CommandResult done = run_footfall({"count", "a", "--server", "http://127.0.0.1:1"});
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_THAT(done.errors, AllOf(HasSubstr("http://127.0.0.1:1"), HasSubstr("footfall serve")));
}

TEST(CommandLine, names_the_word_that_is_no_verb_and_the_verbs_there_are) {
    const struct {
        std::vector<std::string> words;
        std::string said;
    } cases[] = {
        {{"srve", "--listen", "127.0.0.1:0"},
         "footfall: there is no verb 'srve'; did you mean 'serve'?\nVerbs: "},
        {{"nothing"}, "footfall: there is no verb 'nothing'\nVerbs: "},
        {{"--nothing"}, "footfall: there is no option '--nothing'\nVerbs: "},
        {{}, "footfall: a verb is missing\nVerbs: "},
        {{"bench", "countr"},
         "footfall bench: there is no verb 'countr'; did you mean 'counter'?\nVerbs: counter, "
         "events, gets. "},
        {{"bench"}, "footfall bench: a verb is missing\nVerbs: counter, events, gets. "},
    };

    for (const auto& [words, said] : cases) {
        const CommandResult done = run_footfall(words);
        EXPECT_EQ(done.exit_code, 2) << said;
        EXPECT_THAT(done.errors, AllOf(StartsWith(said), HasSubstr("--help"))) << said;
    }
    EXPECT_THAT(
        run_footfall({"srve"}).errors,
        HasSubstr("demo, import, count, keys, identities, audit, erase, segments, verify, table, "
                  "schema, export, import-tables, backup, restore, bench, version")
    );
}

TEST(CommandLine, says_how_a_backup_of_a_node_is_made_and_restored) {
    const TemporaryDirectory directory;
    const std::string place = directory / "place";
    const std::string data = directory / "data";
    const auto refused = [](std::vector<std::string> words, const char* said) {
        const CommandResult done = run_footfall(std::move(words));
        EXPECT_EQ(done.exit_code, 2) << said;
        EXPECT_THAT(done.errors, HasSubstr(said));
    };
    const std::string files = data + "/footfall/token-0f62/snapshots/night";
    std::filesystem::create_directories(files);
    std::ofstream{files + "/da-1-bti-Data.db"} << "rows";

    refused({"backup", "--to", place, "--snapshot", "night"}, "--node-data DIR");
    refused({"backup", "--to", place, "--node-data", data}, "--snapshot NAME");
    refused({"backup", "--to", place, "--snapshot", "a/b", "--node-data", data}, "nodetool");
    refused(
        {"backup", "--to", place, "--snapshot", "night", "--node-data", place},
        "data_file_directories"
    );

    const std::vector<std::string> make{
        "backup", "--to", place, "--snapshot", "night", "--node-data", data
    };
    const CommandResult made = run_footfall(make);
    EXPECT_EQ(made.exit_code, 0) << made.errors;
    EXPECT_THAT(
        run_footfall({"backup", "list", "--from", place, "--json"}).output,
        HasSubstr(R"("keyspace":"footfall","snapshot":"night")")
    );
    const std::string target = directory / "target";
    refused({"restore", "--from", place, "--data", target}, "--tables DIR");
    refused({"backup", "rehearse", "--from", place}, "no data directory");
    refused({"restore", "--from", place, "--tables", target, "--data", target}, "--data, --time");
    EXPECT_EQ(run_footfall({"restore", "--from", place, "--tables", target}).exit_code, 0);
    EXPECT_TRUE(std::filesystem::exists(target + "/footfall/token/da-1-bti-Data.db"));
}

class CountCommand : public RunningServer {
protected:
    CountCommand() {
        api_.put("a", "1");
        api_.put("a", "2");
        api_.put("two words", "1");
        api_.put("a/ü", "1");
    }

    CommandResult count(std::vector<std::string> words, std::string input = {}) const {
        words.insert(words.begin(), "count");
        words.insert(words.end(), {"--server", server_.url()});
        return run_footfall(std::move(words), std::move(input));
    }
};

TEST_F(CountCommand, answers_one_object_with_its_number_and_several_with_their_names) {
    EXPECT_EQ(count({"a"}).output, "2\n");
    EXPECT_EQ(count({"nobody"}).output, "0\n");
    EXPECT_EQ(
        count({"a", "two words", "a/ü", "nobody"}).output, "a\t2\ntwo words\t1\na/ü\t1\nnobody\t0\n"
    );
    EXPECT_EQ(count({"--all"}).output, "a\t2\na/ü\t1\ntwo words\t1\n");
}

TEST_F(CountCommand, reads_names_from_standard_input) {
    EXPECT_EQ(count({"-"}, "two words\na").output, "two words\t1\na\t2\n");
    EXPECT_EQ(count({"-"}).output, "");
    EXPECT_EQ(
        count({"-", "--json"}, "a\n").output,
        "{\"object\":\"a\",\"counter\":\"default\",\"count\":2,\"exact\":true,\"at_least\":false}\n"
    );
}

TEST_F(CountCommand, reads_a_directory_no_server_has_open) {
    ASSERT_EQ(server_.stop(), 0);
    const auto done = run_footfall({"count", "--all", "--data", directory_ / "data"});
    EXPECT_EQ(done.exit_code, 0) << done.errors;
    EXPECT_EQ(done.output, "a\t2\na/ü\t1\ntwo words\t1\n");
}

TEST_F(CountCommand, of_a_directory_in_use_says_how_to_go_on) {
    const auto done = run_footfall({"count", "a", "--data", directory_ / "data"});
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_THAT(done.errors, AllOf(HasSubstr("in use"), HasSubstr("--server")));
}

TEST_F(CountCommand, of_an_unknown_counter_says_so) {
    const auto done = count({"a", "--counter", "other"});
    EXPECT_EQ(done.exit_code, 2);
    EXPECT_THAT(done.errors, HasSubstr("other"));
}

class ImportCommand : public RunningServer {
protected:
    CommandResult import(std::vector<std::string> words, std::string input = {}) const {
        words.insert(words.begin(), "import");
        words.insert(words.end(), {"--as", "tokens", "--server", server_.url()});
        return run_footfall(std::move(words), std::move(input));
    }

    /// As csv with a header, columns who and what.
    CommandResult import_csv(std::vector<std::string> words, std::string input = {}) const {
        words.insert(words.end(), {"--format", "csv", "--map", "object=what,token=who"});
        return import(std::move(words), std::move(input));
    }

    const std::string csv_ = "who,what\nu1,a\nu2,a\nu1,b\nu1,a\n";
};

TEST_F(ImportCommand, takes_files_as_they_come_plain_gzip_zstd_and_from_standard_input) {
    const std::string inputs[] = {
        csv_, output_of({"gzip", "-c"}, csv_), output_of({"zstd", "-c", "-q"}, csv_)
    };
    for (const std::string& input : inputs) {
        for (const bool as_file : {true, false}) {
            const std::string file = directory_.write("input", input);
            const auto done = as_file ? import_csv({file}) : import_csv({"-"}, input);
            EXPECT_EQ(done.exit_code, 0) << done.errors;
            EXPECT_EQ(done.output, "imported 4 duplicates 0 rejected 0\n");
            EXPECT_EQ(api_.count("a"), 2U);
            EXPECT_EQ(api_.count("b"), 1U);
        }
    }
}

TEST_F(ImportCommand, takes_every_format) {
    const struct {
        std::vector<std::string> words;
        std::string input;
    } cases[] = {
        {{"--format", "tsv", "--no-header", "--map", "object=2,token=1"}, "u1\ttsv\nu2\ttsv\n"},
        {{"--format", "csv", "--delimiter", ";", "--map", "object=o,token=t"},
         "o;t\ncsv;u1\n\"csv\";u2\n"},
        {{"--format", "ndjson", "--map", "object=page,token=user"},
         "{\"page\":\"ndjson\",\"user\":\"u1\"}\n{\"user\":\"u2\",\"page\":\"ndjson\"}\n"},
        {{"--format", "common"},
         "192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] \"GET common HTTP/1.1\" 200 1\n"
         "192.0.2.2 - - [21/Nov/2026:10:00:00 +0000] \"GET common HTTP/1.1\" 200 1\n"},
    };

    for (const auto& [words, input] : cases) {
        std::vector<std::string> all{"-"};
        all.insert(all.end(), words.begin(), words.end());
        const auto done = import(all, input);
        EXPECT_EQ(done.exit_code, 0) << done.errors;
        EXPECT_EQ(done.last_line(), "imported 2 duplicates 0 rejected 0");
        EXPECT_EQ(api_.count(words[1]), 2U) << words[1];
    }
}

TEST_F(ImportCommand, lists_every_rejected_line_in_the_file_named) {
    std::string input = "who,what\n";
    for (int line = 2; line <= 60; ++line) {
        input += line % 2 == 0 ? fmt::format("u{},a\n", line) : std::string{"only one column\n"};
    }
    const std::string file = directory_.write("bad.csv", input);
    const auto done = import_csv({file, "--rejects", directory_ / "rejects"});
    EXPECT_EQ(done.exit_code, 0) << done.errors;
    EXPECT_EQ(done.last_line(), "imported 30 duplicates 0 rejected 29");
    EXPECT_THAT(done.errors, HasSubstr(file + ":3: "));
    EXPECT_THAT(done.errors, HasSubstr("9 more rejected lines"));
    const std::string rejects = read_text(directory_ / "rejects");
    EXPECT_EQ(std::ranges::count(rejects, '\n'), 29);
    for (int line = 3; line <= 59; line += 2) {
        EXPECT_THAT(rejects, HasSubstr(fmt::format("{}:{}: rejected: ", file, line)));
    }
}

TEST_F(ImportCommand, names_lines_the_server_rejects_by_their_place_in_the_file) {
    const std::string file = directory_.write("a.csv", "who,what\nu1,a\n,a\nu2,\nu3,a\n");
    const auto done = import_csv({file});
    EXPECT_EQ(done.exit_code, 0) << done.errors;
    EXPECT_EQ(done.last_line(), "imported 2 duplicates 0 rejected 2");
    EXPECT_THAT(done.errors, AllOf(HasSubstr("a.csv:3: "), HasSubstr("a.csv:4: ")));
}

TEST_F(ImportCommand, of_a_missing_file_names_it) {
    const auto done = import_csv({directory_ / "missing.csv"});
    EXPECT_NE(done.exit_code, 0);
    EXPECT_THAT(done.errors, HasSubstr("missing.csv"));
    EXPECT_THAT(done.output, IsEmpty());
}

TEST_F(ImportCommand, of_an_unknown_column_lists_those_there_are) {
    const std::string file = directory_.write("a.csv", csv_);
    const auto done = import({file, "--format", "csv", "--map", "object=where,token=who"});
    EXPECT_EQ(done.exit_code, 2) << done.errors;
    EXPECT_THAT(done.errors, AllOf(HasSubstr("where"), HasSubstr("who"), HasSubstr("what")));
    EXPECT_THAT(done.output, IsEmpty());
}

TEST_F(ImportCommand, of_a_damaged_gzip_file_fails) {
    std::string text = "who,what\n";
    for (int line = 0; line < 20'000; ++line) {
        text += fmt::format("u{},a{}\n", line * 7919 % 20'000, line % 100);
    }
    const std::string packed = output_of({"gzip", "-c"}, text);
    std::string damaged = packed;
    damaged[packed.size() / 2] = static_cast<char>(~damaged[packed.size() / 2]);
    for (const std::string& bad : {damaged, packed.substr(0, packed.size() - 100)}) {
        const auto done = import_csv({directory_.write("damaged.csv.gz", bad)});
        EXPECT_EQ(done.exit_code, 1);
        EXPECT_THAT(done.errors, HasSubstr("damaged.csv.gz"));
        EXPECT_THAT(done.output, Not(HasSubstr("imported")));
    }
}

TEST_F(ImportCommand, of_events_without_a_time_is_of_now_in_a_directory_too) {
    const std::string data = directory_ / "other";
    const auto done = run_footfall(
        {"import",
         "-",
         "--as",
         "events",
         "--format",
         "csv",
         "--map",
         "object=what,actor=who",
         "--set",
         "action=view",
         "--data",
         data},
        csv_
    );
    EXPECT_EQ(done.last_line(), "imported 4 duplicates 0 rejected 0") << done.errors;
    const FootfallProcess server{data};
    const auto days = Api{server}.views("b").at("days").as_array();
    ASSERT_EQ(days.size(), 1U);
    EXPECT_GT(std::string{days.at(0).at("day").as_string()}, "2026-01-01");
}

TEST_F(ImportCommand, into_a_directory_in_use_says_how_to_go_on) {
    const auto done = run_footfall(
        {"import",
         directory_.write("a.csv", csv_),
         "--as",
         "tokens",
         "--format",
         "csv",
         "--map",
         "object=what,token=who",
         "--data",
         directory_ / "data"}
    );
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_THAT(done.errors, AllOf(HasSubstr("in use"), HasSubstr("--server")));
}

}  // namespace
}  // namespace footfall
