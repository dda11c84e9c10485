#pragma once

#include "ads/recounted_clicks.h"
#include "projecting/recount.h"

#include <memory>

namespace footfall::ads {

/// Counts the clicks, sales, rates and seals of a part of a lane again, and holds to that every row
/// of the lane's writer: of resellers and publishers by day, by month and by ad, of ads by day, of
/// ad_click, of rates and of seals. Of a row that has lines which have left the log it looks
/// whether it has at least those that are left.
///
/// Beside that it holds the rows of the parties whose names are of this lane to each other, of all
/// writers, and their amounts to ad_click (party_check.h): so amounts are held to the record of
/// money where the log has gone, too. Statements of sealed months are held to both and to rates. A
/// row of ad_click is not found to be too many if it is of a partition, which is a quarter-hour,
/// that no other row and no line of the log names; nor is a row of an ad or a party that nothing
/// else names. Rows of ad_click that were let go are not missed.
std::unique_ptr<projecting::Recount> make_recount(const projecting::RecountPart& part);

}  // namespace footfall::ads
