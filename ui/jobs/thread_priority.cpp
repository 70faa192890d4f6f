#include "ui/jobs/thread_priority.h"

#if defined(__linux__)
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace gufo::ui {

void lowerThreadPriority() {
#if defined(__linux__)
    thread_local const bool lowered = setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 5) == 0;
    (void)lowered;
#endif
}

} // namespace gufo::ui
