#include "cli/count_source.h"

#include "cli/server_options.h"
#include "tokens/object_listing.h"
#include "tokens_routes/tokens_job.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include <future>
#include <utility>

namespace footfall::cli {
namespace {

using http_server::Method;
using http_server::percent_encode;

constexpr std::size_t page_size = 1000;

ObjectCount count_of(const boost::json::object& object) {
    return {
        .object = std::string{object.at("object").as_string()},
        .count = object.at("count").to_number<std::uint64_t>(),
        .at_least = object.at("at_least").as_bool()
    };
}

class ServerSource final : public CountSource {
public:
    ServerSource(http_server::ServerUrl server, const std::string& counter)
        : client_{std::move(server)}, query_{"counter=" + percent_encode(counter)} {}

    Result<ObjectCount> count(const std::string& object) override {
        TRY(const auto document, ask("/api/v1/counter/" + percent_encode(object) + "?" + query_));
        return count_of(document);
    }

    Result<void> for_all(const std::function<void(const ObjectCount&)>& take) override {
        std::string cursor;
        for (;;) {
            TRY(const auto document,
                ask(fmt::format(
                    "/api/v1/counters?{}&sort=name&limit={}&cursor={}",
                    query_,
                    page_size,
                    percent_encode(cursor)
                )));
            for (const boost::json::value& each : document.at("counters").as_array()) {
                take(count_of(each.as_object()));
            }
            const boost::json::value& next = document.at("next");
            if (next.is_null()) {
                return {};
            }
            cursor = next.as_string();
        }
    }

private:
    Result<boost::json::object> ask(const std::string& target) {
        TRY(const auto response,
            client_.send(Method::get, target, {}, {{"Accept", "application/json"}}));
        if (response.status != 200) {
            return std::unexpected(refusal_of(response));
        }
        boost::json::error_code error;
        boost::json::value document = boost::json::parse(response.body, error);
        if (error || !document.is_object()) {
            return fail(
                ErrorKind::unavailable,
                fmt::format("the server answered {} and no JSON", response.status)
            );
        }
        return std::move(document.as_object());
    }

    http_server::Client client_;
    const std::string query_;
};

class DirectorySource final : public CountSource {
public:
    DirectorySource(
        storage::Store& store, tokens::TokenCounters& counters, const tokens::CounterConfig& config
    )
        : store_{&store}, counters_{&counters}, config_{&config} {}

    Result<ObjectCount> count(const std::string& object) override {
        auto answer = std::make_shared<std::promise<Result<tokens::Count>>>();
        counters_->get(*config_, object, [answer](Result<tokens::Count> count) {
            answer->set_value(std::move(count));
        });
        TRY(const tokens::Count count, answer->get_future().get());
        return ObjectCount{.object = object, .count = count.count, .at_least = count.at_least};
    }

    Result<void> for_all(const std::function<void(const ObjectCount&)>& take) override {
        std::string after;
        for (;;) {
            TRY(const auto listed,
                tokens::list_by_name(*store_, *counters_, *config_, after, page_size));
            for (const tokens::ListedObject& each : listed.objects) {
                take(
                    {.object = each.object,
                     .count = each.count.count,
                     .at_least = each.count.at_least}
                );
            }
            if (!listed.next) {
                return {};
            }
            after = *listed.next;
        }
    }

private:
    storage::Store* store_;
    tokens::TokenCounters* counters_;
    const tokens::CounterConfig* config_;
};

}  // namespace

std::unique_ptr<CountSource> ask_server(http_server::ServerUrl server, const std::string& counter) {
    return std::make_unique<ServerSource>(std::move(server), counter);
}

Result<std::unique_ptr<CountSource>> ask_directory(
    deployment::Deployment& directory, const std::string& counter
) {
    tokens::TokenCounters& counters =
        tokens::routes::counters_of(directory.job(tokens::routes::job.name));
    TRY(const tokens::CounterConfig* config, counters.counter(counter));
    return std::make_unique<DirectorySource>(directory.store(), counters, *config);
}

}  // namespace footfall::cli
