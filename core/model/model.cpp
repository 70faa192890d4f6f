#include "model/model.h"

#include "base/checked.h"
#include "base/detail.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace gufo {

Shape::Shape(std::span<const std::uint64_t> dims)
    : m_count(dims.size()) {
    assert(dims.size() <= kMaxDimensions);
    std::ranges::copy(dims, m_dims.begin());
}

std::optional<std::uint64_t> Shape::weights() const {
    if (std::ranges::find(dims(), 0U) != dims().end()) {
        return 0;
    }
    std::optional<std::uint64_t> product = 1;
    for (const std::uint64_t dim : dims()) {
        product = product ? checkedMultiply(*product, dim) : std::nullopt;
    }
    return product;
}

std::optional<std::uint64_t> Shape::rows() const {
    const auto total = weights();
    return !total ? std::nullopt : *total == 0 ? std::optional<std::uint64_t>(0) : std::optional(*total / (*this)[0]);
}

std::optional<std::uint64_t> tensorBytes(const TensorTypeFact& type, const Shape& shape) {
    const auto rows = shape.rows();
    return rows ? tensorBytes(type, shape[0], *rows) : std::nullopt;
}

std::string TensorInfo::typeName() const {
    if (!ownType.empty()) {
        return std::string(ownType);
    }
    const TensorTypeFact* info = type();
    return info != nullptr ? std::string(info->name) : "type " + std::to_string(typeId);
}

std::optional<double> TensorInfo::bitsPerWeight() const {
    const std::uint64_t count = weights();
    return bytes && count != 0 ? std::optional(8.0 * static_cast<double>(*bytes) / static_cast<double>(count))
                               : std::nullopt;
}

std::optional<TensorIndex> Model::findTensor(std::string_view name) const {
    const auto found = m_byName.find(name, [&](std::uint32_t i) { return tensors[i].name; });
    return found ? std::optional(TensorIndex(*found)) : std::nullopt;
}

Result<Bytes> Model::bytesOf(const TensorInfo& tensor) const {
    const ModelFile& file = files[tensor.file.value];
    if (file.source == nullptr) {
        return std::unexpected(Error{ErrorCode::FileNotFound, file.path, {}, {}, 0});
    }
    if (!tensor.bytes) {
        return fail(ErrorCode::NotSupported, Place::tensor(std::string(tensor.name)), {tensor.typeName()});
    }
    if (tensor.strides != nullptr && tensor.bytesPresent != 0) {
        const TensorTypeFact* type = tensor.type();
        const auto extent = type != nullptr ? checkedMultiply(tensor.strides->extent, type->blockBytes) : std::nullopt;
        return file.source->view({tensor.offset, extent.value_or(0)});
    }
    if (tensor.strides != nullptr && *tensor.bytes > file.source->size()) { // repeats the same bytes
        return fail(ErrorCode::LimitExceeded, Place::tensor(std::string(tensor.name)),
                    {Detail::RepeatedBytes, *tensor.bytes, file.source->size()});
    }
    if (tensor.bytesPresent == 0 && *tensor.bytes != 0) { // its offset may lie outside of the file
        return fail(ErrorCode::Truncated, Place::tensor(std::string(tensor.name)),
                    {std::string(tensor.name), *tensor.bytes, 0});
    }
    return file.source->view({tensor.offset, tensor.bytesPresent});
}

Result<StoredRows> Model::rowsOf(const TensorInfo& tensor) const {
    if (!isDecodable(tensor.typeId) || tensor.bytesDerived) {
        return fail(ErrorCode::NotDecodable, Place::tensor(std::string(tensor.name)), {tensor.typeName()});
    }
    const auto bytes = GUFO_TRY(bytesOf(tensor));
    return tensor.strides != nullptr ? StoredRows::strided(tensor.typeId, *tensor.strides, bytes, byteOrder)
                                     : StoredRows::of(tensor.typeId, tensor.shape[0], bytes, byteOrder);
}

FileIndex Model::shardOf(TensorIndex index) const {
    const auto isOwn = [&](const TensorInfo& tensor) { return !isImported(tensor); };
    for (std::size_t i = index.value + std::size_t{1}; i-- > 0;) {
        if (isOwn(tensors[i])) {
            return tensors[i].file;
        }
    }
    const auto first = std::ranges::find_if(tensors, isOwn);
    return first != tensors.end() ? first->file : FileIndex();
}

Model::Totals Model::totals() const {
    Totals totals;
    std::uint64_t weightsOfKnownSize = 0;
    for (const TensorInfo& tensor : tensors) {
        totals.weights += tensor.weights();
        totals.tensorBytes += tensor.bytes.value_or(0);
        weightsOfKnownSize += tensor.bytes ? tensor.weights() : 0;
    }
    for (const ModelFile& file : std::span(files).first(shardCount())) {
        totals.fileBytes += file.source != nullptr ? file.source->size() : 0;
    }
    if (weightsOfKnownSize != 0) {
        totals.bitsPerWeight = 8.0 * static_cast<double>(totals.tensorBytes) / static_cast<double>(weightsOfKnownSize);
    }
    return totals;
}

std::vector<Model::TypeShare> Model::typeShares() const {
    std::map<std::pair<std::uint32_t, std::string_view>, TypeShare> byType;
    for (const TensorInfo& tensor : tensors) {
        TypeShare& share = byType[{tensor.typeId, tensor.ownType}];
        if (share.tensors == 0) {
            share.typeId = tensor.typeId;
            share.name = tensor.typeName();
        }
        ++share.tensors;
        share.weights += tensor.weights();
        share.bytes += tensor.bytes.value_or(0);
    }
    std::vector<TypeShare> shares;
    for (auto& [type, share] : byType) {
        shares.push_back(std::move(share));
    }
    std::ranges::sort(shares, [](const TypeShare& a, const TypeShare& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : std::pair(a.typeId, a.name) < std::pair(b.typeId, b.name);
    });
    return shares;
}

std::vector<TensorIndex> Model::indexTensors() {
    std::vector<TensorIndex> duplicates;
    const auto& named = std::as_const(tensors);
    const auto nameAt = [&](std::uint32_t i) { return named[i].name; };
    for (std::size_t i = 0; i < named.size(); ++i) {
        if (!m_byName.add(named[i].name, static_cast<std::uint32_t>(i), nameAt)) {
            duplicates.emplace_back(i);
        }
    }
    return duplicates;
}

} // namespace gufo
