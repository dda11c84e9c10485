// Any bytes as CSV or TSV. Properties: the answer does not depend on how the bytes are cut into
// chunks, and records that were read, written again with every field in quotes, read the same.
#include "foundation/check.h"
#include "records/delimited_record.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace footfall;
using namespace footfall::records;

struct Answer {
    std::vector<std::vector<std::string>> records;
    std::string rejections;

    bool operator==(const Answer&) const = default;
};

Answer read(const std::string& bytes, std::size_t chunk_size, DelimitedOptions options) {
    const auto source = bytes_in_memory("fuzz", bytes, chunk_size);
    DelimitedReader reader{*source, options};
    Answer answer;
    std::uint64_t last_line = 0;
    for (;;) {
        const auto record = reader.next().value();
        if (!record) {
            return answer;
        }
        CHECK(record->line > last_line, "records are in the order of the file", last_line);
        last_line = record->line;
        if (record->rejected.empty()) {
            CHECK(!record->fields.empty(), "a record has a field");
            answer.records.emplace_back(record->fields.begin(), record->fields.end());
        } else {
            answer.rejections += std::to_string(last_line).append(record->rejected);
        }
    }
}

std::string quoted(const std::vector<std::vector<std::string>>& records, char delimiter) {
    std::string text;
    for (const auto& record : records) {
        for (std::size_t at = 0; at < record.size(); ++at) {
            text += at == 0 ? "\"" : std::string{delimiter, '"'};
            for (const char byte : record[at]) {
                text += byte;
                text.append(byte == '"' ? 1 : 0, '"');
            }
            text += '"';
        }
        text += '\n';
    }
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const std::string bytes{reinterpret_cast<const char*>(data) + 2, size - 2};
    constexpr std::string_view delimiters = ",\t;| ";
    DelimitedOptions options{
        .delimiter = delimiters[data[0] % delimiters.size()],
        .quoting = (data[0] & 0x80) != 0 ? Quoting::none : Quoting::rfc4180,
        .record_bytes_max = (data[0] & 0x40) != 0 ? 16U : std::size_t{1} << 20
    };
    const auto whole = read(bytes, size, options);
    CHECK(whole == read(bytes, 1U + data[1] % 16, options), "chunks change the answer");
    options.quoting = Quoting::rfc4180;
    options.record_bytes_max = std::size_t{1} << 20;
    const auto again = read(quoted(whole.records, options.delimiter), size, options);
    CHECK(again.rejections.empty(), "what was written is refused", again.rejections);
    CHECK(again.records == whole.records, "a record changes when written and read again");
    return 0;
}
