#include "timeseries_routes/openapi.h"

// #embed is C23; clang 19, our reference compiler, knows it in C++ too.
#pragma clang diagnostic ignored "-Wc23-extensions"

namespace footfall::timeseries::routes {
namespace {

constexpr char description[] = {
#embed "openapi.json"
};

}  // namespace

std::string_view openapi() {
    return {description, sizeof description};
}

}  // namespace footfall::timeseries::routes
