// The edited model beside its base, and the entry of the base that each key and tensor comes from: everything that
// comparing the two needs. It is made in one pass and never changes, so that jobs can compare large models.
#pragma once

#include "model/change.h"
#include "model/model.h"

#include <memory>
#include <optional>
#include <vector>

namespace gufo::edit {

inline constexpr std::size_t kNone = ~std::size_t{0};

struct Lineage {
    // A tensor whose bytes are in another model.
    struct Import {
        std::size_t tensor = 0; // its index in `current`
        std::shared_ptr<const Model> from;
        FileIndex file{};                    // in `from`
        std::optional<std::uint64_t> hash{}; // as in ImportTensor
    };

    std::shared_ptr<const Model> base;
    std::shared_ptr<const Model> current;
    SaveTarget target;
    std::vector<std::size_t> keyOrigins; // index in the base; kNone: made by an edit
    std::vector<bool> editedKeys;        // whether the value or the name of a key was edited
    bool sameTensors = false;            // no tensor was edited
    std::vector<std::size_t> tensorOrigins;
    std::vector<Import> imports; // in the order of the tensors

    [[nodiscard]] const Import* importOf(std::size_t tensor) const; // null: its bytes are in the base
    // Whether a current tensor has the bytes of the base's tensor `old`.
    [[nodiscard]] bool isSameTensor(std::size_t tensor, std::size_t old) const;
};

// For each current key (tensor), the index of the one in the base that it comes from; kNone: made by an edit.
[[nodiscard]] std::vector<std::size_t> matchKeys(const Lineage& lineage);
[[nodiscard]] std::vector<std::size_t> matchTensors(const Lineage& lineage);

} // namespace gufo::edit
