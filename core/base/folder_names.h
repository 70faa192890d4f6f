// The names of the entries of a folder. Iterating over them as paths takes several times as long.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace gufo {

// Calls use(name) for each entry but "." and ".."; for none if the folder cannot be listed. An empty path is the
// current folder.
void forEachName(const std::filesystem::path& folder, const std::function<void(std::string_view name)>& use);

} // namespace gufo
