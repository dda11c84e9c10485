#include "ads_world.h"

#include "ads/schema.h"
#include "events/event_keys.h"
#include "events/money.h"
#include "events/verdict.h"
#include "foundation/calendar_day.h"
#include "foundation/check.h"
#include "projecting/projection.h"

#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/metadata.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <set>
#include <unistd.h>
#include <utility>
#include <vector>

namespace footfall::benchmarks {
namespace {

using std::chrono::seconds;
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

constexpr SipKey secret{.k0 = 0x0706050403020100, .k1 = 0x0f0e0d0c0b0a0908};
constexpr std::uint64_t log_id = 0x1122334455667788;
constexpr std::int64_t seconds_a_day = 86'400;
constexpr ads::Day days_a_flush = 30;
/// Behind all records of fill().
constexpr std::uint64_t late_offset = std::uint64_t{1} << 40;

template <class T>
T must(Result<T> result, std::string_view what) {
    CHECK(result.has_value(), what, result.error().message);
    if constexpr (!std::is_void_v<T>) {
        return *std::move(result);
    }
}

File create(const std::string& path) {
    File file{std::fopen(path.c_str(), "w"), &std::fclose};
    CHECK(file != nullptr, "cannot write", path);
    return file;
}

std::string store_folder(const std::string& folder) {
    return folder + "/store";
}

Instant moment(ads::Day day, std::int64_t second) {
    return Instant{seconds{day * seconds_a_day + second}};
}

events::RateSaid rate_said(
    const std::string& reseller, ads::Day effective, ads::Millionths share, Instant said
) {
    return {
        .party = reseller,
        .effective = effective,
        .share = share,
        .reason = "agreed",
        .author = "benchmark",
        .said = said,
        .id = fmt::format("{}-{}-{}", reseller, effective, said.time_since_epoch().count())
    };
}

/// Feeds a ledger day by day, as its log would.
class Filling {
public:
    Filling(AdsWorld& world, const std::string& folder, std::size_t resellers)
        : world_{&world},
          resellers_{resellers},
          clicks_file_{create(folder + "/clicks.csv")},
          rates_file_{create(folder + "/rates.csv")} {
        fmt::print(clicks_file_.get(), "id,time,action,object,reseller,amount\n");
        fmt::print(rates_file_.get(), "reseller,effective_since,reward_percent\n");
        for (std::size_t number = 0; number < resellers; ++number) {
            draw_rates(number);
        }
    }

    void run() {
        const ads::DayRange days = AdsWorld::days();
        for (ads::Day day = days.from; day <= days.to; ++day) {
            world_->clock().set(moment(day, 0));
            say_rates(day);
            for (std::size_t number = 0; number < resellers_; ++number) {
                make_clicks(number, day);
            }
            world_->clock().set(moment(day, seconds_a_day - 1));
            apply();
            if ((day - days.from) % days_a_flush == 0 || day == days.to) {
                must(world_->ledger().flush(true), "flush");
            }
        }
    }

    std::uint64_t clicks() const { return clicks_; }

private:
    /// The first holds from the first day on.
    void draw_rates(std::size_t number) {
        constexpr std::size_t of_first = 50;
        constexpr std::size_t of_others = 5;
        const std::size_t count = number == 0 ? of_first : of_others;
        const ads::Day first = AdsWorld::days().from;
        Random random{number + 1};
        std::set<ads::Day> turns{first};
        while (turns.size() < count) {
            turns.insert(first + static_cast<ads::Day>(random.below(AdsWorld::day_count)));
        }
        for (const ads::Day day : turns) {
            const auto share = static_cast<ads::Millionths>(100'000 + random.below(400'000));
            rates_[day].emplace_back(AdsWorld::reseller(number), share);
        }
    }

    void say_rates(ads::Day day) {
        for (const auto& [reseller, share] : rates_[day]) {
            const std::uint32_t lane = world_->ledger().lane_of(reseller);
            world_->ledger().control(
                lane, offsets_.at(lane)++, rate_said(reseller, day, share, moment(day, 0))
            );
            fmt::print(rates_file_.get(), "{},{},0.{:06}\n", reseller, format_day(day), share);
        }
    }

    void make_clicks(std::size_t number, ads::Day day) {
        constexpr std::uint64_t of_first = 8;
        constexpr std::uint64_t ads_of_first = 1'000;
        constexpr std::uint64_t ads_of_others = 4;
        Random random{(static_cast<std::uint64_t>(number) << 32) + static_cast<std::uint32_t>(day)};
        const std::uint64_t count = number == 0 ? of_first : 1 + random.below(2);
        const std::uint64_t ads = number == 0 ? ads_of_first : ads_of_others;
        for (std::uint64_t at = 0; at < count; ++at) {
            make_click(
                {.id = fmt::format("{}-{}-{}", number, day, at),
                 .time = moment(day, static_cast<std::int64_t>(random.below(seconds_a_day))),
                 .action = random.below(50) == 0 ? "sale" : "click",
                 .object = fmt::format("ad-{}-{}", number, random.below(ads)),
                 .amount = draw_amount(random),
                 .currency = std::string{AdsWorld::currency},
                 .reseller = AdsWorld::reseller(number)}
            );
        }
    }

    static events::Micros draw_amount(Random& random) {
        constexpr std::uint64_t largest = 50'000;
        const auto amount = static_cast<events::Micros>(1 + random.below(largest));
        return random.below(100) == 0 ? -amount : amount;
    }

    void make_click(events::Event event) {
        fmt::print(
            clicks_file_.get(),
            "{},{},{},{},{},{}\n",
            event.id,
            event.time.time_since_epoch() / seconds{1},
            event.action,
            event.object,
            event.reseller,
            events::format_money(event.amount.value_or(0))
        );
        const std::uint32_t lane = events::lane_of(event.object, secret);
        const Instant arrival = event.time;
        judged_.at(lane).push_back({.event = std::move(event), .arrival = arrival});
        ++clicks_;
    }

    void apply() {
        must(world_->ledger().wait_for_room(), "room");
        for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
            std::vector<projecting::JudgedRecord> records;
            records.reserve(judged_.at(lane).size());
            for (const events::JudgedEvent& each : judged_.at(lane)) {
                records.push_back(
                    {.offset = offsets_.at(lane)++, .judged = &each, .person = std::nullopt}
                );
            }
            world_->ledger().apply(lane, records);
            judged_.at(lane).clear();
        }
    }

    AdsWorld* world_;
    const std::size_t resellers_;
    File clicks_file_;
    File rates_file_;
    std::map<ads::Day, std::vector<std::pair<std::string, ads::Millionths>>> rates_;
    std::array<std::vector<events::JudgedEvent>, runtime::lane_count> judged_;
    std::array<std::uint64_t, runtime::lane_count> offsets_{};
    std::uint64_t clicks_ = 0;
};

/// Of a closed store.
std::map<std::string, std::uint64_t> bytes_by_table(const std::string& folder) {
    const rocksdb::DBOptions options;
    std::vector<std::string> names;
    rocksdb::Status status = rocksdb::DB::ListColumnFamilies(options, store_folder(folder), &names);
    CHECK(status.ok(), "tables", status.ToString());
    std::vector<rocksdb::ColumnFamilyDescriptor> wanted;
    wanted.reserve(names.size());
    for (const std::string& name : names) {
        wanted.emplace_back(name, rocksdb::ColumnFamilyOptions{});
    }
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    rocksdb::DB* opened = nullptr;
    status = rocksdb::DB::OpenForReadOnly(options, store_folder(folder), wanted, &handles, &opened);
    CHECK(status.ok(), "files", status.ToString());
    const std::unique_ptr<rocksdb::DB> database{opened};
    std::vector<rocksdb::LiveFileMetaData> files;
    database->GetLiveFilesMetaData(&files);
    std::map<std::string, std::uint64_t> bytes;
    for (const rocksdb::LiveFileMetaData& each : files) {
        bytes[each.column_family_name] += each.size;
    }
    for (rocksdb::ColumnFamilyHandle* const each : handles) {
        database->DestroyColumnFamilyHandle(each);
    }
    return bytes;
}

}  // namespace

AdsWorld::AdsWorld(const std::string& folder, std::uint64_t checkpoint)
    : store_{must(
          storage_rocksdb::RocksStore::open(
              {.directory = store_folder(folder),
               .tables = {ads::all_tables().begin(), ads::all_tables().end()}},
              clock_,
              metrics_
          ),
          "store"
      )},
      ledger_{must(
          ads::Ledger::open(
              *store_,
              clock_,
              log_id,
              {.currency = std::string{currency}, .secret = secret, .memory = &memory_}
          ),
          "ledger"
      )} {
    std::vector<projecting::LaneStart> lanes;
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        lanes.push_back({.lane = lane, .offset = checkpoint});
    }
    must(ledger_->begin(lanes), "begin");
}

ads::DayRange AdsWorld::days() {
    const auto today = std::chrono::floor<std::chrono::days>(SystemClock{}.now());
    const auto last = static_cast<ads::Day>(today.time_since_epoch().count()) - 1;
    return {.from = last - static_cast<ads::Day>(day_count) + 1, .to = last};
}

std::string AdsWorld::reseller(std::size_t number) {
    return fmt::format("reseller-{}", number);
}

std::string AdsWorld::fill(const std::string& folder, std::size_t resellers) {
    std::filesystem::create_directories(folder);
    std::uint64_t clicks = 0;
    {
        AdsWorld world{folder, 0};
        Filling filling{world, folder, resellers};
        filling.run();
        clicks = filling.clicks();
        must(world.store().compact(), "compact");
    }
    std::string tables;
    for (const auto& [name, bytes] : bytes_by_table(folder)) {
        tables += fmt::format(R"({}"{}":{})", tables.empty() ? "" : ",", name, bytes);
    }
    return fmt::format(
        R"({{"resellers":{},"first_day":{},"last_day":{},"clicks":{},"bytes":{{{}}}}})",
        resellers,
        days().from,
        days().to,
        clicks,
        tables
    );
}

std::unique_ptr<AdsWorld> AdsWorld::open(const std::string& folder) {
    // As after a stop in good order: all that was filled in is before the checkpoint.
    return std::unique_ptr<AdsWorld>{new AdsWorld{folder, late_offset}};
}

void AdsWorld::forget_files(const std::string& folder) {
    ::sync();
    for (const auto& each : std::filesystem::recursive_directory_iterator{store_folder(folder)}) {
        if (!each.is_regular_file()) {
            continue;
        }
        const int file = ::open(each.path().c_str(), O_RDONLY | O_CLOEXEC);
        CHECK(file >= 0, "cannot open", each.path().string());
        CHECK(::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0, "fadvise");
        ::close(file);
    }
}

void AdsWorld::record_rate(const std::string& reseller, ads::Day effective, ads::Millionths share) {
    const std::uint32_t lane = ledger_->lane_of(reseller);
    ledger_->control(lane, late_offset, rate_said(reseller, effective, share, clock_.now()));
    must(ledger_->flush(true), "flush");
}

}  // namespace footfall::benchmarks
