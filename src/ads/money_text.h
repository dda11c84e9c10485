#pragma once

#include "ads/exact.h"

#include <string>

namespace footfall::ads {

/// Money as the shortest decimal text: "0.005", "-12". Pure.
std::string money_text(WideMicros amount);

/// The same of an exact amount: at most twelve decimals.
std::string exact_text(Exact amount);

}  // namespace footfall::ads
