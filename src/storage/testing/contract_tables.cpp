#include "storage_testing/contract_tables.h"

#include <array>

namespace footfall::storage {
namespace {

Table visits_named(std::string_view name, bool bulk) {
    return {
        .name = name,
        .purpose = "Rows of every type in both orders.",
        .partition = {{"site", ColumnType::text}, {"object", ColumnType::bytes}},
        .clustering =
            {{"day", ColumnType::day, Order::descending},
             {"moment", ColumnType::timestamp},
             {"id", ColumnType::bytes}},
        .values =
            {{"note", ColumnType::text}, {"hits", ColumnType::integer}, {"raw", ColumnType::bytes}},
        .bulk = bulk,
        .large_partitions = bulk,
        .of_region = bulk,
        .compaction = Compaction::write_heavy
    };
}

}  // namespace

const Table visits = visits_named("visits", false);
const Table visits_bulk = visits_named("visits_bulk", true);

const Table marks = {
    .name = "marks",
    .purpose = "Rows that expire, in volume.",
    .partition = {{"object", ColumnType::text}, {"level", ColumnType::integer}},
    .clustering = {{"mark", ColumnType::text}},
    .values = {{"expires", ColumnType::timestamp}},
    .expires = "expires",
    .bulk = true
};

const Table visas = {
    .name = "visas",
    .purpose = "Rows that expire, one by one.",
    .partition = {{"object", ColumnType::integer}},
    .clustering = {{"number", ColumnType::integer, Order::descending}},
    .values = {{"until", ColumnType::timestamp}, {"note", ColumnType::text}},
    .expires = "until"
};

const Table settings = {
    .name = "settings",
    .purpose = "One row a partition.",
    .partition = {{"scope", ColumnType::integer}},
    .clustering = {},
    .values = {{"text", ColumnType::text}},
    .of_region = true
};

const Table links = {
    .name = "links",
    .purpose = "Rows that are nothing but their key.",
    .partition = {{"owner", ColumnType::integer}},
    .clustering = {{"other", ColumnType::text, Order::descending}},
    .values = {},
    .of_region = true
};

const Table sights = {
    .name = "sights",
    .purpose = "Rows that go with the record they follow from.",
    .partition = {{"name", ColumnType::text}, {"level", ColumnType::integer}},
    .clustering = {},
    .values =
        {{"log", ColumnType::integer},
         {"lane", ColumnType::integer},
         {"offset", ColumnType::integer},
         {"expires", ColumnType::timestamp}},
    .expires = "expires",
    .of_record = true,
    .bulk = true
};

const Table bills = {
    .name = "bills",
    .purpose = "Rows with exact decimals.",
    .partition = {{"payer", ColumnType::integer}},
    .clustering = {{"number", ColumnType::integer}},
    .values =
        {{"amount", ColumnType::decimal}, {"note", ColumnType::text}, {"paid", ColumnType::decimal}
        },
    .bulk = true
};

const Table secrets = {
    .name = "secrets",
    .purpose = "Rows that are to be in no file once they are gone.",
    .partition = {{"owner", ColumnType::integer}},
    .clustering = {},
    .values = {{"secret", ColumnType::bytes}},
    .secret = true
};

std::span<const Table* const> contract_tables() {
    static constexpr std::array tables{
        &visits, &visits_bulk, &marks, &visas, &settings, &links, &sights, &bills, &secrets
    };
    return tables;
}

}  // namespace footfall::storage
