// What a projector (general.architecture "clip") writes into a text model: the width of its embeddings, the models that
// its type belongs to, and the tokens that stand around a picture.
//
// Sources: the tensors that the published converters write, and llama.cpp's libmtmd, which places the tokens.
#pragma once

#include "model/model.h"

#include <optional>
#include <string>
#include <string_view>

namespace gufo {

struct ProjectorFact {
    std::string_view type;    // clip.projector_type, or clip.vision.projector_type
    std::string_view tensors; // the matrix that writes the embeddings: the first of these names that the file has
    std::size_t dimension;    // of the matrix that is the width, fastest dimension first
    std::string_view architectures{}; // separated by commas; empty: several families use the type
    std::string_view tokens{};        // before and after a picture, separated by spaces
};

// The type that the file states; empty if it states none.
[[nodiscard]] std::string_view projectorType(const Model& projector);
// Null for a type that is not in the table.
[[nodiscard]] const ProjectorFact* findProjector(std::string_view type);

// The number of elements that the projector writes for a token, including elements for deeper blocks of the model
// (deepstack). Nothing if the type is unknown or the matrix is missing.
[[nodiscard]] std::optional<std::uint64_t> projectorWidth(const Model& projector);
// The number of elements that a model reads for a token of a picture.
[[nodiscard]] std::optional<std::uint64_t> pictureWidth(const Model& model);

} // namespace gufo
