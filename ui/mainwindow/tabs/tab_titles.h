// Titles of tabs that tell models of the same name apart.
#pragma once

#include <QString>

#include <vector>

namespace gufo::ui {

struct TabName {
    QString title;    // "m"
    QString location; // the path or address, with slashes: "~/models/first/m.gguf"
};

// The titles in the same order. Where several are equal, what differs in the locations follows: the names of the files,
// or else the last folders that differ ("m — first", "m — second").
[[nodiscard]] std::vector<QString> distinctTitles(const std::vector<TabName>& names);

} // namespace gufo::ui
