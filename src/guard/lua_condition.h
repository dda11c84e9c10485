#pragma once

#include "events/event.h"
#include "events/verdict.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <simdjson.h>

#include <cstddef>
#include <lua.hpp>
#include <map>
#include <memory>
#include <re2/re2.h>
#include <string>

namespace footfall::guard {

/// One interpreter with one condition in it. For condition.cpp alone. Not thread-safe.
///
/// No library of Lua is loaded, so there is nothing to catch errors with, to reach other things by,
/// or to run long without taking steps. Names are looked up by __index in the event, when they are
/// used; they cannot be assigned, so nothing is left from one event to the next.
class LuaCondition {
public:
    static Result<std::unique_ptr<LuaCondition>> open(const std::string& source);

    LuaCondition(const LuaCondition&) = delete;
    LuaCondition& operator=(const LuaCondition&) = delete;
    ~LuaCondition();

    /// `invalid_input`: it failed, and why.
    Result<bool> holds(const events::Event& event, Instant arrival, events::Door door);

private:
    LuaCondition() = default;

    Result<void> load(const std::string& source);
    Error taken_error();
    bool push_text_field(std::string_view name);
    bool push_other_field(std::string_view name);
    void push_attributes();
    void push_json(const simdjson::dom::element& element, int depth);
    const re2::RE2& expression(std::string_view pattern);

    static LuaCondition& self(lua_State* state);
    static void* allocate(void* self, void* block, std::size_t before, std::size_t wanted);
    static int look_up(lua_State* state);
    static int refuse_assignment(lua_State* state);
    static int starts_with(lua_State* state);
    static int ends_with(lua_State* state);
    static int contains(lua_State* state);
    static int lower(lua_State* state);
    static int matches(lua_State* state);

    std::size_t bytes_ = 0;  ///< What the interpreter has of memory.
    lua_State* lua_ = nullptr;
    int function_ = 0;
    std::map<std::string, std::unique_ptr<re2::RE2>, std::less<>> expressions_;
    simdjson::dom::parser parser_;
    // Of the event under way.
    const events::Event* event_ = nullptr;
    Instant arrival_{};
    events::Door door_ = events::Door::trusted_door;
};

}  // namespace footfall::guard
