#include "people/read_seals.h"

#include "ciphers/ciphers.h"
#include "foundation/check.h"
#include "foundation/secret_random.h"
#include "foundation/varint.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace footfall::people {
namespace {

/// A seal as it is stored: the day (a varint, zigzag), the nonce, the name, and what is sealed.
struct Parts {
    UtcDay day = 0;
    ciphers::Nonce nonce{};
    ciphers::Block name{};
    std::string_view sealed;
};

std::optional<Parts> parts_of(std::string_view seal) {
    Parts parts;
    std::uint64_t day = 0;
    if (!take_varint(seal, day) || seal.size() < parts.nonce.size() + parts.name.size()) {
        return std::nullopt;
    }
    parts.day = static_cast<UtcDay>(from_zigzag(day));
    std::memcpy(parts.nonce.data(), seal.data(), parts.nonce.size());
    seal.remove_prefix(parts.nonce.size());
    std::memcpy(parts.name.data(), seal.data(), parts.name.size());
    parts.sealed = seal.substr(parts.name.size());
    return parts;
}

/// A name is the reader's number with a part of the nonce behind it, so that no name comes twice,
/// and one under another key is known to be so.
ciphers::Block name_of(std::uint64_t reader, const ciphers::Nonce& nonce) {
    ciphers::Block name;
    std::memcpy(name.data(), &reader, sizeof(reader));
    std::memcpy(name.data() + sizeof(reader), nonce.data(), name.size() - sizeof(reader));
    return name;
}

std::optional<std::uint64_t> reader_named(const Parts& parts, const DayKey& day) {
    const ciphers::Block name = ciphers::decrypt(day.names, parts.name);
    std::uint64_t reader = 0;
    std::memcpy(&reader, name.data(), sizeof(reader));
    return name == name_of(reader, parts.nonce) ? std::optional{reader} : std::nullopt;
}

/// The reader's key under that of the day, in two blocks that differ in a bit.
ciphers::Key key_of(const ReaderKey& reader, const DayKey& day) {
    ciphers::Key blocks;
    std::memcpy(blocks.data(), reader.data(), reader.size());
    std::memcpy(blocks.data() + reader.size(), reader.data(), reader.size());
    blocks.back() ^= 1;
    return ciphers::encrypt(day.seals, blocks);
}

/// Nonces of a thread: the system is asked for many at once.
ciphers::Nonce next_nonce() {
    constexpr std::size_t at_once = 64;
    thread_local std::array<ciphers::Nonce, at_once> nonces;
    thread_local std::size_t used = at_once;
    if (used == at_once) {
        const Result<void> drawn = draw_secret(std::as_writable_bytes(std::span{nonces}));
        CHECK(drawn, "the system gives no random bytes, so nothing can be sealed");
        used = 0;
    }
    return nonces[used++];
}

/// In place of a read's object.
constexpr std::string_view beside_text = "reads that are told again";

void append_seal(
    const Reader& reader,
    UtcDay day,
    const DayKey& day_key,
    std::string_view beside,
    std::string_view text,
    std::string& seal
) {
    const ciphers::Nonce nonce = next_nonce();
    const ciphers::Block name = ciphers::encrypt(day_key.names, name_of(reader.number, nonce));
    append_varint(zigzag(day), seal);
    seal.append(reinterpret_cast<const char*>(nonce.data()), nonce.size());
    seal.append(reinterpret_cast<const char*>(name.data()), name.size());
    ciphers::append_sealed(key_of(reader.key, day_key), nonce, beside, text, seal);
}

/// It was found in what is stripped.
void forget_evidence(events::Verdict& verdict) {
    if (verdict.refusal) {
        verdict.refusal->evidence.clear();
    }
    for (events::Objection& each : verdict.shadow) {
        each.evidence.clear();
    }
    verdict.remarks.clear();
}

}  // namespace

void ReadSeals::seal(events::JudgedEvent& judged) const {
    if (!judged.read || !judged.read->reader) {
        return;
    }
    const UtcDay day = utc_day_of(judged.event.time);
    const auto day_key = days_->find(day);
    const auto known = sharers_->numbered(*judged.read->reader);
    if (day_key == nullptr || !known) {
        judged.read->reader.reset();
        judged.read->seal.clear();
        events::strip(judged.event);
        forget_evidence(judged.verdict);
        return;
    }
    thread_local std::string hidden;
    hidden.clear();
    events::append_hidden(judged, hidden);
    judged.read->seal.clear();
    append_seal(known->reader, day, *day_key, judged.event.object, hidden, judged.read->seal);
}

std::optional<std::string> ReadSeals::seal_text(
    const Reader& reader, UtcDay day, std::string_view text
) const {
    const auto day_key = days_->find(day);
    if (day_key == nullptr) {
        return std::nullopt;
    }
    std::string seal;
    append_seal(reader, day, *day_key, beside_text, text, seal);
    return seal;
}

std::optional<ReadSeals::Text> ReadSeals::open_text(std::string_view seal) const {
    const auto parts = parts_of(seal);
    const auto day = parts ? days_->find(parts->day) : nullptr;
    const auto number = parts && day != nullptr ? reader_named(*parts, *day) : std::nullopt;
    const auto known = number ? sharers_->numbered(*number) : std::nullopt;
    if (!parts || !known) {
        return std::nullopt;
    }
    const ciphers::Key key = key_of(known->reader.key, *day);
    auto text = ciphers::open(key, parts->nonce, beside_text, parts->sealed);
    return text ? std::optional{Text{.reader = *number, .text = *std::move(text)}} : std::nullopt;
}

std::optional<std::uint64_t> ReadSeals::reader_of(const events::JudgedEvent& judged) const {
    const auto parts = judged.read ? parts_of(judged.read->seal) : std::nullopt;
    const auto day = parts ? days_->find(parts->day) : nullptr;
    return parts && day != nullptr ? reader_named(*parts, *day) : std::nullopt;
}

/// Whether who read it then has taken it back since.
bool ReadSeals::is_taken_back(Sharers::Id id, const events::Event& event) const {
    const auto past = sharers_->past_of(id);
    if (past == nullptr) {
        return false;
    }
    const auto at = std::ranges::find(past->before, id) - past->before.begin();
    return std::ranges::any_of(
        past->formers.begin() + at,
        past->formers.end(),
        [&](const FormerReader& each) { return hides(each, event.object, event.time); }
    );
}

bool ReadSeals::open(events::JudgedEvent& judged) const {
    const auto parts = judged.read ? parts_of(judged.read->seal) : std::nullopt;
    const auto day = parts ? days_->find(parts->day) : nullptr;
    const auto number = parts && day != nullptr ? reader_named(*parts, *day) : std::nullopt;
    const auto known = number ? sharers_->numbered(*number) : std::nullopt;
    if (!judged.read || !parts || !known || is_taken_back(known->id, judged.event)) {
        return false;
    }
    const ciphers::Key key = key_of(known->reader.key, *day);
    const auto hidden = ciphers::open(key, parts->nonce, judged.event.object, parts->sealed);
    if (!hidden || !events::add_hidden(*hidden, judged)) {
        return false;
    }
    judged.read->reader = number;
    judged.read->salt = salt_;
    return true;
}

}  // namespace footfall::people
