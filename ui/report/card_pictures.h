// The pictures of a model card, as SVG files beside it: the sizes of the files, the bits per weight of each
// block, and the diagram of the architecture.
//
// Threads: thread-safe; only headers are read.
#pragma once

#include "ui/report/model_card.h"

#include <QString>

#include <string>
#include <vector>

namespace gufo::ui {

// Returns the pictures that say something about these files: the sizes of two or more models, and the map of the blocks
// and the diagram of the smallest one. `stem` is the name of the card without its suffix; the names of the pictures
// begin with it.
[[nodiscard]] std::vector<CardPicture> cardPictures(const std::vector<CardFile>& files, const std::string& stem);

} // namespace gufo::ui
