// Work beside the UI thread uses every core; at a lower priority the window stays quick meanwhile.
#pragma once

namespace gufo::ui {

// Of the calling thread, and of the threads that it starts from then on.
void lowerThreadPriority();

} // namespace gufo::ui
