#pragma once

#include "foundation/result.h"
#include "foundation/siphash.h"
#include "series/glob.h"
#include "series/tag_query.h"
#include "timeseries/small_pieces.h"

#include <boost/intrusive/set.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::timeseries {

/// The number of a series: a keyed hash of its name, so whoever has the name has the number.
using SeriesId = std::uint64_t;

/// What stands at a place of the tree that names with dots are.
struct Node {
    std::string name;     ///< From the top down to here.
    bool leaf = false;    ///< A series without tags is called so.
    bool branch = false;  ///< There are longer names beneath.

    friend bool operator==(const Node&, const Node&) = default;
};

/// Which series there are, in memory: their names in order, and by number. Names are as
/// series::parse_name() gives them. A series is one piece of memory, with its name, so that finding
/// it is a look at one place beside that of a table of numbers; one with a name of 60 letters
/// takes 115 bytes in all. Not thread-safe.
class Catalogue {
public:
    explicit Catalogue(SipKey secret) : secret_{secret} {}

    Catalogue(Catalogue&&) noexcept = default;
    Catalogue(const Catalogue&) = delete;
    Catalogue& operator=(const Catalogue&) = delete;
    ~Catalogue();

    SeriesId id_of(std::string_view name) const { return siphash13(secret_, name); }

    enum class Standing { unknown, known, other };

    /// Whether the series is there; `other`: one of another name has its number, which happens once
    /// in 10^7 deployments of a million series.
    Standing standing(SeriesId id, std::string_view name) const;

    /// What a point needs to know of its series.
    struct Known {
        Standing standing = Standing::unknown;
        std::int32_t seen = 0;  ///< As seen() and noted(), if it is known.
        std::int32_t noted = 0;
    };

    /// All of it by one look.
    Known look_up(SeriesId id, std::string_view name) const;

    /// The day since 1970 on which it was said last that it has points; of a known series.
    std::int32_t seen(SeriesId id) const { return of(id).seen; }

    /// Absent: there is none of this number. Valid until one is removed.
    std::optional<std::string_view> name_of(SeriesId id) const;

    /// Adds the series, which is unknown, or sets its day.
    void see(SeriesId id, std::string_view name, std::int32_t day);

    /// The last hour since 1970 of which note() was told; of a known series.
    std::int32_t noted(SeriesId id) const { return of(id).noted; }

    /// This process has said that the series got points in that hour; of a known series.
    void note(SeriesId id, std::int32_t hour) { of(id).noted = hour; }

    void remove(SeriesId id);

    /// Removes those that were not seen since before their day, of which none is later than
    /// `newest`. Costs a look at each, and a call for those not seen since then.
    void remove_older(
        std::int32_t newest, const std::function<std::int32_t(std::string_view name)>& day_of
    );

    std::size_t size() const { return by_id_.size(); }

    /// The memory that all of it takes, as booked; a third more, at most, is had for series to
    /// come.
    std::size_t bytes() const { return bytes_; }

    /// What is had for entries, in use or not.
    std::size_t held_bytes() const { return pieces_->held_bytes(); }

    /// The same as bytes(), counted anew: costs what there are series.
    std::size_t recount() const;

    /// What a series more of this name takes.
    static std::size_t bytes_of(std::string_view name);

    /// What the pattern stands for, by name; series with tags are in no tree. `invalid_input` if it
    /// is more than `most`. Costs a look for every child of each part that is not plain.
    Result<std::vector<Node>> find(const series::Glob& pattern, std::size_t most) const;

    /// Where a look at names that is done bit by bit goes on: behind this name.
    struct Place {
        std::string after = {};
        bool done = false;
    };

    /// Calls `see(name)` with those of the next `most` names with tags, in order, that fit, and
    /// moves the place. There is no index of tags: it is a look at each of them, but at those of
    /// one name only where the query says which.
    template <class See>
    void each_tagged(const series::TagQuery& query, std::size_t most, Place& place, const See& see)
        const;

    /// Calls `see(name)` with the next `most` names, with and without tags, in order.
    template <class See>
    void each_name(std::size_t most, Place& place, const See& see) const;

    enum class Tagged { no, yes };

    /// The names with tags, or those without, from `from` on, in order; at most so many.
    std::vector<std::string> names_from(Tagged tagged, std::string_view from, std::size_t most)
        const;

private:
    using Hook = boost::intrusive::set_base_hook<
        boost::intrusive::optimize_size<true>,
        boost::intrusive::link_mode<boost::intrusive::normal_link>>;

    /// A series; its name stands right behind it.
    struct Entry : Hook {
        SeriesId id = 0;
        std::int32_t noted = 0;
        std::int32_t seen : 20 = 0;
        std::uint32_t name_bytes : 12 = 0;

        std::string_view name() const {
            return {reinterpret_cast<const char*>(this + 1), name_bytes};
        }
    };

    struct NameOf {
        using type = std::string_view;

        std::string_view operator()(const Entry& entry) const { return entry.name(); }
    };

    using ByName = boost::intrusive::set<Entry, boost::intrusive::key_of_value<NameOf>>;

    /// The piece of an entry; a type of its own, as numbers of series are looked for among these.
    struct Piece {
        SmallPieces::Ref ref = 0;
    };

    /// Numbers are random already.
    struct ById {
        using is_transparent = void;
        using is_avalanching = void;

        const SmallPieces* pieces;

        std::size_t operator()(SeriesId id) const { return id; }

        std::size_t operator()(Piece piece) const { return entry_at(*pieces, piece).id; }

        bool operator()(Piece one, Piece other) const { return one.ref == other.ref; }

        bool operator()(Piece piece, SeriesId id) const {
            return entry_at(*pieces, piece).id == id;
        }

        bool operator()(SeriesId id, Piece piece) const { return (*this)(piece, id); }
    };

    static Entry& entry_at(const SmallPieces& pieces, Piece piece) {
        return *static_cast<Entry*>(pieces.at(piece.ref));
    }

    Entry* find_entry(SeriesId id) const {
        const auto found = by_id_.find(id);
        return found == by_id_.end() ? nullptr : &entry_at(*pieces_, *found);
    }

    struct Walk;

    Entry& of(SeriesId id) const;
    void drop(Entry& entry);
    static Entry& make_entry(SmallPieces& pieces, Piece piece, std::string_view name);
    void pack_if_sparse();

    void walk(Walk& walk, std::size_t level, const std::string& above) const;
    void look(Walk& walk, std::size_t level, const std::string& name) const;
    std::vector<std::string> children(const std::string& above) const;

    ByName& names_like(std::string_view name);

    SipKey secret_;
    ByName tree_;    ///< Those without tags.
    ByName tagged_;  ///< Those with tags, which are in no tree.
    /// Of entries; where it is does not change.
    std::unique_ptr<SmallPieces> pieces_ = std::make_unique<SmallPieces>();
    boost::unordered_flat_set<Piece, ById, ById> by_id_{
        0, ById{pieces_.get()}, ById{pieces_.get()}
    };
    std::size_t bytes_ = 0;
};

template <class See>
void Catalogue::each_tagged(
    const series::TagQuery& query, std::size_t most, Place& place, const See& see
) const {
    const std::string* const name = query.name();
    const std::string beginning = name == nullptr ? std::string{} : *name + ';';
    auto at =
        place.after.empty() ? tagged_.lower_bound(beginning) : tagged_.upper_bound(place.after);
    for (; most > 0 && at != tagged_.end() && at->name().starts_with(beginning); ++at, --most) {
        if (query.matches(at->name())) {
            see(at->name());
        }
        if (most == 1) {
            place.after = at->name();
        }
    }
    place.done = at == tagged_.end() || !at->name().starts_with(beginning);
}

template <class See>
void Catalogue::each_name(std::size_t most, Place& place, const See& see) const {
    auto plain = tree_.upper_bound(place.after);
    auto tagged = tagged_.upper_bound(place.after);
    for (; most > 0 && (plain != tree_.end() || tagged != tagged_.end()); --most) {
        const bool is_plain =
            tagged == tagged_.end() || (plain != tree_.end() && plain->name() < tagged->name());
        const std::string_view name = is_plain ? plain++->name() : tagged++->name();
        see(name);
        if (most == 1) {
            place.after = name;
        }
    }
    place.done = plain == tree_.end() && tagged == tagged_.end();
}

}  // namespace footfall::timeseries
