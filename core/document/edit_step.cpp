#include "document/edit_step.h"

#include <algorithm>
#include <iterator>

namespace gufo::edit {

bool touchesTensors(const Step& step) {
    return std::ranges::any_of(step.inverse, [](const Piece& piece) {
        return std::holds_alternative<InsertTensor>(piece) || std::holds_alternative<RemoveTensor>(piece) ||
               std::holds_alternative<RenameTensor>(piece) || std::holds_alternative<MoveTensor>(piece);
    });
}

void mergeInto(Step& step, std::vector<Piece> inverse) {
    // If a value was replaced repeatedly, the first inverse is enough.
    if (inverse.size() == 1 && step.inverse.size() == 1) {
        const auto* second = std::get_if<ReplaceValue>(&inverse.front());
        const auto* first = std::get_if<ReplaceValue>(&step.inverse.front());
        if (second != nullptr && first != nullptr && second->key == first->key) {
            return;
        }
    }
    std::ranges::move(step.inverse, std::back_inserter(inverse));
    step.inverse = std::move(inverse);
}

} // namespace gufo::edit
