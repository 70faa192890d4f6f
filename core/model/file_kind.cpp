#include "model/file_kind.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

struct KindFact {
    FileKind kind;
    std::string_view name;
    std::string_view generalType; // value of general.type that says so; empty if none does
};
constexpr auto kKinds = std::to_array<KindFact>({
    {FileKind::Model, "model", {}},
    {FileKind::Vocabulary, "vocabulary", {}},
    {FileKind::Adapter, "adapter", "adapter"},
    {FileKind::Imatrix, "imatrix", "imatrix"},
    {FileKind::Projector, "projector", "mmproj"},
});

} // namespace

FileKind fileKind(const Model& model) {
    const std::string_view type = model.metadata.string("general.type").value_or(std::string_view());
    const auto* row = type.empty() ? kKinds.end() : std::ranges::find(kKinds, type, &KindFact::generalType);
    if (row != kKinds.end()) {
        return row->kind;
    }
    if (model.metadata.architecture() == "clip") {
        return FileKind::Projector;
    }
    return model.tensors.empty() ? FileKind::Vocabulary : FileKind::Model;
}

std::string_view fileKindName(FileKind kind) { return kKinds.at(static_cast<std::size_t>(kind)).name; }

} // namespace gufo
