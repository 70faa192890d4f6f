// Names of file formats other than GGUF.
#pragma once

#include <QString>

#include <string_view>

namespace gufo::ui {

// Describes a container by its id (formats/format.h): "a PyTorch checkpoint (ZIP)".
[[nodiscard]] QString fileFormatText(std::string_view id);

} // namespace gufo::ui
