#pragma once

#include "reading/friends_reads.h"
#include "reading/ranked_reads.h"

#include <string>
#include <string_view>

/// Rankings of reading as JSON documents.
namespace footfall::reading::routes {

/// `scope`: all, or friends.
std::string popular_json(
    const PopularReads& popular, std::string_view scope, std::string_view window
);

std::string trending_json(const TrendingReads& trending);

std::string activity_json(const Activity& activity, std::string_view actor);

}  // namespace footfall::reading::routes
