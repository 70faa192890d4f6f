// Writes files off the UI thread, one after the other, so that the latest version is written last. Job::waitForAll()
// waits for it.
#pragma once

#include <QThreadPool>

namespace gufo::ui {

[[nodiscard]] QThreadPool& fileWriter(); // has a single thread

} // namespace gufo::ui
