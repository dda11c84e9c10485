#pragma once

namespace footfall::runtime {

/// How soon a thread is to run when more want to than there are cores.
enum class Urgency {
    answers,     ///< Somebody waits for its answer, and it soon waits itself.
    work,        ///< As any thread.
    background,  ///< May wait while others work.
};

/// Names the calling thread for `top -H`, profilers and debuggers (at most 15 characters), and
/// tells the kernel how urgent it is. A thread that answers asks for short slices of a core, 0.1
/// ms, which make the scheduler let it run sooner but not more (Linux 6.12; before that it is as
/// any); one in the background is ten nicer than the process. What the system does not allow is
/// left out.
void enter_thread(const char* name, Urgency urgency);

}  // namespace footfall::runtime
