#include "views/views.h"

#include <algorithm>
#include <utility>

namespace footfall::views {
namespace {

/// Of the memory of views, what those of expired events may take besides.
constexpr std::size_t expired_part = 16;

}  // namespace

Views::Views(
    storage::Store& store,
    std::uint64_t log_id,
    std::uint16_t sketch_key,
    const Clock& clock,
    Options options
)
    : store_{&store},
      log_id_{log_id},
      sketch_key_{sketch_key},
      clock_{&clock},
      options_{options},
      own_memory_{options.memory_bytes},
      memory_{options.memory != nullptr ? options.memory : &own_memory_},
      writer_{
          store,
          clock,
          lanes_,
          {.log_id = log_id,
           .sketch_key = sketch_key,
           .tables = options.tables,
           .memory = memory_,
           .interval = options.flush_interval,
           .interval_of_many = options.flush_interval_of_many,
           .turn = options.flush_at_most,
           .busy_at_least = options.busy_at_least}
      } {}

Result<void> Views::wait_for_room() {
    if (!is_full()) {
        return {};
    }
    // A round writes what waits; what is busy leaves with the next ones.
    for (int turns = 0; turns < 4; ++turns) {
        TRY_VOID(writer_.try_turn());
        if (!is_full()) {
            return {};
        }
    }
    return fail(
        ErrorKind::overloaded, "views wait for the store to write what they counted; try again"
    );
}

void Views::apply(std::size_t lane, std::span<const Fact> facts) {
    const Instant now = clock_->now();
    const std::size_t busy_at = writer_.busy_at();
    lanes_.cells.change(lane, [&](LaneCells& cells) {
        for (const Fact& fact : facts) {
            cells.apply(
                {.hash = hash_of(fact.action, fact.object),
                 .action = fact.action,
                 .object = fact.object},
                {.offset = fact.offset,
                 .time = fact.time,
                 .refusal = fact.refusal,
                 .person = fact.person},
                now,
                busy_at
            );
        }
    });
}

Result<void> Views::flush() {
    return writer_.turn();
}

Result<void> Views::flush_all() {
    return writer_.write_all();
}

/// By views of their own, which last until they are flushed.
Result<void> Views::expire(std::size_t lane, std::span<const Fact> facts) {
    if (expired_ == nullptr) {
        Options options = options_;
        options.tables = expired_tables;
        options.memory = nullptr;
        options.memory_bytes = memory_->bytes() / expired_part;
        expired_ = std::make_unique<Views>(*store_, log_id_, sketch_key_, *clock_, options);
    }
    if (expired_->is_full()) {
        TRY_VOID(expired_->flush_all());
    }
    expired_->apply(lane, facts);
    return {};
}

Result<void> Views::flush_expired() {
    const std::unique_ptr<Views> expired = std::exchange(expired_, nullptr);
    if (expired == nullptr) {
        return {};
    }
    TRY_VOID(expired->flush_all());
    for (std::size_t lane = 0; lane < ViewLanes::count; ++lane) {
        if (expired->first_unsaved(lane)) {
            return fail(ErrorKind::unavailable, "writes of expired views were lost");
        }
    }
    return {};
}

std::uint64_t Views::checkpoint(std::size_t lane) {
    writer_.settle();
    return lanes_.cells.look(lane, [](const LaneCells& cells) { return cells.stored_before(); });
}

std::optional<std::uint64_t> Views::first_unsaved(std::size_t lane) {
    writer_.settle();
    return lanes_.cells.look(lane, [](const LaneCells& cells) {
        return cells.dirty_since() ? std::optional{cells.stored_before()} : std::nullopt;
    });
}

Instant Views::stored_until(std::size_t lane) {
    const Instant now = clock_->now();
    writer_.settle();
    const auto since =
        lanes_.cells.look(lane, [](const LaneCells& cells) { return cells.dirty_since(); });
    return std::min(since.value_or(now), now);
}

void Views::drop_lane(std::size_t lane) {
    lanes_.cells.change(lane, [&](LaneCells& cells) {
        ++lanes_.drops[lane];
        cells.clear();
    });
    writer_.note_dropped();
}

void Views::drop_all() {
    for (std::size_t lane = 0; lane < ViewLanes::count; ++lane) {
        drop_lane(lane);
    }
}

Views::Figures Views::figures() {
    const Writer::Figures written = writer_.figures();
    Figures figures{
        .bytes = lanes_.cells.bytes(),
        .rows_asked = written.rows_asked,
        .rows_read = written.rows_read,
        .rows_written = written.rows_written,
        .evicted = written.cells_evicted
    };
    for (std::size_t lane = 0; lane < ViewLanes::count; ++lane) {
        lanes_.cells.look(lane, [&](const LaneCells& cells) {
            figures.objects += cells.objects();
            figures.waiting += cells.waiting();
            figures.unsaved += cells.unstored();
        });
    }
    return figures;
}

}  // namespace footfall::views
