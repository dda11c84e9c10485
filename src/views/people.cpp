#include "views/people.h"

#include <algorithm>
#include <utility>

namespace footfall::views {

using sketches::HashToken;
using sketches::Sketch;

bool People::add(std::uint64_t person) {
    if (many_) {
        return many_->add(person);
    }
    const HashToken token = sketches::token_of(person);
    const auto few = few_.all();
    const auto place = std::ranges::lower_bound(few, token);
    if (place != few.end() && *place == token) {
        return false;
    }
    if (few.size() == Sketch::tokens_max) {
        many_ = std::make_unique<Sketch>(sketch());
        few_.clear();
        return many_->add(person);
    }
    few_.insert(static_cast<std::size_t>(place - few.begin()), token);
    return true;
}

Sketch People::sketch() const {
    if (many_) {
        return many_->clone();
    }
    Sketch sketch;
    for (const HashToken token : few_.all()) {
        sketch.add(sketches::hash_of(token));
    }
    return sketch;
}

bool People::open() {
    if (!many_ || many_->is_open()) {
        return false;
    }
    many_->open();
    return true;
}

bool People::close() {
    if (!many_ || !many_->is_open()) {
        return false;
    }
    many_->close();
    return true;
}

std::size_t People::bytes() const {
    return many_ ? allocated_bytes(sizeof *many_) + allocated_bytes(many_->bytes()) : few_.bytes();
}

std::string People::written(std::uint16_t key) const {
    return many_ ? many_->written(key) : sketch().written(key);
}

Result<People> People::read(std::string_view bytes, std::uint16_t key) {
    TRY(Sketch sketch, Sketch::read(bytes, key));
    People people;
    if (const auto tokens = sketch.tokens()) {
        for (const HashToken token : *tokens) {
            people.few_.insert(people.few_.size(), token);
        }
    } else {
        people.many_ = std::make_unique<Sketch>(std::move(sketch));
    }
    return people;
}

}  // namespace footfall::views
