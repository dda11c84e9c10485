#include "events/event.h"
#include "identities/normalised.h"
#include "identities/profile_rows.h"
#include "segments/member_rows.h"
#include "segments/rule_rows.h"
#include "segments/rules_in_force.h"
#include "segments/segments.h"
#include "segments/segments_state.h"
#include "storage/blocking.h"

#include <algorithm>
#include <utility>

namespace footfall::segments {

Result<void> Segments::set_rule(
    std::string_view name, const segment_rules::Rule& rule, std::string_view author
) {
    TRY_VOID(state_->book.check_named(rule));
    TRY(const Segment segment, create(name));
    TRY_VOID(
        state_->book.put(segment, rule, std::string{events::cut_text(author, events::longest_id)})
    );
    return refresh_rules();
}

Result<bool> Segments::remove_rule(std::string_view name) {
    TRY_VOID(state_->catalogue.get(name));
    return state_->book.remove(name);
}

Result<std::optional<Segments::ShownRule>> Segments::rule_of(std::string_view name) {
    TRY(const auto segment, state_->catalogue.find(name));
    TRY(auto row, read_rule_of(*state_->store, name));
    if (!segment || !row || row->segment != segment->number) {
        return std::nullopt;
    }
    TRY(const Filled filled, read_filled(*state_->store));
    const auto since = filled.find(row->segment);
    return ShownRule{
        .json = std::move(row->text),
        .author = std::move(row->author),
        .since = row->since,
        .in_force = since != filled.end() && since->second == row->since
    };
}

Result<void> Segments::refresh_rules() {
    TRY(const auto rules, state_->book.now());
    return {};
}

const segment_events::TermsInForce& Segments::counted_terms() const {
    return state_->book.terms();
}

segment_events::Id Segments::known_as(segment_events::Id id) const {
    return identities::normalised(*state_->settling->guards(), std::move(id));
}

Result<void> Segments::note_did(std::span<const segment_events::Id> ids, storage::Batch& batch) {
    constexpr std::size_t ids_noted_at_once = 1000;
    storage::Batch before;
    storage::Batch& notes = state_->shared ? before : batch;
    const Instant now = state_->clock->now();
    for (std::size_t at = 0; at < ids.size(); at += ids_noted_at_once) {
        add_noted_ids(
            now,
            state_->next_token++,
            ids.subspan(at, std::min(ids_noted_at_once, ids.size() - at)),
            notes
        );
    }
    return before.empty() ? Result<void>{} : storage::write_durably(*state_->store, before);
}

void Segments::tell_did(std::span<const segment_events::Id> ids) {
    // A note of them may be as old as the longest write.
    state_->derivation.tell_ids(ids, state_->clock->now() - notes_settled);
}

void Segments::follow_log(intake::Intake& intake) {
    state_->derivation.follow_log(intake);
}

Result<std::vector<std::int64_t>> Segments::State::segments_of(
    std::span<const identities::Id> ids, std::span<const identities::Member> of_profile
) {
    const Instant now = clock->now();
    TRY(const auto memberships, read_memberships(*store, ids, now));
    std::vector<std::int64_t> segments;
    for (const auto& of_id : memberships) {
        for (const Membership& each : of_id) {
            segments.push_back(each.segment);
        }
    }
    std::ranges::sort(segments);
    segments.erase(std::ranges::unique(segments).begin(), segments.end());
    TRY(const auto rules, book.now());
    if (!rules->in_order.empty()) {
        TRY(const segment_events::HoldsUntil until,
            segment_events::read_holds_until(*store, ids, rules->terms));
        const PersonData data = data_of(of_profile, settling->data_rules());
        add_by_rules(
            *rules, nullptr, {.until = &until, .data = &data, .before = {}, .now = now}, segments
        );
    }
    return segments;
}

}  // namespace footfall::segments
