#pragma once

#include "foundation/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What servers with S3's interface answer, in XML (AWS, "Amazon S3 API reference"). It comes from
/// outside: whatever it is, the answer is a value or `corrupt`. By expat. Pure.
namespace footfall::backup::s3 {

/// A page of names.
struct Page {
    struct File {
        std::string key;
        std::uint64_t size = 0;

        friend bool operator==(const File&, const File&) = default;
    };

    std::vector<File> files;
    std::vector<std::string> folders;  ///< Prefixes, each with a slash at its end.
    std::string next;                  ///< Where the next page begins; "": this is the last.
};

/// An answer of ListObjectsV2.
Result<Page> page_of(std::string_view xml);

/// The id in an answer of CreateMultipartUpload.
Result<std::string> upload_of(std::string_view xml);

/// Success if an answer of CompleteMultipartUpload says that it was done: its status is 200 when it
/// failed, too.
Result<void> completed(std::string_view xml);

/// "AccessDenied: Access Denied", or "" where an answer is no error that can be read.
std::string error_text(std::string_view xml);

}  // namespace footfall::backup::s3
