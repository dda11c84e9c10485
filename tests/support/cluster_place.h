#pragma once

namespace footfall::test_support {

/// The number of this process among those that test on the cluster at the same time, from 1. It has
/// it until it ends, then the next process takes it over. What is named after it, as keyspaces are,
/// is nobody else's meanwhile, and there are only as many of them as processes run at once: making
/// the tables of a keyspace takes seconds, emptying them less than one.
int cluster_place();

}  // namespace footfall::test_support
