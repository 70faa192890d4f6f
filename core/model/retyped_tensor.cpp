#include "model/retyped_tensor.h"

#include "base/detail.h"
#include "base/parallel.h"
#include "tensor/decode.h"
#include "tensor/encode.h"

#include <algorithm>
#include <mutex>
#include <optional>

namespace gufo {
namespace {

constexpr std::uint64_t kWeightsAtOnce = std::uint64_t{1} << 16U;

// The weights [first, first + count) of a tensor, which are whole rows, in another type and in the byte order of the
// model.
Result<> encodeRows(const StoredRows& rows, const EncodeRequest& request, std::uint64_t first, ByteOrder order,
                    std::vector<float>& weights, std::span<std::byte> out) {
    GUFO_TRY(decode(rows, first, weights));
    if (order == ByteOrder::Little) {
        return gufo::encode(request, weights, out);
    }
    std::vector<std::byte> little(out.size());
    GUFO_TRY(gufo::encode(request, weights, little));
    const auto layout = RowLayout::of(*findTensorType(request.typeId), request.columns); // encode() has checked it
    return swapByteOrder(*layout, 0, little, out);
}

} // namespace

Result<std::shared_ptr<const Model>> RetypedTensor::encode(std::shared_ptr<const Model> from, const TensorInfo& tensor,
                                                           std::uint32_t typeId, const JobContext& job) {
    const Place place = Place::tensor(std::string(tensor.name));
    const auto at = [&](Error error) {
        error.place = place;
        return std::unexpected(std::move(error));
    };
    const TensorTypeFact* type = findTensorType(typeId);
    if (type == nullptr || !isEncodable(typeId)) {
        return fail(ErrorCode::NotEncodable, place,
                    {type != nullptr ? std::string(type->name) : "type " + std::to_string(typeId)});
    }
    if (!tensor.bytes || tensor.weights() == 0) {
        return fail(ErrorCode::NotSupported, place, {Detail::TensorSizeUnknown});
    }
    if (tensor.shape[0] % type->blockSize != 0) {
        return fail(ErrorCode::InvalidArgument, place,
                    {{Detail::RowNotWholeBlocks, {tensor.shape[0], type->name, type->blockSize}}});
    }
    if (const auto bytes = from->bytesOf(tensor); !bytes) {
        return at(bytes.error());
    }
    if (!tensor.complete()) {
        return fail(ErrorCode::Truncated, place, {std::string(tensor.name), *tensor.bytes, tensor.bytesPresent});
    }
    const auto rows = from->rowsOf(tensor);
    if (!rows) {
        return at(rows.error());
    }
    const auto size = tensorBytes(*type, tensor.shape);
    if (!size) {
        return fail(ErrorCode::NotSupported, place, {Detail::TensorSizeUnknown});
    }
    auto made = std::shared_ptr<RetypedTensor>(new RetypedTensor);
    made->m_bytes.resize(*size);
    const std::uint64_t columns = tensor.shape[0];
    const std::uint64_t rowBytes = type->rowHeaderBytes + columns / type->blockSize * type->blockBytes;
    const std::uint64_t rowCount = tensor.weights() / columns;
    const std::uint64_t grain = std::max<std::uint64_t>(1, kWeightsAtOnce / columns);
    const EncodeRequest request{.typeId = typeId, .columns = columns, .importance = {}};
    std::mutex mutex; // guards the error
    std::optional<Error> error;
    std::vector<std::vector<float>> weights(workerCount(rowCount, grain, job));
    const bool all = parallelFor(rowCount, grain, job, [&](std::uint64_t begin, std::uint64_t end, unsigned worker) {
        weights[worker].resize((end - begin) * columns);
        const auto done = encodeRows(*rows, request, begin * columns, from->byteOrder, weights[worker],
                                     std::span(made->m_bytes).subspan(begin * rowBytes, (end - begin) * rowBytes));
        job.advance((end - begin) * columns);
        if (!done) {
            const std::scoped_lock lock(mutex);
            error = error ? error : done.error();
        }
    });
    if (error) {
        return at(*std::move(error));
    }
    if (!all) {
        return fail(ErrorCode::Cancelled);
    }
    if (const auto damage = from->sourceOf(tensor)->damage()) {
        return std::unexpected(*damage);
    }

    auto model = std::make_shared<Model>();
    model->byteOrder = from->byteOrder;
    model->layout = from->layout;
    auto name = std::make_shared<const std::string>(tensor.name);
    TensorInfo retyped = tensor;
    retyped.name = *name;
    retyped.ownType = {};
    retyped.typeId = typeId;
    retyped.strides = nullptr;
    retyped.bytesDerived = false;
    retyped.file = FileIndex();
    retyped.declaredOffset = 0;
    retyped.offset = 0;
    retyped.bytes = *size;
    retyped.bytesPresent = *size;
    made->m_from = std::move(from);
    made->m_tensor = tensor;
    made->m_tensor.name = *name;
    model->owned.push_back(std::move(name));
    model->files.push_back(ModelFile{.source = std::move(made), .path = {}});
    model->tensors.push_back(retyped);
    static_cast<void>(model->indexTensors()); // a single one repeats no name
    return model;
}

Result<Bytes> RetypedTensor::view(ByteRange range) const {
    if (!fits(range, m_bytes.size())) {
        return fail(ErrorCode::RangeOutsideFile, Place::atOffset(range.offset),
                    {range.offset, range.length, std::uint64_t{m_bytes.size()}});
    }
    return Bytes(m_bytes).subspan(range.offset, range.length);
}

} // namespace gufo
