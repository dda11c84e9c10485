#include "backup/s3_answers.h"

#include "foundation/check.h"
#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <expat.h>
#include <functional>
#include <memory>
#include <utility>

namespace footfall::backup::s3 {
namespace {

/// Calls `take(path, text)` at the end of each element: "ListBucketResult/Contents/Key".
class Elements {
public:
    using Take = std::function<void(std::string_view path, const std::string& text)>;

    static Result<void> read(std::string_view xml, Take take) {
        Elements elements{std::move(take)};
        const std::unique_ptr<std::remove_pointer_t<XML_Parser>, void (*)(XML_Parser)> parser{
            XML_ParserCreate("UTF-8"), XML_ParserFree
        };
        CHECK(parser != nullptr, "memory for a parser");
        elements.parser_ = parser.get();
        XML_SetUserData(parser.get(), &elements);
        XML_SetElementHandler(parser.get(), &Elements::begin, &Elements::end);
        XML_SetCharacterDataHandler(parser.get(), &Elements::text);
        XML_SetStartDoctypeDeclHandler(parser.get(), &Elements::doctype);
        if (xml.size() > xml_bytes_max ||
            XML_Parse(parser.get(), xml.data(), static_cast<int>(xml.size()), 1) != XML_STATUS_OK) {
            return fail(ErrorKind::corrupt, "the server's answer is no XML");
        }
        return {};
    }

private:
    static constexpr std::size_t xml_bytes_max = 64 << 20;
    static constexpr std::size_t path_bytes_max = 256;

    explicit Elements(Take take) : take_{std::move(take)} {}

    static void begin(void* with, const XML_Char* name, const XML_Char** /*attributes*/) {
        auto& self = *static_cast<Elements*>(with);
        self.path_ += self.path_.empty() ? "" : "/";
        self.path_ += name;
        self.text_.clear();
        if (self.path_.size() > path_bytes_max) {
            XML_StopParser(self.parser_, XML_FALSE);
        }
    }

    static void end(void* with, const XML_Char* /*name*/) {
        auto& self = *static_cast<Elements*>(with);
        self.take_(self.path_, self.text_);
        const std::size_t slash = self.path_.rfind('/');
        self.path_.resize(slash == std::string::npos ? 0 : slash);
        self.text_.clear();
    }

    static void text(void* with, const XML_Char* text, int length) {
        static_cast<Elements*>(with)->text_.append(text, static_cast<std::size_t>(length));
    }

    /// None of these answers has one, and it could define what grows without bounds.
    static void doctype(void* with, const XML_Char*, const XML_Char*, const XML_Char*, int) {
        XML_StopParser(static_cast<Elements*>(with)->parser_, XML_FALSE);
    }

    const Take take_;
    XML_Parser parser_ = nullptr;
    std::string path_;
    std::string text_;
};

}  // namespace

Result<Page> page_of(std::string_view xml) {
    Page page;
    Page::File file;
    bool has_size = false;
    bool cut_short = false;
    std::string wrong;
    std::string root;
    TRY_VOID(Elements::read(xml, [&](std::string_view path, const std::string& text) {
        if (path == "ListBucketResult/Contents/Key") {
            file.key = text;
        } else if (path == "ListBucketResult/Contents/Size") {
            const auto size = parse_unsigned(text);
            has_size = size.has_value();
            file.size = size.value_or(0);
        } else if (path == "ListBucketResult/Contents") {
            if (file.key.empty() || !has_size) {
                wrong = "a file has no name or no size";
            }
            page.files.push_back(std::exchange(file, {}));
            has_size = false;
        } else if (path == "ListBucketResult/CommonPrefixes/Prefix") {
            page.folders.push_back(text);
        } else if (path == "ListBucketResult/IsTruncated") {
            cut_short = text == "true";
        } else if (path == "ListBucketResult/NextContinuationToken") {
            page.next = text;
        } else if (!path.contains('/')) {
            root = path;
        }
    }));
    if (root != "ListBucketResult") {
        wrong = fmt::format("it is a \"{}\"", root.substr(0, 80));
    } else if (cut_short && page.next.empty()) {
        wrong = "it says that there is more, and not where";
    }
    if (!wrong.empty()) {
        return fail(ErrorKind::corrupt, fmt::format("the server's list is none: {}", wrong));
    }
    if (!cut_short) {
        page.next.clear();
    }
    return page;
}

Result<std::string> upload_of(std::string_view xml) {
    std::string id;
    TRY_VOID(Elements::read(xml, [&](std::string_view path, const std::string& text) {
        if (path == "InitiateMultipartUploadResult/UploadId") {
            id = text;
        }
    }));
    if (id.empty()) {
        return fail(ErrorKind::corrupt, "the server began an upload and did not name it");
    }
    return id;
}

Result<void> completed(std::string_view xml) {
    bool done = false;
    TRY_VOID(Elements::read(xml, [&](std::string_view path, const std::string& /*text*/) {
        done = done || path == "CompleteMultipartUploadResult";
    }));
    if (!done) {
        return fail(
            ErrorKind::unavailable, fmt::format("the upload was not ended: {}", error_text(xml))
        );
    }
    return {};
}

std::string error_text(std::string_view xml) {
    constexpr std::size_t shown = 200;
    std::string code;
    std::string message;
    const Result<void> read =
        Elements::read(xml, [&](std::string_view path, const std::string& text) {
            if (path == "Error/Code") {
                code = text.substr(0, shown);
            } else if (path == "Error/Message") {
                message = text.substr(0, shown);
            }
        });
    return !read || code.empty() ? "" : fmt::format("{}: {}", code, message);
}

}  // namespace footfall::backup::s3
