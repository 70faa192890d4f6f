// Waits until a program is idle, so that what has not happened by then will not happen.
#pragma once

#include <functional>

namespace gufo::test {

// Runs the event loop until, three times in a row, there is no job (ui/jobs/job.h), no active timer with an interval of
// up to two seconds (except the watchdog's), and `done` returns true. After a minute it prints what it still waits for
// and returns false.
//
// It cannot see other programs, nor threads that are not jobs: `done` must check for those.
[[nodiscard]] bool waitUntilIdle(const std::function<bool()>& done = {});

// Runs the event loop a few times, so that pending paint events are handled.
void spinEventLoop();

} // namespace gufo::test
