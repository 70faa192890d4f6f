// Keeps a template from harming the machine even if no process is left to kill the helper: limits on address space and
// on processor time. Processor time does not pass while a busy machine runs other processes.
#pragma once

namespace gufo {

// Exit codes.
inline constexpr int kOutOfMemory = 3;
inline constexpr int kOutOfTime = 4;

// Limits the address space to 400 MB. When it is exhausted, the process ends with kOutOfMemory.
void limitMemory();

// The process ends with kOutOfTime unless the clock is stopped before it has used 1 s of processor time.
void startClock();
void stopClock();

} // namespace gufo
