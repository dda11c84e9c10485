#include "sketches/sketch.h"

#include "foundation/check.h"
#include "sketches/coder.h"
#include "sketches/token_code.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

namespace footfall::sketches {
namespace {

constexpr unsigned char version = 1;
constexpr unsigned char tokens_form = 0;
constexpr unsigned char registers_form = 1;
constexpr unsigned char united_registers_form = 2;
/// Of the count of tokens: section 5 of the ExaLogLog paper, for 26 low bits and a hundred.
constexpr double token_error = 5.5e-5;

void append_number(std::uint64_t number, std::size_t bytes, std::string& out) {
    for (std::size_t at = 0; at < bytes; ++at) {
        out.push_back(static_cast<char>(number >> (8 * at) & 0xff));
    }
}

bool take_number(std::string_view& from, std::size_t bytes, std::uint64_t& number) {
    if (from.size() < bytes) {
        return false;
    }
    number = 0;
    for (std::size_t at = 0; at < bytes; ++at) {
        number |= std::uint64_t{static_cast<unsigned char>(from[at])} << (8 * at);
    }
    from.remove_prefix(bytes);
    return true;
}

void add_all(const std::vector<HashToken>& tokens, Registers& registers) {
    for (const HashToken token : tokens) {
        registers.add(hash_of(token));
    }
}

}  // namespace

bool Sketch::add(std::uint64_t hash) {
    if (Open* const registers = std::get_if<Open>(&state_)) {
        return (*registers)->add(hash);
    }
    if (Tokens* const tokens = std::get_if<Tokens>(&state_)) {
        return add_token(*tokens, token_of(hash));
    }
    auto& known = std::get<Closed>(state_);
    if (update_of(hash, usual_precision).value < known.lowest_open_value) {
        return false;
    }
    known.waiting.push_back(token_of(hash));
    if (known.waiting.size() >= waiting_max) {
        known = closed(opened(known));
    }
    return true;
}

/// Once there are too many, they become registers.
bool Sketch::add_token(Tokens& tokens, HashToken token) {
    const auto place = std::ranges::lower_bound(tokens, token);
    if (place != tokens.end() && *place == token) {
        return false;
    }
    tokens.insert(place, token);
    if (tokens.size() > tokens_max) {
        state_ = closed(registers());
    }
    return true;
}

void Sketch::unite(const Sketch& other) {
    if (const Tokens* const theirs = std::get_if<Tokens>(&other.state_)) {
        for (const HashToken token : *theirs) {
            add(hash_of(token));
        }
        united_ = united_ || (other.united_ && !theirs->empty());
        return;
    }
    const bool was_open = is_open();
    Registers all = registers();
    all.unite(other.registers());
    united_ = true;
    if (was_open) {
        *std::get<Open>(state_) = std::move(all);
    } else {
        state_ = closed(all);
    }
}

Estimate Sketch::people() const {
    if (const Tokens* const tokens = std::get_if<Tokens>(&state_)) {
        return {
            .count = most_likely(Likelihood::of_tokens(*tokens)),
            .error = tokens->size() > 1 ? token_error : 0
        };
    }
    const double registers_count = std::ldexp(1.0, usual_precision);
    const double error =
        (united_ ? likelihood_error : martingale_error) / std::sqrt(registers_count);
    if (const Closed* const known = std::get_if<Closed>(&state_)) {
        const bool settled = known->waiting.empty();
        return {.count = settled ? known->people : opened(*known).people(), .error = error};
    }
    return {.count = std::get<Open>(state_)->people(), .error = error};
}

Sketch Sketch::clone() const {
    Sketch same;
    same.united_ = united_;
    if (const Open* const registers = std::get_if<Open>(&state_)) {
        same.state_ = std::make_unique<Registers>(**registers);
    } else if (const Tokens* const tokens = std::get_if<Tokens>(&state_)) {
        same.state_ = *tokens;
    } else {
        same.state_ = std::get<Closed>(state_);
    }
    return same;
}

std::optional<std::span<const HashToken>> Sketch::tokens() const {
    if (const Tokens* const tokens = std::get_if<Tokens>(&state_)) {
        return *tokens;
    }
    return std::nullopt;
}

void Sketch::open() {
    if (std::holds_alternative<Closed>(state_)) {
        state_ = std::make_unique<Registers>(registers());
    }
}

void Sketch::close() {
    if (is_open()) {
        state_ = closed(*std::get<Open>(state_));
    }
}

std::size_t Sketch::bytes() const {
    if (const Tokens* const tokens = std::get_if<Tokens>(&state_)) {
        return tokens->capacity() * sizeof(HashToken);
    }
    if (const Closed* const known = std::get_if<Closed>(&state_)) {
        return known->registers.capacity() + known->waiting.capacity() * sizeof(HashToken);
    }
    return sizeof(Registers) + std::get<Open>(state_)->all().size_bytes();
}

std::string Sketch::written(std::uint16_t key) const {
    std::string bytes;
    const auto begin = [&](unsigned char form) {
        bytes.push_back(static_cast<char>(version << 4 | form));
        append_number(key, sizeof(key), bytes);
    };
    if (const Tokens* const tokens = std::get_if<Tokens>(&state_)) {
        begin(tokens_form);
        append_tokens(*tokens, bytes);
        return bytes;
    }
    begin(united_ ? united_registers_form : registers_form);
    const Registers all = registers();
    append_number(std::bit_cast<std::uint64_t>(all.people()), sizeof(double), bytes);
    append_registers(all.all(), all.people_a_register(), bytes);
    return bytes;
}

Result<Sketch> Sketch::read(std::string_view bytes, std::uint16_t key) {
    const auto corrupt = [] { return fail(ErrorKind::corrupt, "a sketch is damaged"); };
    std::uint64_t form = 0;
    std::uint64_t made_with = 0;
    if (!take_number(bytes, 1, form) || form >> 4 != version ||
        !take_number(bytes, sizeof(key), made_with)) {
        return corrupt();
    }
    if (made_with != key) {
        return fail(
            ErrorKind::invalid_input, "the sketch was made with another key: they cannot be united"
        );
    }
    form &= 0xf;
    Sketch read;
    if (form == tokens_form) {
        TRY(read.state_, read_tokens(bytes, tokens_max));
        return read;
    }
    std::uint64_t people = 0;
    if (form > united_registers_form || !take_number(bytes, sizeof(people), people)) {
        return corrupt();
    }
    const auto count = std::bit_cast<double>(people);
    if (!std::isfinite(count) || count < 0) {
        return corrupt();
    }
    TRY(Registers registers, Registers::read(bytes));
    registers.set_people(count);
    read.united_ = form == united_registers_form;
    read.state_ = closed(registers);
    return read;
}

Sketch::Closed Sketch::closed(const Registers& registers) {
    Closed closed{.people = registers.people(), .lowest_open_value = registers.lowest_open_value()};
    append_registers(registers.all(), registers.people_a_register(), closed.registers);
    closed.registers.shrink_to_fit();
    return closed;
}

Registers Sketch::opened(const Closed& closed) {
    Result<Registers> read = Registers::read(closed.registers);
    CHECK(read, "closed registers were packed here", read ? "" : read.error().message);
    read->set_people(closed.people);
    add_all(closed.waiting, *read);
    return *std::move(read);
}

Registers Sketch::registers() const {
    if (const Tokens* const tokens = std::get_if<Tokens>(&state_)) {
        Registers all;
        add_all(*tokens, all);
        all.set_people(most_likely(Likelihood::of_tokens(*tokens)));
        return all;
    }
    if (const Closed* const known = std::get_if<Closed>(&state_)) {
        return opened(*known);
    }
    return *std::get<Open>(state_);
}

}  // namespace footfall::sketches
