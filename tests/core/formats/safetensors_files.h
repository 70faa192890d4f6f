// The file whose metadata the tests of saving change, and the header of what a save has written.
#pragma once

#include "base/byte_order.h"
#include "support/save_scenarios.h"

#include <string>

namespace gufo::test {

inline SafetensorsBuilder usualFile() {
    SafetensorsBuilder file;
    file.metadata("format", "pt").metadata("name", "before");
    file.tensor("a", "F32", {100}, scenarioPattern(400, 1)).tensor("b", "U8", {7}, scenarioPattern(7, 2));
    return file;
}

// The header of a file, without spaces at its end.
inline std::string headerOf(const std::filesystem::path& path) {
    const FileBytes bytes = readFile(path);
    const auto length = load<std::uint64_t>(reinterpret_cast<const std::byte*>(bytes.data()));
    std::string text = bytes.substr(8, length);
    text.resize(text.find_last_not_of(' ') + 1);
    return text;
}

} // namespace gufo::test
