#include "load/count_check.h"

#include "foundation/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace footfall::load {
namespace {

constexpr std::uint64_t sample = 1000;
constexpr Nanoseconds patience = 60'000'000'000;
constexpr std::size_t asking_depth = 8;

/// Asks each object once, as fast as it goes.
class Asking final : public Workload {
public:
    Asking(const Protocol& protocol, const std::vector<std::uint64_t>& objects)
        : protocol_{&protocol}, objects_{&objects}, counted_(objects.size()) {}

    std::optional<Ticket> next(Nanoseconds now, std::string& out) override {
        if (all_sent()) {
            return std::nullopt;
        }
        protocol_->append_check(out, (*objects_)[next_]);
        return Ticket{.id = next_++, .due = now};
    }

    void answered(const Ticket& ticket, const Answer& answer, Nanoseconds now) override {
        last_answer_ = now;
        if (answer.status != 200 || !answer.has_number) {
            failed_status_ = answer.status;
            return;
        }
        counted_[ticket.id] = {
            .number = static_cast<std::uint32_t>(answer.number), .at_least = answer.at_least
        };
        ++answered_;
    }

    void lost(const Ticket&) override {}

    void tick(Nanoseconds now) override { last_answer_ = last_answer_ == 0 ? now : last_answer_; }

    Nanoseconds wake(bool) const override { return last_answer_ + patience; }

    bool all_sent() const override { return next_ == objects_->size(); }

    bool gives_up(Nanoseconds now) const override { return now >= last_answer_ + patience; }

    Result<std::vector<Counted>> take() {
        if (answered_ != objects_->size()) {
            return fail(
                ErrorKind::corrupt,
                fmt::format(
                    "{} of {} objects were not answered by a count (last other status: {})",
                    objects_->size() - answered_,
                    objects_->size(),
                    failed_status_
                )
            );
        }
        return std::move(counted_);
    }

private:
    const Protocol* protocol_;
    const std::vector<std::uint64_t>* objects_;
    std::vector<Counted> counted_;
    std::size_t next_ = 0;
    std::size_t answered_ = 0;
    int failed_status_ = 0;
    Nanoseconds last_answer_ = 0;
};

}  // namespace

std::vector<std::uint64_t> objects_to_check(const Traffic& traffic, bool all) {
    const std::uint64_t objects = traffic.shape().objects;
    std::vector<std::uint64_t> chosen;
    if (all || objects <= sample) {
        chosen.resize(objects);
        std::iota(chosen.begin(), chosen.end(), 0);
        return chosen;
    }
    Random random{traffic.shape().seed};
    for (std::uint64_t n = 0; n < sample / 2; ++n) {
        chosen.push_back(traffic.at(n).object);
        chosen.push_back(random.below(objects));
    }
    std::ranges::sort(chosen);
    const auto repeated = std::ranges::unique(chosen);
    chosen.erase(repeated.begin(), repeated.end());
    return chosen;
}

Result<std::vector<Counted>> ask_counts(
    const GeneratorOptions& options,
    const Protocol& protocol,
    const std::vector<std::uint64_t>& objects
) {
    GeneratorOptions asking = options;
    asking.connections = std::min<std::size_t>(options.connections, 16);
    asking.depth = asking_depth;
    TRY(const auto generator, Generator::open(asking, protocol));
    Asking workload{protocol, objects};
    TRY_VOID(generator->run(workload));
    return workload.take();
}

CheckResult compare_counts(
    const Traffic& traffic,
    const Outcome& outcome,
    const std::vector<std::uint64_t>& objects,
    const std::vector<Counted>& before,
    const std::vector<Counted>& after
) {
    std::vector<std::uint32_t> acknowledged(traffic.shape().objects);
    std::unordered_map<std::uint64_t, std::uint32_t> unsure;
    auto next_unsure = outcome.unsure.begin();
    for (std::uint64_t n = 0; n < outcome.operations; ++n) {
        const bool is_unsure = next_unsure != outcome.unsure.end() && *next_unsure == n;
        next_unsure += is_unsure ? 1 : 0;
        const Operation operation = traffic.at(n);
        if (!operation.is_get) {
            ++(is_unsure ? unsure[operation.object] : acknowledged[operation.object]);
        }
    }
    CheckResult result{.objects = objects.size()};
    for (std::size_t at = 0; at < objects.size(); ++at) {
        const std::uint64_t object = objects[at];
        const std::uint64_t sure = acknowledged[object];
        const auto perhaps = unsure.contains(object) ? unsure.at(object) : 0;
        const std::uint64_t least = std::max<std::uint64_t>(sure, before[at].number);
        const std::uint64_t most = before[at].number + sure + perhaps;
        const bool too_few = after[at].number < least && !after[at].at_least;
        if (too_few || (after[at].number > most && !before[at].at_least)) {
            result.differences.push_back(
                {.object = object, .least = least, .most = most, .counted = after[at].number}
            );
        } else if (least == most && !after[at].at_least) {
            ++result.exact;
        }
    }
    return result;
}

}  // namespace footfall::load
