// What a run of a model leaves out, in words: the same in the window and on the console.
#pragma once

#include <QString>

#include <span>
#include <string>

namespace gufo::ui {

// A sentence on inference::LoadedModel::leftOut(); of many tensors it names the first. Empty where there are none.
[[nodiscard]] QString leftOutText(std::span<const std::string> tensors);

} // namespace gufo::ui
