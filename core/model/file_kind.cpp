#include "model/file_kind.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

struct KindRow {
    FileKind kind;
    std::string_view name;
    std::string_view generalType;  // the value of general.type for this kind; empty if there is none
    std::string_view requiredKeys; // separated by commas
};
// llama.cpp's tools write an importance matrix without an architecture, and refuse to read one without its own keys.
constexpr auto kKinds = std::to_array<KindRow>({
    {FileKind::Model, "model", {}, "general.architecture"},
    {FileKind::Vocabulary, "vocabulary", {}, "general.architecture"},
    {FileKind::Adapter, "adapter", "adapter", "general.architecture,adapter.type,adapter.lora.alpha"},
    {FileKind::Imatrix, "imatrix", "imatrix", "imatrix.datasets,imatrix.chunk_count,imatrix.chunk_size"},
    {FileKind::Projector, "projector", "mmproj", "general.architecture"},
});

} // namespace

FileKind fileKind(const Model& model) {
    const std::string_view type = model.metadata.string("general.type").value_or(std::string_view());
    const auto* row = type.empty() ? kKinds.end() : std::ranges::find(kKinds, type, &KindRow::generalType);
    if (row != kKinds.end()) {
        return row->kind;
    }
    if (model.metadata.architecture() == "clip") {
        return FileKind::Projector;
    }
    return model.tensors.empty() ? FileKind::Vocabulary : FileKind::Model;
}

bool holdsOnlyMtp(const Model& model) {
    const auto isPrediction = [](const TensorInfo& tensor) { return tensor.name.find(".nextn.") != tensor.name.npos; };
    const auto isFirstBlock = [](const TensorInfo& tensor) { return tensor.name.starts_with("blk.0."); };
    // Whole models are told by one of their first tensors.
    return std::ranges::none_of(model.tensors, isFirstBlock) && std::ranges::any_of(model.tensors, isPrediction);
}

std::string_view requiredKeys(FileKind kind) { return kKinds.at(static_cast<std::size_t>(kind)).requiredKeys; }

std::string_view fileKindName(FileKind kind) { return kKinds.at(static_cast<std::size_t>(kind)).name; }

} // namespace gufo
