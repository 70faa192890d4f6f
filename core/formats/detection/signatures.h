// Recognises formats that have no fixed magic number by the beginning of the file.
#pragma once

#include "formats/detection/file_start.h"

#include <span>

namespace gufo::signature {

[[nodiscard]] bool isSilero(const FileStart& start);
[[nodiscard]] bool isZip(const FileStart& start);
[[nodiscard]] bool isPyTorchZip(const FileStart& start);
[[nodiscard]] bool isPyTorchTar(const FileStart& start);
[[nodiscard]] bool isSafetensors(const FileStart& start);
[[nodiscard]] bool isLegacyPyTorch(const FileStart& start);
[[nodiscard]] bool isPickle(const FileStart& start);
[[nodiscard]] bool isOnnx(const FileStart& start);
[[nodiscard]] bool isHtml(const FileStart& start);
[[nodiscard]] bool isXml(const FileStart& start);
[[nodiscard]] bool isJson(const FileStart& start);
[[nodiscard]] bool isOllamaManifest(const FileStart& start);
[[nodiscard]] bool isShardIndex(const FileStart& start);
[[nodiscard]] bool isText(const FileStart& start);

// Whether a file that begins with these kSavedStart bytes is complete and of a container that is saved in place. The
// start of a file is marked while it changes.
inline constexpr std::size_t kSavedStart = 9;
[[nodiscard]] bool isSavedInPlace(std::span<const std::byte, kSavedStart> start);

} // namespace gufo::signature
