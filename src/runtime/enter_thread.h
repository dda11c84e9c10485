#pragma once

namespace footfall::runtime {

/// How soon a thread is to run when more want to than there are cores.
enum class Urgency {
    first,       ///< Runs for moments between waiting for the disk; answers wait for it.
    answers,     ///< Somebody waits for its answer.
    work,        ///< As any thread.
    background,  ///< May wait while others work.
};

/// Names the calling thread for `top -H`, profilers and debuggers (at most 15 characters), and
/// tells the kernel how urgent it is: by the slice of a core that it asks for (0.1, 1 and 20 ms; as
/// any thread for `work`), since who wakes up takes the core from one with a longer slice, which
/// makes it run sooner but not more (Linux 6.12; before that it is as any). One in the background
/// is ten nicer than the process, too. What the system does not allow is left out.
void enter_thread(const char* name, Urgency urgency);

}  // namespace footfall::runtime
