#pragma once

#include "projecting/recount.h"

#include <memory>

namespace footfall::views {

/// Counts the views of a part of a lane's objects again, and holds every stored number to that:
/// events, counted, refused by reason, people, and how far it was counted, of each object and of
/// all objects together, by day and of all time. Each has to have the rows by which a list of the
/// largest finds it (RankCheck). Of events that are kept no more it takes what the
/// expired tables say; objects without any other are not looked at, nor rows of other logs.
///
/// Cost: two reads of the store for each object, one after the other, and its rows of ranks, many
/// together.
std::unique_ptr<projecting::Recount> make_recount(const projecting::RecountPart& part);

}  // namespace footfall::views
