// Words for the tensors that a run ignores, for the window and the console.
#pragma once

#include <QString>

#include <span>
#include <string>

namespace gufo::ui {

// A sentence about inference::LoadedModel::leftOut(). It names only the first tensors of many, and is empty if there
// are none. `drafts`: the first block that predicts further tokens drafts, and so is not left out.
[[nodiscard]] QString leftOutText(std::span<const std::string> tensors, bool drafts = false);
// A sentence about a model whose decoder is left out (inference::leavesOutDecoder()).
[[nodiscard]] QString decoderLeftOutText();

} // namespace gufo::ui
