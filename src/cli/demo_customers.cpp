#include "cli/demo_customers.h"

#include "events/action.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace footfall::cli {
namespace {

using events::Identifier;
using std::chrono::seconds;

enum Network : std::size_t { shop, mail, app, news, desk };

struct NetworkName {
    std::string_view identifier;
    std::string_view id_name;
};

constexpr std::array<NetworkName, demo_networks> network_names{
    {{"shop", "customer"},
     {"mail", "address"},
     {"app", "device"},
     {"news", "subscriber"},
     {"desk", "caller"}}
};
/// Who says that an id is the shop's customer.
constexpr std::array<std::string_view, demo_networks> sources{
    "shop", "checkout", "app sign-in", "newsletter form", "service desk"
};
constexpr std::array given_names{
    std::string_view{"maren"},
    std::string_view{"tomas"},
    std::string_view{"aiko"},
    std::string_view{"leila"},
    std::string_view{"jonas"},
    std::string_view{"priya"},
    std::string_view{"zoë"},
    std::string_view{"kwame"}
};
constexpr std::array family_names{
    std::string_view{"holm"},
    std::string_view{"vidal"},
    std::string_view{"tanaka"},
    std::string_view{"oduya"},
    std::string_view{"lindqvist"},
    std::string_view{"nair"},
    std::string_view{"novák"}
};
constexpr std::uint64_t past_seconds = 30 * 86'400;
constexpr std::uint64_t kiosk_one_in = 12;

/// The last customers, two and two.
constexpr std::size_t first_mixed_up = demo_customers - 2 * demo_mix_ups;

bool all_is_known(std::size_t customer) {
    return customer < demo_kiosk_guests || customer >= first_mixed_up;
}

std::string in_capital(std::string_view name) {
    std::string text{name};
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

/// What a network knows of a customer besides: some of it is not what others know.
std::string data_of(std::size_t customer, std::size_t network) {
    const std::string given = in_capital(given_names[customer % given_names.size()]);
    const std::string family = in_capital(family_names[customer % family_names.size()]);
    switch (network) {
        case mail:
            return fmt::format(
                R"({{"name":"{} {}","city":"Oslo","consent":"granted"}})", given, family
            );
        case news:
            return fmt::format(
                R"({{"language":"en","consent":"{}"}})", customer % 3 == 0 ? "denied" : "granted"
            );
        case desk:
            return fmt::format(
                R"({{"name":"{}. {}","city":"Bergen","born":{}}})",
                given.front(),
                family,
                1950 + (customer % 50)
            );
        default:
            return {};
    }
}

DemoMatch match_of(std::size_t customer, std::size_t network) {
    return {
        .ids = {demo_id(customer, shop), demo_id(customer, network)},
        .source = sources[network],
        .data = all_is_known(customer) ? data_of(customer, network) : std::string{}
    };
}

DemoMatch kiosk_match(std::size_t guest) {
    DemoMatch match{.ids = {demo_kiosk()}, .source = "kiosk in the lobby"};
    for (const Network network : {shop, mail, app, news}) {
        match.ids.emplace_back(demo_id(guest, network));
    }
    return match;
}

/// The phone and the laptop of a customer: two actors of views.
DemoMatch visitor_match(std::size_t visitor) {
    return {
        .ids =
            {demo_id(demo_first_visitor + visitor / 2, shop),
             {.identifier = "footfall",
              .id_name = "actor",
              .id_value = fmt::format("visitor-{}", visitor)}},
        .source = "signed in"
    };
}

std::string json_of(const std::vector<Identifier>& ids) {
    std::string json = "[";
    for (const Identifier& each : ids) {
        json += fmt::format(
            R"({}{{"identifier":{},"id_name":{},"id_value":{}}})",
            json.size() == 1 ? "" : ",",
            json_string(each.identifier),
            json_string(each.id_name),
            json_string(each.id_value)
        );
    }
    return json + "]";
}

std::string data_member(const std::string& data) {
    return data.empty() ? std::string{} : fmt::format(R"(,"data":{})", data);
}

}  // namespace

Identifier demo_id(std::size_t customer, std::size_t network) {
    const auto value = [&]() -> std::string {
        switch (network) {
            case shop:
                return fmt::format("C-{}", 10'000 + customer);
            case mail:
                return fmt::format(
                    "{}.{}.{}@mail.example",
                    given_names[customer % given_names.size()],
                    family_names[customer % family_names.size()],
                    customer
                );
            case app:
                return fmt::format("{:016x}", Random{customer}());
            case news:
                return fmt::format("reader-{}", customer * 7 + 3);
            default:
                return fmt::format("+44 20 7946 {:04}", customer);
        }
    };
    return {
        .identifier = std::string{network_names[network].identifier},
        .id_name = std::string{network_names[network].id_name},
        .id_value = value()
    };
}

Identifier demo_kiosk() {
    return {
        .identifier = std::string{network_names[app].identifier},
        .id_name = std::string{network_names[app].id_name},
        .id_value = "kiosk-lobby"
    };
}

std::string DemoMatch::body() const {
    return fmt::format(
        R"({{"ids":{},"source":{}{}}})", json_of(ids), json_string(source), data_member(data)
    );
}

std::string DemoMatch::event(std::string_view id, Instant time) const {
    return fmt::format(
        R"({{"id":"{}","time":"{}","action":"{}","object":{},"identifiers":{},)"
        R"("attributes":{{"source":{}{}}}}})"
        "\n",
        id,
        events::format_rfc3339(time),
        events::identify_action,
        json_string(
            ids.front().identifier + "/" + ids.front().id_name + "/" + ids.front().id_value
        ),
        json_of(ids),
        json_string(source),
        data_member(data)
    );
}

std::vector<DemoSaid> demo_said_before(Instant now) {
    Random random{7};
    std::vector<DemoSaid> all;
    const auto say = [&](std::string id, DemoMatch match) {
        all.push_back(
            {.id = std::move(id),
             .time = now - seconds{1 + random.below(past_seconds)},
             .match = std::move(match)}
        );
    };
    for (std::size_t guest = 0; guest < demo_kiosk_guests; ++guest) {
        say(fmt::format("demo-kiosk-{}", guest), kiosk_match(guest));
    }
    for (std::size_t visitor = 0; visitor < demo_visitors; ++visitor) {
        say(fmt::format("demo-visitor-{}", visitor), visitor_match(visitor));
    }
    for (std::size_t customer = 0; customer < demo_customers; ++customer) {
        const std::size_t links =
            all_is_known(customer) ? demo_networks - 1 : 1 + random.below(demo_networks - 1);
        for (std::size_t network = 1; network <= links; ++network) {
            say(fmt::format("demo-customer-{}-{}", customer, network), match_of(customer, network));
        }
    }
    return all;
}

DemoMatch DemoMatches::next() {
    if (random_.below(kiosk_one_in) == 0) {
        return kiosk_match(random_.below(demo_kiosk_guests));
    }
    return match_of(random_.below(demo_customers), 1 + random_.below(demo_networks - 1));
}

DemoMatch DemoMixUp::match() const {
    return {.ids = {demo_id(one, mail), demo_id(other, shop)}, .source = "list with a row shifted"};
}

std::string DemoMixUp::detach_body() const {
    std::vector<Identifier> ids;
    ids.reserve(demo_networks);
    for (std::size_t network = 0; network < demo_networks; ++network) {
        ids.push_back(demo_id(other, network));
    }
    return fmt::format(
        R"({{"ids":{},"reason":"two people: a row of the list had shifted"}})", json_of(ids)
    );
}

DemoMixUp demo_mix_up(std::size_t number) {
    const std::size_t one = first_mixed_up + 2 * number;
    return {.one = one, .other = one + 1};
}

}  // namespace footfall::cli
