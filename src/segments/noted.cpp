#include "segments/noted.h"

#include <algorithm>
#include <utility>

namespace footfall::segments {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// How far back new notes are looked for: clocks differ, and writes take a moment.
constexpr seconds window{4};
constexpr milliseconds look_again_after{1500};
constexpr milliseconds poll_period{200};
/// Of those that are new: most of them were seen already. One has a thousand ids at most.
constexpr std::size_t notes_a_page = 32;
constexpr std::array<seconds, 2> delays{seconds{15}, notes_settled};
/// Of the walks behind: nobody waits for what is late already, and each costs a read of a cluster.
constexpr seconds late_period{1};

Instant end_of_bucket(Instant at) {
    return Instant{(identities::note_bucket_of(at) + 1) * identities::notes_bucket};
}

}  // namespace

/// A page that was begun is ended as far as it was meant: its continuation is of that query.
Result<std::vector<identities::TimedNote>> NotesWalk::next(Instant through, std::size_t most) {
    std::vector<identities::TimedNote> notes;
    while (at_ <= through && notes.size() < most) {
        if (continuation_.empty()) {
            walked_through_ = std::min(through, end_of_bucket(at_) - microseconds{1});
        }
        TRY(identities::NotesPage page,
            identities::read_timed_notes(
                *store_, *table_, at_, walked_through_, most - notes.size(), continuation_
            ));
        if (!page.notes.empty()) {
            reached_ = page.notes.back().at;
        }
        std::ranges::move(page.notes, std::back_inserter(notes));
        continuation_ = std::move(page.continuation);
        if (continuation_.empty()) {
            at_ = walked_through_ + microseconds{1};
        }
    }
    return notes;
}

void NotesFollowed::follow_from(Instant from, Instant now) {
    if (catching_up_ && catching_up_->walk.reached() < from) {
        catching_up_->until = std::max(catching_up_->until, now);
        return;
    }
    catching_up_.emplace(CatchingUp{.walk = {*store_, *table_, from}, .until = now});
    if (shared_ && late_.empty()) {
        for (const seconds delay : delays) {
            late_.emplace_back(*store_, *table_, now - delay);
        }
    }
}

/// What was found is answered also where a later walk fails: it would not be found again.
Result<std::vector<std::string>> NotesFollowed::next(Instant now, std::size_t most) {
    std::vector<std::string> found;
    const Result<void> walked = walk(now, most, found);
    if (!walked && found.empty()) {
        return std::unexpected(walked.error());
    }
    return found;
}

Result<void> NotesFollowed::walk(Instant now, std::size_t most, std::vector<std::string>& found) {
    const auto take = [&](std::vector<identities::TimedNote>&& notes) {
        for (identities::TimedNote& each : notes) {
            found.push_back(std::move(each.what));
        }
    };
    if (shared_) {
        TRY_VOID(poll(now, most));
        while (!due_.empty() && found.size() < most) {
            found.push_back(std::move(due_.front()));
            due_.pop_front();
        }
    }
    if (found.size() < most && catching_up_) {
        TRY(auto notes, catching_up_->walk.next(catching_up_->until, most - found.size()));
        if (notes.empty()) {
            catching_up_.reset();
        }
        take(std::move(notes));
    }
    if (now - late_walked_ < late_period && now >= late_walked_) {
        return {};
    }
    for (std::size_t at = 0; at < late_.size() && found.size() < most; ++at) {
        TRY(auto notes, late_[at].next(now - delays.at(at), most - found.size()));
        take(std::move(notes));
    }
    if (found.size() < most) {
        late_walked_ = now;
    }
    return {};
}

/// Notes that are new, and those whose time has come to be looked at again. A walk that took long
/// is followed by one that goes back further: notes that came behind it are in that.
Result<void> NotesFollowed::poll(Instant now, std::size_t most) {
    if (!polling_) {
        if (now - polled_ < poll_period && now >= polled_) {
            return {};
        }
        const Instant oldest = now - window - std::min<Instant::duration>(poll_took_, delays[0]);
        std::erase_if(seen_, [&](const auto& each) { return each.second.at < oldest; });
        polling_.emplace(Polling{.walk = {*store_, *table_, oldest}, .begun = now});
    }
    while (due_.size() < most) {
        TRY(auto notes, polling_->walk.next(polling_->begun + window, notes_a_page));
        if (notes.empty()) {
            poll_took_ = std::max(Instant::duration{}, now - polling_->begun);
            polled_ = now;
            polling_.reset();
            break;
        }
        for (identities::TimedNote& each : notes) {
            const auto [seen, is_new] =
                seen_.try_emplace(each.token, Seen{.at = each.at, .again = now + look_again_after});
            std::optional<Instant>& again = seen->second.again;
            if (!is_new && (!again || *again > now)) {
                continue;
            }
            if (!is_new) {
                again.reset();
            }
            due_.push_back(std::move(each.what));
        }
    }
    return {};
}

Instant NotesFollowed::answered_until(Instant now) const {
    Instant until = now - notes_settled;
    if (catching_up_) {
        until = std::min(until, catching_up_->walk.at());
    }
    for (const NotesWalk& each : late_) {
        until = std::min(until, each.at());
    }
    return until;
}

}  // namespace footfall::segments
