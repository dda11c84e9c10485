#include "graphite/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>

namespace footfall::graphite {
namespace {

constexpr std::size_t target_bytes_max = 16'000;
constexpr std::size_t depth_max = 32;

bool is_letter(char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || each == '_';
}

bool is_digit(char each) {
    return each >= '0' && each <= '9';
}

bool is_space(char each) {
    return each == ' ' || each == '\t' || each == '\n' || each == '\r';
}

/// In a name or a pattern these end it, or are to be escaped.
bool is_of_pattern(char each) {
    constexpr std::string_view others = "(){},'\"\\|";
    return !is_space(each) && others.find(each) == std::string_view::npos;
}

bool equals_in_any_case(std::string_view text, std::string_view lower) {
    return std::ranges::equal(text, lower, [](char one, char other) {
        return (one >= 'A' && one <= 'Z' ? static_cast<char>(one - 'A' + 'a') : one) == other;
    });
}

/// By recursive descent. For one target.
class Parser {
public:
    explicit Parser(std::string_view text) : text_{text} {}

    Result<Expression> parse() {
        TRY(Expression whole, piped(0));
        skip_spaces();
        if (at_ < text_.size()) {
            return expected("nothing more");
        }
        return whole;
    }

private:
    std::unexpected<Error> expected(std::string_view what) const {
        const std::string_view there = text_.substr(std::min(at_, text_.size()), 20);
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "target: character {}: {} is expected{}",
                at_ + 1,
                what,
                there.empty() ? std::string{", and it ends"} : fmt::format(", not {}", there)
            )
        );
    }

    void skip_spaces() {
        while (at_ < text_.size() && is_space(text_[at_])) {
            ++at_;
        }
    }

    bool take(char wanted) {
        skip_spaces();
        if (at_ >= text_.size() || text_[at_] != wanted) {
            return false;
        }
        ++at_;
        return true;
    }

    /// Letters, digits and underscores that begin here, which are not taken.
    std::string_view word() const {
        std::size_t end = at_;
        while (end < text_.size() && (is_letter(text_[end]) || (end > at_ && is_digit(text_[end])))
        ) {
            ++end;
        }
        return text_.substr(at_, end - at_);
    }

    /// What follows `end` but for spaces; NUL: nothing.
    char next_after(std::size_t end) const {
        while (end < text_.size() && is_space(text_[end])) {
            ++end;
        }
        return end < text_.size() ? text_[end] : '\0';
    }

    static bool ends_argument(char each) { return each == ',' || each == ')' || each == '\0'; }

    Result<Expression> piped(std::size_t depth) {
        if (depth > depth_max) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("target: more than {} calls stand in one another", depth_max)
            );
        }
        TRY(Expression whole, call_or_pattern(depth));
        for (std::size_t pipes = 0; take('|'); ++pipes) {
            if (depth + pipes > depth_max) {
                return expected("less than 32 pipes");
            }
            skip_spaces();
            if (word().empty()) {
                return expected("a function");
            }
            TRY(Expression next, call_or_pattern(depth));
            if (next.kind != Expression::Kind::call) {
                return expected("a function");
            }
            next.arguments.insert(next.arguments.begin(), std::move(whole));
            whole = std::move(next);
        }
        return whole;
    }

    Result<Expression> call_or_pattern(std::size_t depth) {
        skip_spaces();
        const std::string_view name = word();
        if (name.empty() || next_after(at_ + name.size()) != '(') {
            return pattern();
        }
        const std::size_t start = at_;
        at_ += name.size();
        take('(');
        Expression call{.kind = Expression::Kind::call, .text = std::string{name}};
        TRY_VOID(arguments(depth, call));
        call.source = text_.substr(start, at_ - start);
        return call;
    }

    /// Behind the parenthesis, up to the one that closes it.
    Result<void> arguments(std::size_t depth, Expression& call) {
        if (take(')')) {
            return {};
        }
        do {
            TRY_VOID(argument(depth, call));
        } while (take(','));
        if (!take(')')) {
            return expected("a comma or )");
        }
        return {};
    }

    Result<void> argument(std::size_t depth, Expression& call) {
        skip_spaces();
        const std::string_view name = word();
        // `a=b` is a series of that name only where it is no name of an argument; so has Graphite.
        if (!name.empty() && next_after(at_ + name.size()) == '=') {
            at_ += name.size();
            take('=');
            TRY(Expression value, value_of_argument(depth));
            call.named.emplace_back(std::string{name}, std::move(value));
            return {};
        }
        if (!call.named.empty()) {
            return expected("name=value, since one came before");
        }
        TRY(Expression value, value_of_argument(depth));
        call.arguments.push_back(std::move(value));
        return {};
    }

    Result<Expression> value_of_argument(std::size_t depth) {
        skip_spaces();
        if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) {
            return quoted();
        }
        if (auto number = this->number()) {
            return *std::move(number);
        }
        const std::string_view name = word();
        if (!name.empty() && ends_argument(next_after(at_ + name.size()))) {
            if (auto constant = constant_of(name)) {
                at_ += name.size();
                return *std::move(constant);
            }
        }
        return piped(depth + 1);
    }

    static std::optional<Expression> constant_of(std::string_view name) {
        if (equals_in_any_case(name, "true") || equals_in_any_case(name, "false")) {
            return Expression{
                .kind = Expression::Kind::truth, .number = name.size() == 4 ? 1.0 : 0.0
            };
        }
        if (equals_in_any_case(name, "none")) {
            return Expression{.kind = Expression::Kind::nothing};
        }
        if (equals_in_any_case(name, "inf")) {
            return Expression{.kind = Expression::Kind::endless};
        }
        return std::nullopt;
    }

    Result<Expression> quoted() {
        const char quote = text_[at_];
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) {
            return expected("a text that ends");
        }
        Expression text{
            .kind = Expression::Kind::text,
            .text = std::string{text_.substr(at_ + 1, end - at_ - 1)}
        };
        at_ = end + 1;
        return text;
    }

    /// Absent, and nothing is taken: no number stands here alone. Parts of names are of digits,
    /// too.
    std::optional<Expression> number() {
        std::size_t end = at_;
        while (end < text_.size() && (is_digit(text_[end]) || is_letter(text_[end]) ||
                                      text_[end] == '-' || text_[end] == '.' || text_[end] == '+')
        ) {
            ++end;
        }
        const std::string_view text = text_.substr(at_, end - at_);
        const std::size_t first = text.starts_with('-') ? 1 : 0;
        if (text.size() <= first || !is_digit(text[first]) || !ends_argument(next_after(end))) {
            return std::nullopt;
        }
        double value = 0;
        const auto [stopped, error] =
            std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || stopped != text.data() + text.size()) {
            return std::nullopt;
        }
        at_ = end;
        return Expression{
            .kind = Expression::Kind::number, .text = std::string{text}, .number = value
        };
    }

    Result<Expression> pattern() {
        Expression pattern{.kind = Expression::Kind::pattern};
        bool in_braces = false;
        for (; at_ < text_.size(); ++at_) {
            const char each = text_[at_];
            if (each == '\\' && at_ + 1 < text_.size()) {
                pattern.text += text_[++at_];
            } else if (each == '{' && !in_braces) {
                in_braces = true;
                pattern.text += each;
            } else if (in_braces && (each == '}' || each == ',')) {
                in_braces = each == ',';
                pattern.text += each;
            } else if (is_of_pattern(each)) {
                pattern.text += each;
            } else {
                break;
            }
        }
        if (in_braces) {
            return expected("}");
        }
        if (pattern.text.empty()) {
            return expected("a series, a pattern or a function");
        }
        return pattern;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

Result<Expression> parse_target(std::string_view target) {
    if (target.size() > target_bytes_max) {
        return fail(
            ErrorKind::invalid_input, fmt::format("target: more than {} bytes", target_bytes_max)
        );
    }
    return Parser{target}.parse();
}

}  // namespace footfall::graphite
