#pragma once

#include <pthread.h>

namespace footfall::runtime {

/// Names the calling thread for `top -H`, profilers and debuggers: at most 15 characters.
inline void name_thread(const char* name) {
    pthread_setname_np(pthread_self(), name);
}

}  // namespace footfall::runtime
