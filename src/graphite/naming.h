#pragma once

#include "graphite/drawn.h"
#include "graphite/functions.h"

#include <span>
#include <string>
#include <string_view>

/// How functions name what they answer.
namespace footfall::graphite {

/// A function's name around that of a line, which it is called by from then on: "scale(a,10)" with
/// `rest` ",10".
void name_after(Drawn& line, std::string_view function, std::string_view rest = {});

/// A number as Graphite writes it in names: "5", "0.5", "1000.0" of 1e3.
std::string text_of(const Number& number);

/// The same of one that is no whole number to it: "2.0" of 2.
std::string decimal_text_of(const Number& number);

/// The parts of a name, or the tags, that `nodes` say, joined by dots. Of a name that is a function
/// those of the first series in it.
std::string key_of(const Drawn& line, std::span<const Value> nodes);

}  // namespace footfall::graphite
