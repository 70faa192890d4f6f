// What keeps a template from harming the machine, also when nobody is left to kill the process: bounds on address space
// and on processor time, which a busy machine does not use up.
#pragma once

namespace gufo {

// Exit codes.
inline constexpr int kOutOfMemory = 3;
inline constexpr int kOutOfTime = 4;

// Bounds the address space to 400 MB. When it is used up, the process ends with kOutOfMemory.
void limitMemory();

// The process ends with kOutOfTime unless the clock is stopped before it has worked for 1 s.
void startClock();
void stopClock();

} // namespace gufo
