#include "guard/lua_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace footfall::guard {
namespace {

constexpr std::size_t memory_max = 1 << 20;
constexpr int steps_max = 10'000;
constexpr int json_depth_max = 16;
constexpr std::size_t expressions_max = 16;
constexpr std::int64_t expression_bytes_max = 512 << 10;

using TextField = std::pair<std::string_view, std::string events::Event::*>;

constexpr std::array<TextField, 11> text_fields{{
    {"id", &events::Event::id},
    {"action", &events::Event::action},
    {"object", &events::Event::object},
    {"actor", &events::Event::actor},
    {"address", &events::Event::address},
    {"agent", &events::Event::agent},
    {"referrer", &events::Event::referrer},
    {"currency", &events::Event::currency},
    {"reseller", &events::Event::reseller},
    {"ad", &events::Event::ad},
    {"publisher", &events::Event::publisher},
}};

void push(lua_State* lua, std::string_view text) {
    lua_pushlstring(lua, text.data(), text.size());
}

std::string_view text_at(lua_State* lua, int at) {
    std::size_t size = 0;
    const char* const text = luaL_checklstring(lua, at, &size);
    return {text, size};
}

void stop(lua_State* lua, lua_Debug*) {
    luaL_error(lua, "it takes more than %d steps", steps_max);
}

}  // namespace

Result<std::unique_ptr<LuaCondition>> LuaCondition::open(const std::string& source) {
    std::unique_ptr<LuaCondition> condition{new LuaCondition};
    TRY_VOID(condition->load(source));
    return condition;
}

LuaCondition::~LuaCondition() {
    if (lua_ != nullptr) {
        lua_close(lua_);
    }
}

Result<void> LuaCondition::load(const std::string& source) {
    lua_ = lua_newstate(allocate, this);
    if (lua_ == nullptr) {
        return fail(ErrorKind::overloaded, "there is no memory for an interpreter");
    }
    *static_cast<LuaCondition**>(lua_getextraspace(lua_)) = this;
    // In front, so that the lines of the source keep their numbers.
    const std::string text = fmt::format("return ({}\n)", source);
    if (luaL_loadbufferx(lua_, text.data(), text.size(), "=when", "t") != LUA_OK) {
        return std::unexpected(taken_error());
    }
    lua_newtable(lua_);  // what it finds its names in: nothing of its own
    lua_newtable(lua_);
    lua_pushcfunction(lua_, look_up);
    lua_setfield(lua_, -2, "__index");
    lua_pushcfunction(lua_, refuse_assignment);
    lua_setfield(lua_, -2, "__newindex");
    lua_setmetatable(lua_, -2);
    lua_setupvalue(lua_, -2, 1);
    function_ = luaL_ref(lua_, LUA_REGISTRYINDEX);
    return {};
}

Result<bool> LuaCondition::holds(const events::Event& event, Instant arrival, events::Door door) {
    event_ = &event;
    arrival_ = arrival;
    door_ = door;
    lua_sethook(lua_, stop, LUA_MASKCOUNT, steps_max);  // counts from the beginning again
    lua_rawgeti(lua_, LUA_REGISTRYINDEX, function_);
    if (lua_pcall(lua_, 0, 1, 0) != LUA_OK) {
        return std::unexpected(taken_error());
    }
    const bool holds = lua_toboolean(lua_, -1) != 0;
    lua_settop(lua_, 0);
    return holds;
}

Error LuaCondition::taken_error() {
    std::size_t size = 0;
    const char* const text = lua_tolstring(lua_, -1, &size);
    Error error{
        .kind = ErrorKind::invalid_input,
        .message = text == nullptr ? std::string{"it failed"} : std::string{text, size}
    };
    lua_settop(lua_, 0);
    return error;
}

LuaCondition& LuaCondition::self(lua_State* state) {
    return **static_cast<LuaCondition**>(lua_getextraspace(state));
}

/// As lua_Alloc asks; `before` is no size where there is no block.
void* LuaCondition::allocate(void* self, void* block, std::size_t before, std::size_t wanted) {
    std::size_t& bytes = static_cast<LuaCondition*>(self)->bytes_;
    before = block == nullptr ? 0 : before;
    if (wanted == 0) {
        std::free(block);
        bytes -= before;
        return nullptr;
    }
    if (wanted > before && bytes + (wanted - before) > memory_max) {
        return nullptr;
    }
    void* const moved = std::realloc(block, wanted);
    if (moved != nullptr) {
        bytes += wanted - before;
    }
    return moved;
}

/// __index: (table, name).
int LuaCondition::look_up(lua_State* state) {
    constexpr std::array<std::pair<std::string_view, lua_CFunction>, 5> functions{{
        {"starts_with", starts_with},
        {"ends_with", ends_with},
        {"contains", contains},
        {"lower", lower},
        {"matches", matches},
    }};
    LuaCondition& condition = self(state);
    const std::string_view name = text_at(state, 2);
    if (condition.push_text_field(name) || condition.push_other_field(name)) {
        return 1;
    }
    for (const auto& [known, function] : functions) {
        if (name == known) {
            lua_pushcfunction(state, function);
            return 1;
        }
    }
    return luaL_error(state, "there is nothing called \"%s\"", lua_tostring(state, 2));
}

int LuaCondition::refuse_assignment(lua_State* state) {
    return luaL_error(state, "\"%s\" cannot be assigned to", luaL_checkstring(state, 2));
}

bool LuaCondition::push_text_field(std::string_view name) {
    const auto* const field = std::ranges::find(text_fields, name, &TextField::first);
    if (field == text_fields.end()) {
        return false;
    }
    push(lua_, event_->*field->second);
    return true;
}

bool LuaCondition::push_other_field(std::string_view name) {
    const auto seconds = [](auto time) { return std::chrono::duration<double>{time}.count(); };
    if (name == "amount") {
        lua_pushnumber(
            lua_, static_cast<double>(event_->amount.value_or(0)) / events::micros_a_unit
        );
    } else if (name == "has_amount") {
        lua_pushboolean(lua_, event_->amount ? 1 : 0);
    } else if (name == "time") {
        lua_pushnumber(lua_, seconds(event_->time.time_since_epoch()));
    } else if (name == "seconds_late") {
        lua_pushnumber(lua_, seconds(arrival_ - event_->time));
    } else if (name == "door") {
        push(lua_, door_ == events::Door::public_door ? "public" : "trusted");
    } else if (name == "attributes") {
        push_attributes();
    } else {
        return false;
    }
    return true;
}

void LuaCondition::push_attributes() {
    simdjson::dom::element element;
    if (!event_->attributes.empty() &&
        parser_.parse(event_->attributes).get(element) == simdjson::SUCCESS) {
        push_json(element, 0);
    } else {
        lua_newtable(lua_);
    }
}

void LuaCondition::push_json(const simdjson::dom::element& element, int depth) {
    luaL_checkstack(lua_, 4, nullptr);
    using enum simdjson::dom::element_type;
    const auto type = element.type();
    if (type == STRING) {
        push(lua_, element.get_string().value());
    } else if (type == BOOL) {
        lua_pushboolean(lua_, element.get_bool().value() ? 1 : 0);
    } else if (type == INT64) {
        lua_pushinteger(lua_, element.get_int64().value());
    } else if (type == UINT64 || type == DOUBLE) {
        lua_pushnumber(lua_, element.get_double().value());
    } else if (type == OBJECT && depth < json_depth_max) {
        lua_newtable(lua_);
        for (const auto& [key, value] : element.get_object().value()) {
            push(lua_, key);
            push_json(value, depth + 1);
            lua_rawset(lua_, -3);
        }
    } else if (type == ARRAY && depth < json_depth_max) {
        lua_newtable(lua_);
        lua_Integer at = 0;
        for (const simdjson::dom::element& each : element.get_array().value()) {
            push_json(each, depth + 1);
            lua_rawseti(lua_, -2, ++at);
        }
    } else {
        lua_pushnil(lua_);
    }
}

int LuaCondition::starts_with(lua_State* state) {
    lua_pushboolean(state, text_at(state, 1).starts_with(text_at(state, 2)) ? 1 : 0);
    return 1;
}

int LuaCondition::ends_with(lua_State* state) {
    lua_pushboolean(state, text_at(state, 1).ends_with(text_at(state, 2)) ? 1 : 0);
    return 1;
}

int LuaCondition::contains(lua_State* state) {
    const bool is_in = text_at(state, 1).find(text_at(state, 2)) != std::string_view::npos;
    lua_pushboolean(state, is_in ? 1 : 0);
    return 1;
}

int LuaCondition::lower(lua_State* state) {
    std::string text{text_at(state, 1)};
    for (char& letter : text) {
        letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    }
    push(state, text);
    return 1;
}

int LuaCondition::matches(lua_State* state) {
    const std::string_view text = text_at(state, 1);
    const std::string_view pattern = text_at(state, 2);
    const re2::RE2& expression = self(state).expression(pattern);
    if (!expression.ok()) {
        return luaL_error(state, "%s is no regular expression", lua_tostring(state, 2));
    }
    const re2::StringPiece piece{text.data(), text.size()};
    lua_pushboolean(state, re2::RE2::PartialMatch(piece, expression) ? 1 : 0);
    return 1;
}

const re2::RE2& LuaCondition::expression(std::string_view pattern) {
    auto found = expressions_.find(pattern);
    if (found == expressions_.end()) {
        if (expressions_.size() >= expressions_max) {
            expressions_.clear();
        }
        re2::RE2::Options options;
        options.set_log_errors(false);
        options.set_max_mem(expression_bytes_max);
        const re2::StringPiece piece{pattern.data(), pattern.size()};
        found =
            expressions_.emplace(std::string{pattern}, std::make_unique<re2::RE2>(piece, options))
                .first;
    }
    return *found->second;
}

}  // namespace footfall::guard
