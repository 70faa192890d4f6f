// What the distances of two files after each block say in words.
#pragma once

#include "ui/report/behaviour.h"

namespace gufo::ui {

[[nodiscard]] bool hasRoutes(const Behaviour& behaviour); // some block has experts

// Means over all tokens, one for each block.
[[nodiscard]] std::vector<double> meanDistances(const Behaviour& behaviour);

// After which block the states grow apart most, how far they are apart at the end, and where the routers part first: a
// sentence each. Empty without figures.
[[nodiscard]] QStringList layerWords(const Behaviour& behaviour);

} // namespace gufo::ui
