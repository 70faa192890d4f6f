// One row of a comparison's matches, for jobs. It keeps alive what it refers to.
#pragma once

#include "ui/compare/comparison.h"

namespace gufo::ui {

struct MatchedRow {
    std::shared_ptr<const TensorMatches> matches;
    std::size_t row = 0;

    [[nodiscard]] PartOf of(std::size_t file) const {
        return {matches->models[file].get(), matches->rows[row].cells[file].part};
    }
    [[nodiscard]] PartOf reference() const { return of(matches->reference); }
};

} // namespace gufo::ui
