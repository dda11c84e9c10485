#include "events/identifier_code.h"

#include "events/wire.h"

#include <array>

namespace footfall::events {
namespace {

struct StoredIdentifier {
    std::uint64_t tag;
    std::string Identifier::* text;
};

constexpr std::array stored_identifiers{
    StoredIdentifier{1, &Identifier::identifier},
    StoredIdentifier{2, &Identifier::id_name},
    StoredIdentifier{3, &Identifier::id_value},
};

}  // namespace

void append_identifier(std::uint64_t tag, const Identifier& identifier, std::string& out) {
    append_written_field(tag, out, [&] {
        for (const StoredIdentifier& field : stored_identifiers) {
            append_text_field(field.tag, identifier.*field.text, out);
        }
    });
}

bool read_identifier(std::string_view bytes, Identifier& identifier) {
    WireField field;
    while (!bytes.empty()) {
        if (!take_field(bytes, field)) {
            return false;
        }
        for (const StoredIdentifier& known : stored_identifiers) {
            if (known.tag == field.tag) {
                identifier.*known.text = field.bytes;
            }
        }
    }
    return true;
}

}  // namespace footfall::events
