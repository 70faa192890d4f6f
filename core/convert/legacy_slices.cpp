#include "convert/legacy_slices.h"

#include "base/detail.h"

#include <algorithm>
#include <array>

namespace gufo::convert {
namespace {

using Kind = OperationKind;

// The ends of the names of matrices that are cut by columns (llama/model.py: ParallelEmbedding and RowParallelLinear).
constexpr auto kCutByColumns =
    std::to_array<std::string_view>({"tok_embeddings.weight", ".attention.wo.weight", ".feed_forward.w2.weight"});

bool isCutByColumns(std::string_view name) {
    return std::ranges::any_of(kCutByColumns, [&](std::string_view end) { return name.ends_with(end); });
}

// Whether the slices are the same bytes.
Result<bool> areCopies(const Model& model, const std::vector<TensorIndex>& slices) {
    const auto first = model.bytesOf(model.tensor(slices.front()));
    for (const TensorIndex slice : slices) {
        const auto other = first ? model.bytesOf(model.tensor(slice)) : first;
        if (!other || !std::ranges::equal(*first, *other)) {
            return other ? Result<bool>(false) : std::unexpected(other.error());
        }
    }
    return true;
}

// Puts slices of one shape side by side: {columns, rows} each.
void join(LegacyTensor& tensor) {
    const auto slices = static_cast<std::int64_t>(tensor.slices.size());
    const auto columns = static_cast<std::int64_t>(tensor.shape[0]);
    const auto rows = static_cast<std::int64_t>(tensor.shape[1]);
    tensor.joining = {{Kind::Stack, {slices}}, {Kind::Reshape, {columns, rows * slices}}};
    if (!isCutByColumns(tensor.name)) {
        tensor.shape = Shape(std::array{tensor.shape[0], tensor.shape[1] * tensor.slices.size()});
        return;
    }
    // Interleaves the rows of the slices, which are stored one slice after another, and then joins the rows of all
    // slices into longer rows.
    Operation ungroup{Kind::UngroupRows, {1, 0, rows, slices}};
    for (std::int64_t slice = 0; slice < slices; ++slice) {
        ungroup.parameters.insert(ungroup.parameters.end(), {slice, 1});
    }
    tensor.joining.push_back(std::move(ungroup));
    tensor.joining.push_back({Kind::Reshape, {columns * slices, rows}});
    tensor.shape = Shape(std::array{tensor.shape[0] * tensor.slices.size(), tensor.shape[1]});
}

} // namespace

Result<std::vector<LegacyTensor>> legacyTensors(const Model& model) {
    std::vector<LegacyTensor> tensors;
    std::vector<std::size_t> places(model.tensors.size()); // of the tensor that each slice belongs to
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const TensorInfo& slice = model.tensors[i];
        const std::size_t first = model.findTensor(slice.name)->value;
        if (first == i) {
            places[i] = tensors.size();
            tensors.push_back({.name = slice.name, .slices = {}, .shape = slice.shape, .joining = {}});
        }
        tensors[places[first]].slices.emplace_back(i);
    }
    const std::size_t files = model.files.size();
    for (LegacyTensor& tensor : tensors) {
        const TensorInfo& first = model.tensor(tensor.slices.front());
        const auto unfit = [&] {
            return fail(ErrorCode::NotSupported, Place::tensor(std::string(tensor.name)),
                        {Argument(Detail::SlicesNotConverted, {files})});
        };
        std::vector<bool> has(files);
        for (const TensorIndex index : tensor.slices) {
            const TensorInfo& slice = model.tensor(index);
            if (slice.typeId != first.typeId || slice.shape != first.shape || has[slice.file.value]) {
                return unfit();
            }
            has[slice.file.value] = true;
        }
        if (tensor.slices.size() != files) {
            return unfit();
        }
        if (files == 1) {
            continue;
        }
        if (tensor.shape.count() == 2) {
            join(tensor);
            continue;
        }
        const auto copies = areCopies(model, tensor.slices);
        if (!copies || !*copies) {
            return copies ? unfit() : std::unexpected(copies.error());
        }
        tensor.slices.resize(1, TensorIndex(0));
    }
    return tensors;
}

} // namespace gufo::convert
