// Short names that distinguish the models of a comparison: "Q5_K_M" and "Q3_K_M" for two files of one model.
#pragma once

#include "hub/model_place.h"

#include <QString>
#include <QStringList>

#include <span>

namespace gufo::ui {

// Returns distinct labels in the order of the places: the encodings in the names if these suffice; otherwise the
// differing parts of the names; otherwise the names with folders or numbers.
[[nodiscard]] QStringList shortLabels(std::span<const hub::ModelPlace> places);
// The common prefix of the names without trailing separators; may be empty.
[[nodiscard]] QString commonName(std::span<const hub::ModelPlace> places);

} // namespace gufo::ui
