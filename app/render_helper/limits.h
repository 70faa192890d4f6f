// What keeps a template from harming the machine: a bound on address space, and an alarm for the case that nobody is
// left to kill the process.
#pragma once

namespace gufo {

inline constexpr int kOutOfMemory = 3; // exit code

// Bounds the address space to 400 MB. When it is used up, the process ends with kOutOfMemory.
void limitMemory();

// The process ends unless the alarm is put off within 5 s.
void setAlarm();
void clearAlarm();

} // namespace gufo
