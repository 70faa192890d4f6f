#include "document/move_out.h"

#include "base/detail.h"
#include "document/document.h"
#include "document/surgery.h"
#include "formats/detection/shard_names.h"
#include "model/file_kind.h"
#include "model/tensor_role.h"

#include <algorithm>
#include <string>

namespace gufo {
namespace {

using Changes = std::vector<Change>;

constexpr std::string_view kSuffix = ".gguf";
constexpr std::string_view kArchitecture = "general.architecture";
constexpr std::string_view kProjector = "clip";
constexpr std::string_view kProjectorKeys = "clip.";

std::unexpected<Error> refuse(Detail detail, Arguments args = {}) {
    return fail(ErrorCode::InvalidArgument, {}, {Argument(detail, std::move(args))});
}

bool isOfProjector(std::string_view name) {
    return !parseTensorName(name).prefix.empty() || name.starts_with("resampler.");
}

template<typename T>
SetKey set(std::string_view key, T value) {
    return {.key = std::string(key), .value = OwnedValue(Value(value))};
}

void addPart(std::uint16_t number, std::size_t tensors, Changes& changes) {
    changes.emplace_back(set("split.no", number));
    changes.emplace_back(set("split.tensors.count", static_cast<std::int32_t>(tensors)));
    changes.emplace_back(set("split.count", std::uint16_t{2})); // last, because it needs the others
}

// The tensor whose absence makes the rest invalid.
Result<> checkRest(const std::shared_ptr<const Model>& model, const Changes& rest) {
    Document document(model);
    GUFO_TRY(document.apply(rest, {}));
    return checkSurgery(*model, *document.current());
}

} // namespace

Result<MovedOut> moveOut(const std::shared_ptr<const Model>& model,
                         const std::function<bool(std::string_view)>& matches, const std::filesystem::path& file) {
    MovedOut moved;
    bool projector = true;
    std::string_view first;
    for (const TensorInfo& tensor : model->tensors) {
        const bool moves = matches(tensor.name);
        (moves ? moved.rest : moved.file).emplace_back(DeleteTensor{std::string(tensor.name)});
        projector = projector && (!moves || isOfProjector(tensor.name));
        first = moves && first.empty() ? tensor.name : first;
    }
    if (moved.rest.empty() || moved.file.empty()) {
        return refuse(Detail::NoTensorMoved);
    }
    if (projector && fileKind(*model) == FileKind::Model) {
        moved.kind = MovedOut::Kind::Projector;
        bool described = false;
        for (const KeyValue& entry : model->metadata) {
            if (entry.key.starts_with(kProjectorKeys)) {
                described = described || entry.key.ends_with("projector_type");
                moved.rest.emplace_back(DeleteKey{std::string(entry.key)});
            } else if (!entry.key.starts_with("general.")) {
                moved.file.emplace_back(DeleteKey{std::string(entry.key)});
            }
        }
        if (!described) {
            return refuse(Detail::NoProjectorKeys);
        }
        moved.file.emplace_back(set(kArchitecture, kProjector));
        moved.file.emplace_back(set("general.type", std::string_view("mmproj")));
        return moved;
    }
    if (checkRest(model, moved.rest)) {
        return moved;
    }
    if (model->shardCount() > 1) {
        return refuse(Detail::MergePartsFirst);
    }
    const auto part = parseShardName(file.filename(), kSuffix);
    const std::filesystem::path folder = file.parent_path();
    if (!part || part->number != 2 || part->count != 2) {
        const ShardName wanted{.prefix = file.filename().stem().native(), .number = 1, .count = 2};
        return refuse(Detail::ModelNeedsMoved, {first, shardFileName(wanted, kSuffix).native()});
    }
    moved.kind = MovedOut::Kind::Part;
    moved.first = folder / shardFileName({.prefix = part->prefix, .number = 1, .count = 2}, kSuffix);
    for (const KeyValue& entry : model->metadata) {
        if (!entry.key.starts_with("split.")) {
            moved.file.emplace_back(DeleteKey{std::string(entry.key)});
        }
    }
    addPart(0, model->tensors.size(), moved.rest);
    addPart(1, model->tensors.size(), moved.file);
    return moved;
}

} // namespace gufo
