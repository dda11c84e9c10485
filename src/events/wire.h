#pragma once

#include "foundation/varint.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// The wire format of Protocol Buffers, as far as we write it: each field is a number, made of the
/// field's tag and its kind, and then its value. So everybody's tools can read what is stored, and
/// later versions may add fields. Pure.
namespace footfall::events {

enum class WireKind : std::uint64_t { number = 0, bytes = 2 };

inline constexpr unsigned wire_kind_bits = 3;

constexpr std::uint64_t wire_key(std::uint64_t tag, WireKind kind) {
    return tag << wire_kind_bits | static_cast<std::uint64_t>(kind);
}

inline void append_number_field(std::uint64_t tag, std::uint64_t number, std::string& out) {
    append_varint(wire_key(tag, WireKind::number), out);
    append_varint(number, out);
}

inline void append_bytes_field(std::uint64_t tag, std::string_view bytes, std::string& out) {
    append_varint(wire_key(tag, WireKind::bytes), out);
    append_varint(bytes.size(), out);
    out.append(bytes);
}

/// A field whose bytes `write` appends to `out`, so that they need no place of their own before.
/// They move by a byte or two if they are not 128 to 16383.
template <class Write>
void append_written_field(std::uint64_t tag, std::string& out, const Write& write) {
    append_varint(wire_key(tag, WireKind::bytes), out);
    constexpr std::size_t usual_head = 2;
    const std::size_t start = out.size();
    out.append(usual_head, '\0');
    write();
    std::array<char, varint_bytes_max> head;
    const char* const end = put_varint(out.size() - start - usual_head, head.data());
    out.replace(start, usual_head, head.data(), static_cast<std::size_t>(end - head.data()));
}

/// An empty text is left out.
inline void append_text_field(std::uint64_t tag, std::string_view text, std::string& out) {
    if (!text.empty()) {
        append_bytes_field(tag, text, out);
    }
}

/// A field that was taken: its number, or its bytes.
struct WireField {
    std::uint64_t tag = 0;
    std::uint64_t number = 0;
    std::string_view bytes;
};

/// Takes a field off the front of `left`. False: it is damaged, or of a kind that we do not write.
inline bool take_field(std::string_view& left, WireField& field) {
    std::uint64_t key = 0;
    if (!take_varint(left, key) || !take_varint(left, field.number)) {
        return false;
    }
    field.tag = key >> wire_kind_bits;
    field.bytes = {};
    if (key == wire_key(field.tag, WireKind::bytes) && field.number <= left.size()) {
        field.bytes = left.substr(0, field.number);
        left.remove_prefix(field.number);
        return true;
    }
    return key == wire_key(field.tag, WireKind::number);
}

}  // namespace footfall::events
