// What is known about a part of a model: by its hyper-parameters as the engine reads them, or by the keys alone where
// it does not run the model; and by the shapes of its tensors, which count where keys say something else.
#pragma once

#include "inference/engine/binding/shape.h"
#include "inference/structure/model_structure.h"
#include "model/hyper_parameters.h"

namespace gufo::inference {

class PartFacts {
public:
    // `shape` is null if the engine does not know the architecture, or refuses the keys. Refused keys say nothing.
    PartFacts(const Model& model, const ModelShape* shape, bool refused)
        : m_model(model)
        , m_shape(shape)
        , m_parameters(refused ? noKeys() : model.metadata) {}

    // Sets the facts of a part outside of blocks.
    void tellModel(StructurePart& part, std::string_view prefix) const;
    // Sets the facts of a part of a block, whose shape is null if the engine does not evaluate it.
    void tellBlock(StructurePart& part, const BlockShape* block, std::uint32_t number, std::string_view prefix) const;

private:
    [[nodiscard]] static const Metadata& noKeys();
    // The tensor of this role in the part; null if there is none.
    [[nodiscard]] const TensorInfo* find(const StructurePart& part, std::string_view role) const;
    [[nodiscard]] bool has(const StructurePart& part, std::string_view role) const {
        return find(part, role) != nullptr;
    }
    void tellNorm(StructurePart& part) const;
    void tellAttention(StructurePart& part, const BlockShape& block, std::uint32_t number) const;
    void tellAttentionByKeys(StructurePart& part, std::uint32_t number, const std::string& scope) const;
    void tellRecurrence(StructurePart& part) const;
    void tellFeedForward(StructurePart& part, std::string_view suffix) const;
    void tellRouter(StructurePart& part) const;
    void tellExperts(StructurePart& part) const;
    void tellRank(StructurePart& part) const;

    const Model& m_model;
    const ModelShape* m_shape;
    HyperParameters m_parameters;
};

} // namespace gufo::inference
