#include "reading/all_readers.h"

#include "reading/pasts.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace footfall::reading {

Result<AllReaders> all_readers(
    Readership& readership, const people::Sharers& sharers, const std::string& url
) {
    Pasts pasts;
    for (auto& each : sharers.pasts()) {
        pasts.add(std::move(each));
    }
    pasts.sort();
    AllReaders all;
    const auto take = [&](std::size_t /*at*/, std::span<const Readership::ReaderAt> readers) {
        for (const Readership::ReaderAt& each : readers) {
            all.ids.push_back(each.reader);
        }
    };
    TRY_VOID(readership.latest_reads({&url, 1}, {.pasts = &pasts}, take, &all.provisional));
    std::ranges::sort(all.ids);
    return all;
}

}  // namespace footfall::reading
