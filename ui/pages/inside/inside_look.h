// What is looked at inside one model, or two that read the same tokens. A job makes all of it, with the difference of
// the two, so that changing between the models takes no time.
#pragma once

#include "inference/measuring/inside_difference.h"

#include <memory>
#include <span>

namespace gufo::ui {

// Which of two models is shown.
enum class InsideSide : std::uint8_t { A, B, Difference };

struct InsideLook {
    using Map = std::shared_ptr<const inference::AttentionMap>; // of one head; null: none was asked for
    struct Model {
        std::shared_ptr<const inference::Inside> inside; // null: the model was not looked into
        Map map;
    };
    Model a;
    Model b;        // of the other model, if there is one
    Map difference; // B − A of the maps

    [[nodiscard]] bool isOfTwo() const { return b.inside != nullptr; }
    // What is shown of the maps.
    [[nodiscard]] const Map& mapOf(InsideSide side) const {
        return !isOfTwo() || side == InsideSide::A                             ? a.map
               : side == InsideSide::B || a.map == nullptr || b.map == nullptr ? b.map
                                                                               : difference;
    }
    // Takes over the maps of another head.
    void takeMaps(InsideLook look) {
        a.map = std::move(look.a.map);
        b.map = std::move(look.b.map);
        difference = std::move(look.difference);
    }
};

// Evaluates the tokens with one model, or with two if `other` is not null. Records no experts of a model that has none.
// If a model does not have the head that the request names, the map shows the first head that both have. Errors: see
// lookInside() and insideShape().
[[nodiscard]] Result<InsideLook> lookAt(const std::shared_ptr<const Model>& model,
                                        const std::shared_ptr<const Model>& other, std::span<const TokenId> tokens,
                                        const inference::InsideRequest& request, const JobContext& job);

} // namespace gufo::ui
