// Lowers the priority of background work, so that the window stays responsive while the work uses every core.
#pragma once

namespace gufo::ui {

// Applies to the calling thread and to the threads that it starts afterwards.
void lowerThreadPriority();

} // namespace gufo::ui
