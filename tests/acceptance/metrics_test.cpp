// Metrics as they are sent and asked for: lines to the port of Carbon, by TCP and UDP, and
// Graphite's answers.
#include "net/test_datagrams.h"
#include "test_support/eventually.h"
#include "test_support/own_port.h"
#include "test_support/raw_connection.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <string>

namespace footfall {
namespace {

using http_server::Method;
using testing::HasSubstr;
using namespace test_support;

/// A server that takes metrics, too.
class Metrics : public testing::Test {
protected:
    static std::int64_t now() {
        return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now())
            .time_since_epoch()
            .count();
    }

    std::uint64_t taken() { return api_.metric("footfall_timeseries_points_total"); }

    /// Sends lines as a program does that tells nothing else, and waits until they are taken.
    void send(const std::string& lines, std::uint64_t points) {
        const std::uint64_t before = taken();
        RawConnection carbon{carbon_};
        EXPECT_TRUE(carbon.send(lines));
        EXPECT_TRUE(eventually([&] { return taken() == before + points; })) << taken();
    }

    std::string get(const std::string& target) {
        const auto answer = api_.send(Method::get, target);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer.body;
    }

    /// The same by POST, as Grafana asks.
    std::string post(const std::string& target, const std::string& form) {
        auto client = server_.client();
        const auto answer = *client.send(
            Method::post, target, form, {{"Content-Type", "application/x-www-form-urlencoded"}}
        );
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer.body;
    }

    std::uint64_t refused(const std::string& why) {
        return api_.metric(fmt::format(R"(footfall_timeseries_refused_total{{why="{}"}})", why));
    }

    const std::uint16_t carbon_ = own_port();
    TemporaryDirectory directory_;
    FootfallProcess server_{
        directory_ / "data",
        {"--carbon", fmt::format("127.0.0.1:{}", carbon_), "--metrics-series", "5"}
    };
    Api api_{server_};
};

TEST_F(Metrics, come_in_as_lines_and_go_out_as_graphs) {
    const std::int64_t time = now() / 10 * 10;
    send(
        fmt::format(
            "servers.a.load 0.25 {0}\nservers.a.load 0.5 {1}\r\nservers.b.load 7 {1}\n"
            "servers.a.load nan {0}\ndisk;host=b;dc=c 1 {1}\n",
            time - 20,
            time
        ),
        4
    );
    const std::string range = fmt::format("&from={}&until={}", time - 30, time);
    const std::string load_a = fmt::format(
        R"({{"target":"servers.a.load","tags":{{"name":"servers.a.load"}},)"
        R"("datapoints":[[0.25,{}],[null,{}],[0.5,{}]]}})",
        time - 20,
        time - 10,
        time
    );
    EXPECT_EQ(get("/render?target=servers.a.load" + range), "[" + load_a + "]\n");
    const std::string both = get("/render?target=servers.*.load" + range);
    EXPECT_THAT(both, HasSubstr(load_a));
    EXPECT_THAT(both, HasSubstr(fmt::format("[7,{}]", time)));
    EXPECT_THAT(
        get("/render?target=disk;dc=c;host=b&format=json" + range),
        HasSubstr(R"("tags":{"dc":"c","host":"b","name":"disk"})")
    );
    EXPECT_EQ(get("/render?target=servers.c.load" + range), "[]\n");
    EXPECT_EQ(
        get("/metrics/find?query=*"),
        R"([{"text":"servers","id":"servers","leaf":0,"expandable":1,"allowChildren":1,"context":{}}])"
        "\n"
    );
    const auto leaves = boost::json::parse(get("/metrics/find?query=servers.%7Ba,b%7D.*"));
    ASSERT_EQ(leaves.as_array().size(), 2);
    EXPECT_EQ(leaves.at(1).at("id"), "servers.b.load");
    EXPECT_EQ(leaves.at(1).at("leaf"), 1);

    const std::string sum = get("/render?target=alias(sumSeries(servers.*.load),'all')" + range);
    EXPECT_THAT(sum, HasSubstr(R"("target":"all")"));
    EXPECT_THAT(
        sum, HasSubstr(fmt::format("[[0.25,{}],[null,{}],[7.5,{}]]", time - 20, time - 10, time))
    );
    EXPECT_THAT(
        get("/render?target=servers.a.load|keepLastValue()|timeShift('10s')" + range),
        HasSubstr(fmt::format("[[null,{}],[0.25,{}],[0.25,{}]]", time - 20, time - 10, time))
    );
    const auto answer = api_.send(Method::get, "/render?target=sumSerie(servers.*)");
    expect_problem(answer, 400, "invalid-input", "target");
    EXPECT_THAT(answer.body, HasSubstr("no function sumSerie; those named like it are sumSeries"));

    // What was sent again, or late, changes what it says and nothing else; a kill loses nothing
    // that was taken.
    send(fmt::format("servers.a.load 0.25 {0}\nservers.a.load 3 {1}\n", time - 20, time - 10), 2);
    server_.kill();
    server_.restart();
    api_ = Api{server_};
    EXPECT_THAT(
        get("/render?target=servers.a.load" + range),
        HasSubstr(fmt::format("[[0.25,{}],[3,{}],[0.5,{}]]", time - 20, time - 10, time))
    );
    EXPECT_THAT(get("/metrics/find?query=servers.*.load"), HasSubstr("servers.b.load"));
    EXPECT_EQ(server_.stop(), 0);
}

TEST_F(Metrics, lines_that_are_none_are_counted_and_hurt_no_others) {
    const std::int64_t time = now();
    RawConnection carbon{carbon_};
    ASSERT_TRUE(carbon.send("nothing\na b c\na..b 1 2\n"));
    // A line without end, of more than anybody may send, in many pieces.
    for (int piece = 0; piece < 64; ++piece) {
        ASSERT_TRUE(carbon.send(std::string(16 << 10, 'x')));
    }
    ASSERT_TRUE(carbon.send(fmt::format(
        " 1 2\na 1 {}\na 1 100\na 1 {}\nx.{} 1 2\n", time, time + 200'000, std::string(5000, 'y')
    )));
    EXPECT_TRUE(eventually([&] { return taken() == 1 && refused("too_long") == 2; }));
    EXPECT_EQ(refused("malformed"), 3);
    EXPECT_EQ(refused("old"), 1);
    EXPECT_EQ(refused("early"), 1);
    EXPECT_EQ(refused("store"), 0);

    std::string lines;
    for (int series = 0; series < 8; ++series) {
        lines += fmt::format("s{} 1 {}\n", series, time);
    }
    send(lines + fmt::format("a 2 {}\n", time + 1), 5);  // 4 new ones, and one more of the first
    EXPECT_EQ(refused("no_room"), 4);
    EXPECT_EQ(api_.metric("footfall_timeseries_series"), 5);
}

TEST_F(Metrics, go_out_in_every_form_that_graphite_has) {
    const std::int64_t time = now() / 10 * 10;
    send(
        fmt::format(
            "cpu;dc=a;host=x 1 {0}\ncpu;dc=b;host=y 2 {0}\nservers.a.load 0.5 {0}\n", time - 10
        ),
        3
    );
    const std::string range = fmt::format("&from={}&until={}", time - 30, time);
    EXPECT_EQ(
        post("/render", "target=servers.*.load&format=raw" + range),
        fmt::format("servers.a.load,{},{},10|None,0.5,None\n", time - 20, time + 10)
    );
    EXPECT_EQ(
        post("/render", "target=seriesByTag('dc=a')&format=json" + range),
        get("/render?target=cpu;host=x;dc=a" + range)
    );
    EXPECT_THAT(
        get("/render?format=csv&target=seriesByTag(%27name%3Dcpu%27)%7CsumSeries()" + range),
        HasSubstr("sumSeries(seriesByTag('name=cpu')),")
    );
    EXPECT_EQ(
        post("/metrics/find?from=-1h", "query=servers.*"), get("/metrics/find?query=servers.*")
    );
    EXPECT_THAT(post("/metrics/find", "query=serv&format=completer"), HasSubstr("servers."));
    EXPECT_EQ(get("/metrics/expand?query=servers.*.*"), "{\"results\":[\"servers.a.load\"]}\n");
    EXPECT_EQ(
        get("/metrics/index.json"), "[\"cpu;dc=a;host=x\",\"cpu;dc=b;host=y\",\"servers.a.load\"]\n"
    );
    EXPECT_EQ(
        get("/tags"),
        R"([{"tag":"dc"},{"tag":"host"},{"tag":"name"}])"
        "\n"
    );
    EXPECT_EQ(
        get("/tags/dc"),
        R"({"tag":"dc","values":[{"value":"a","count":1},{"value":"b","count":1}]})"
        "\n"
    );
    EXPECT_EQ(get("/tags/findSeries?expr=host%3D~x%7Cz"), "[\"cpu;dc=a;host=x\"]\n");
    EXPECT_EQ(get("/tags/autoComplete/tags?expr=name=cpu&tagPrefix=h"), "[\"host\"]\n");
    EXPECT_EQ(get("/tags/autoComplete/values?tag=host&expr=dc=b"), "[\"y\"]\n");
    EXPECT_EQ(get("/version"), "1.1.10\n");
    EXPECT_TRUE(boost::json::parse(get("/functions")).as_object().contains("seriesByTag"));

    // What was known is so after a kill.
    server_.kill();
    server_.restart();
    api_ = Api{server_};
    EXPECT_EQ(get("/tags/findSeries?expr=host%3D~x%7Cz"), "[\"cpu;dc=a;host=x\"]\n");
}

TEST_F(Metrics, come_in_as_datagrams_too) {
    const net::DatagramSender sender;
    const std::int64_t time = now();
    EXPECT_TRUE(
        sender.send(carbon_, fmt::format("a 1 {0}\nb;host=x 2 {0}\r\nno line\nc 3 {0}", time))
    );
    EXPECT_TRUE(eventually([&] { return taken() == 3 && refused("malformed") == 1; }));
    EXPECT_TRUE(sender.send(carbon_, std::string("\0\xff\xfe", 3)));
    EXPECT_TRUE(sender.send(carbon_, std::string(60'000, 'x')));
    EXPECT_FALSE(sender.send(carbon_, std::string(1 << 20, 'x')));
    EXPECT_TRUE(sender.send(carbon_, fmt::format("a 1 100\na 2 {}", time + 200'000)));
    EXPECT_TRUE(eventually([&] {
        return refused("malformed") == 2 && refused("too_long") == 1 && refused("old") == 1 &&
               refused("early") == 1;
    }));
    EXPECT_THAT(get("/render?target=a&from=-1min&until=now"), HasSubstr("[1,"));
}

/// Of those who flood the port nobody else hears, and what was lost is counted.
TEST_F(Metrics, of_a_flood_hurt_no_others) {
    const std::int64_t time = now();
    std::string lines;
    for (int line = 0; line < 2500; ++line) {
        lines += fmt::format("flood {} {}\n", line, time - line);
    }
    const net::DatagramSender sender;
    for (int sent = 0; sent < 2000; ++sent) {
        EXPECT_TRUE(sender.send(carbon_, lines));
    }
    // Others write and are answered meanwhile.
    RawConnection carbon{carbon_};
    EXPECT_TRUE(carbon.send(fmt::format("calm 7 {}\n", time)));
    EXPECT_TRUE(eventually([&] {
        return api_.send(Method::get, "/render?target=calm&from=-5min").body.contains("[7,");
    }));
    EXPECT_EQ(api_.put("a", "token"), 1U);
    EXPECT_TRUE(eventually([&] {
        EXPECT_TRUE(sender.send(carbon_, "last 1 N"));
        return refused("dropped") > 0;
    }));
    EXPECT_GT(taken(), 0);
}

TEST(MetricsPort, that_is_taken_for_datagrams_is_named) {
    const TemporaryDirectory directory;
    const net::DatagramSender taken{own_port()};
    const CommandResult serve = run_footfall(
        {"serve",
         "--listen",
         "127.0.0.1:0",
         "--data",
         directory / "data",
         "--carbon",
         fmt::format("127.0.0.1:{}", taken.port())}
    );
    EXPECT_EQ(serve.exit_code, 1);
    EXPECT_THAT(serve.errors, HasSubstr("datagrams"));
    EXPECT_THAT(serve.errors, HasSubstr("--carbon ADDRESS:PORT"));
}

TEST(MetricsPort, that_is_taken_is_named) {
    const TemporaryDirectory directory;
    const TakenPort taken;
    const CommandResult serve = run_footfall(
        {"serve",
         "--listen",
         "127.0.0.1:0",
         "--data",
         directory / "data",
         "--carbon",
         fmt::format("127.0.0.1:{}", taken.port())}
    );
    EXPECT_EQ(serve.exit_code, 1);
    EXPECT_THAT(serve.errors, HasSubstr(std::to_string(taken.port())));
    EXPECT_THAT(serve.errors, HasSubstr("--carbon ADDRESS:PORT"));
}

TEST(OwnMetrics, are_kept_by_the_name_that_is_set) {
    const TemporaryDirectory directory;
    FootfallProcess server{directory / "data", {"--metrics-own", "shop-1"}};
    Api api{server};
    const auto graph = [&](const std::string& figure) {
        return api
            .send(Method::get, "/render?format=raw&from=-1min&target=footfall.shop-1." + figure)
            .body;
    };
    EXPECT_TRUE(eventually([&] { return !graph("timeseries_series").empty(); }));
    EXPECT_THAT(graph("http_requests_total"), HasSubstr("footfall.shop-1.http_requests_total"));
}

}  // namespace
}  // namespace footfall
