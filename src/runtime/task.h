#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <string>

namespace footfall::runtime {

/// Where a coroutine runs: one io_context, which one thread serves. Concrete, not type-erased: an
/// any_executor costs an allocation an operation.
using IoExecutor = boost::asio::io_context::executor_type;

/// A coroutine of the thin shell around product code. Parameters by value; no capturing lambda; no
/// lock held across co_await (docs/decisions/0003-threads-and-lanes.md).
template <class T = void>
using Task = boost::asio::awaitable<T, IoExecutor>;

/// Given to an operation of Asio, makes it one to co_await.
inline constexpr boost::asio::use_awaitable_t<IoExecutor> use_task;

/// Starts `task` on `executor` and lets it run by itself. The only way to do so: an exception that
/// leaves it is logged with `name`, not swallowed. Whoever owns what the task uses must know when
/// it ends; this function does not tell.
void spawn(const IoExecutor& executor, std::string name, Task<> task);

}  // namespace footfall::runtime
