#include "sketches/sketch.h"

#include "foundation/check.h"
#include "foundation/crc32c.h"
#include "sketches/coder.h"
#include "sketches/standard_error.h"
#include "sketches/token_code.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace footfall::sketches {
namespace {

constexpr unsigned char version = 3;
constexpr unsigned char tokens_form = 0;
constexpr unsigned char registers_form = 1;
constexpr unsigned char united_registers_form = 2;

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

/// For so many tokens: what fills the allocator's pieces, of 24 bytes and from there in steps
/// of 16.
std::size_t room_for(std::size_t tokens) {
    constexpr std::size_t smallest = 6;
    constexpr std::size_t step = 4;
    return tokens <= smallest ? smallest : smallest + (tokens - smallest + step - 1) / step * step;
}

Registers registers_of(std::span<const HashToken> tokens) {
    Registers registers;
    for (const HashToken token : tokens) {
        registers.add(hash_of(token));
    }
    registers.set_people(most_likely(Likelihood::of_tokens(tokens)));
    return registers;
}

}  // namespace

static_assert(sizeof(Sketch) == 16);

Sketch::Sketch(Sketch&& other) noexcept {
    *this = std::move(other);
}

Sketch& Sketch::operator=(Sketch&& other) noexcept {
    std::swap(form_, other.form_);
    std::swap(tokens_count_, other.tokens_count_);
    std::swap(united_, other.united_);
    std::swap(words_, other.words_);
    return *this;
}

Sketch::~Sketch() {
    clear();
}

bool Sketch::add(std::uint64_t hash) {
    if (has_tokens()) {
        return add_token(token_of(hash));
    }
    if (is_open()) {
        return opened().add(hash);
    }
    ClosedRegisters::Owner known{&closed()};
    const bool added = ClosedRegisters::add(known, hash);
    if (known->is_full()) {
        known = ClosedRegisters::make(known->registers());
    }
    set_heap(Form::closed, known.release());
    return added;
}

/// Once there are too many, they become registers.
bool Sketch::add_token(HashToken token) {
    const std::span<const HashToken> known = known_tokens();
    const auto place = std::ranges::lower_bound(known, token);
    if (place != known.end() && *place == token) {
        return false;
    }
    const auto index = place - known.begin();
    const bool fits = form_ == Form::tokens && known.size() < tokens_max &&
                      room_for(known.size() + 1) == room_for(known.size());
    if (fits) {
        auto* const array = static_cast<HashToken*>(heap());
        std::copy_backward(array + index, array + known.size(), array + known.size() + 1);
        array[index] = token;
        ++tokens_count_;
        return true;
    }
    std::array<HashToken, tokens_max + 1> all{};
    const auto next = std::copy(known.begin(), place, all.begin());
    *next = token;
    std::copy(place, known.end(), next + 1);
    set_tokens(std::span{all}.first(known.size() + 1));
    return true;
}

std::span<const HashToken> Sketch::known_tokens() const {
    const HashToken* const first =
        form_ == Form::few ? words_.data() : static_cast<const HashToken*>(heap());
    return {first, tokens_count_};
}

/// In order, all different; none of ours.
void Sketch::set_tokens(std::span<const HashToken> tokens) {
    if (tokens.size() > tokens_max) {
        set_closed(ClosedRegisters::make(registers_of(tokens)));
        return;
    }
    HashToken* into = words_.data();
    if (tokens.size() <= few_max) {
        clear();
    } else {
        into = new HashToken[room_for(tokens.size())];
        clear();
        set_heap(Form::tokens, into);
    }
    std::ranges::copy(tokens, into);
    tokens_count_ = static_cast<std::uint8_t>(tokens.size());
}

void Sketch::unite(const Sketch& other) {
    if (other.has_tokens()) {
        unite_tokens(other.known_tokens());
        united_ = united_ || (other.united_ && other.tokens_count_ > 0);
        return;
    }
    if (has_tokens()) {
        set_open(registers_of(known_tokens()));
    }
    open();
    if (other.is_open()) {
        opened().unite(other.opened().all());
    } else {
        opened().unite(other.closed().registers());
    }
    united_ = true;
}

void Sketch::unite_tokens(std::span<const HashToken> theirs) {
    if (!has_tokens()) {
        for (const HashToken token : theirs) {
            add(hash_of(token));
        }
        return;
    }
    std::vector<HashToken> both;
    std::ranges::set_union(known_tokens(), theirs, std::back_inserter(both));
    if (both.size() > tokens_max) {
        set_open(registers_of(both));
    } else {
        set_tokens(both);
    }
}

Estimate Sketch::people() const {
    if (has_tokens()) {
        return {
            .count = most_likely(Likelihood::of_tokens(known_tokens())),
            .error = token_error(tokens_count_)
        };
    }
    double count = 0;
    if (is_open()) {
        count = opened().all().people();
    } else {
        count = closed().waiting().empty() ? closed().people() : closed().registers().people();
    }
    return {
        .count = count,
        .error = united_ ? likelihood_error(count) : martingale_error(count, tokens_max)
    };
}

Registers Sketch::registers() const {
    if (has_tokens()) {
        return registers_of(known_tokens());
    }
    return is_open() ? opened().all() : closed().registers();
}

double Sketch::people_at_most() const {
    if (has_tokens()) {
        return people().count;
    }
    // What one of those that wait can add is the inverse of the chance that a newcomer changes
    // something: below 1.2 to begin with, and below a 1,500th of all later.
    constexpr double growth = 1.05;
    const double base = is_open() ? opened().base().people() : closed().people();
    return base * growth + waiting_max;
}

Sketch Sketch::clone() const {
    Sketch same;
    if (has_tokens()) {
        same.set_tokens(known_tokens());
    } else if (is_open()) {
        same.set_open(std::make_unique<OpenRegisters>(opened()));
    } else {
        same.set_closed(closed().clone());
    }
    same.united_ = united_;
    return same;
}

std::optional<std::span<const HashToken>> Sketch::tokens() const {
    return has_tokens() ? std::optional{known_tokens()} : std::nullopt;
}

void Sketch::open() {
    if (form_ == Form::closed) {
        set_open(std::make_unique<OpenRegisters>(closed().without_waiting(), closed().waiting()));
    }
}

void Sketch::close() {
    if (is_open()) {
        set_closed(opened().close());
    }
}

std::size_t Sketch::bytes() const {
    switch (form_) {
        case Form::few:
            return 0;
        case Form::tokens:
            return room_for(tokens_count_) * sizeof(HashToken);
        case Form::closed:
            return closed().bytes();
        case Form::open:
            return opened().bytes();
    }
    return 0;
}

std::string Sketch::written(std::uint16_t key) const {
    std::string bytes;
    const auto begin = [&](unsigned char form) {
        bytes.push_back(static_cast<char>(version << 4 | form));
        append_number(key, sizeof(key), bytes);
    };
    if (has_tokens()) {
        begin(tokens_form);
        append_tokens(known_tokens(), bytes);
        return bytes;
    }
    begin(united_ ? united_registers_form : registers_form);
    const ClosedRegisters::Owner packed = is_open() ? opened().close() : nullptr;
    const ClosedRegisters& closed = packed ? *packed : this->closed();
    append_number(std::bit_cast<std::uint64_t>(closed.people()), sizeof(double), bytes);
    append_number(closed.lowest_open_value(), 1, bytes);
    append_number(closed.waiting().size(), 1, bytes);
    for (const HashToken token : closed.waiting()) {
        append_number(token, sizeof(token), bytes);
    }
    bytes.append(closed.packed());
    append_number(crc32c(bytes), sizeof(std::uint32_t), bytes);
    return bytes;
}

Result<Sketch> Sketch::read(std::string_view bytes, std::uint16_t key, Kept registers) {
    const auto corrupt = [] { return fail(ErrorKind::corrupt, "a sketch is damaged"); };
    std::string_view whole = bytes;
    std::uint64_t form = 0;
    std::uint64_t made_with = 0;
    if (!take_number(bytes, 1, form) || !take_number(bytes, sizeof(key), made_with)) {
        return corrupt();
    }
    if (form >> 4 != version) {
        return fail(
            ErrorKind::corrupt,
            "a sketch is damaged, or of another version of footfall: of format " +
                std::to_string(form >> 4) + ", this one reads " + std::to_string(version)
        );
    }
    if (made_with != key) {
        return fail(
            ErrorKind::invalid_input, "the sketch was made with another key: they cannot be united"
        );
    }
    form &= 0xf;
    Sketch read;
    if (form == tokens_form) {
        TRY(const std::vector<HashToken> tokens, read_tokens(bytes, tokens_max));
        read.set_tokens(tokens);
        return read;
    }
    if (form > united_registers_form || whole.size() < sizeof(std::uint32_t)) {
        return corrupt();
    }
    std::uint64_t sum = 0;
    std::string_view sum_bytes = whole.substr(whole.size() - sizeof(std::uint32_t));
    whole.remove_suffix(sizeof(std::uint32_t));
    if (!take_number(sum_bytes, sizeof(std::uint32_t), sum) || sum != crc32c(whole)) {
        return corrupt();
    }
    bytes.remove_suffix(sizeof(std::uint32_t));
    TRY(read, read_registers(bytes, registers));
    read.united_ = form == united_registers_form;
    return read;
}

/// Of what stands between the key and the checksum, which is right.
Result<Sketch> Sketch::read_registers(std::string_view bytes, Kept registers) {
    const auto corrupt = [] { return fail(ErrorKind::corrupt, "a sketch is damaged"); };
    std::uint64_t people = 0;
    std::uint64_t lowest = 0;
    std::uint64_t waits = 0;
    if (!take_number(bytes, sizeof(people), people) || !take_number(bytes, 1, lowest) ||
        !take_number(bytes, 1, waits) || waits >= waiting_max) {
        return corrupt();
    }
    const auto count = std::bit_cast<double>(people);
    if (!std::isfinite(count) || count < 0) {
        return corrupt();
    }
    std::array<HashToken, waiting_max> waiting{};
    for (std::size_t at = 0; at < waits; ++at) {
        std::uint64_t token = 0;
        if (!take_number(bytes, sizeof(HashToken), token)) {
            return corrupt();
        }
        waiting[at] = static_cast<HashToken>(token);
    }
    const std::span<const HashToken> wait = std::span{waiting}.first(waits);
    Sketch read;
    if (registers == Kept::open) {
        TRY(Registers base, Registers::read(bytes));
        base.set_people(count);
        read.set_open(std::make_unique<OpenRegisters>(std::move(base), wait));
    } else {
        read.set_closed(ClosedRegisters::make(
            {.packed = bytes,
             .people = count,
             .lowest_open_value = static_cast<unsigned>(lowest),
             .waiting = wait}
        ));
    }
    return read;
}

void Sketch::set_closed(ClosedRegisters::Owner closed) {
    clear();
    set_heap(Form::closed, closed.release());
}

void Sketch::set_open(Registers registers) {
    set_open(std::make_unique<OpenRegisters>(std::move(registers)));
}

void Sketch::set_open(std::unique_ptr<OpenRegisters> open) {
    clear();
    set_heap(Form::open, open.release());
}

void* Sketch::heap() const {
    return std::bit_cast<void*>(std::array{words_[1], words_[2]});
}

void Sketch::set_heap(Form form, void* heap) {
    const auto words = std::bit_cast<std::array<HashToken, 2>>(heap);
    form_ = form;
    words_ = {0, words[0], words[1]};
}

/// Forgets whom it has seen, but not that it was united.
void Sketch::clear() {
    switch (form_) {
        case Form::few:
            break;
        case Form::tokens:
            delete[] static_cast<HashToken*>(heap());
            break;
        case Form::closed:
            ClosedRegisters::Delete{}(&closed());
            break;
        case Form::open:
            delete &opened();
            break;
    }
    form_ = Form::few;
    tokens_count_ = 0;
}

}  // namespace footfall::sketches
