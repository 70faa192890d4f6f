#include "model/resized_rows.h"

#include "base/detail.h"
#include "tensor/encode.h"

#include <algorithm>

namespace gufo {
namespace {

constexpr std::uint64_t kDecodedAtOnce = std::uint64_t{1} << 16U; // weights

// The sum of all rows divided by their number, encoded as the tensor is.
Result<std::vector<std::byte>> meanRow(const Model& model, const TensorInfo& tensor, std::uint64_t rows,
                                       std::uint64_t rowBytes) {
    const StoredRows stored = GUFO_TRY(model.rowsOf(tensor));
    const std::uint64_t weights = tensor.weights() / rows;
    std::vector<double> sums(weights);
    std::vector<float> some;
    std::size_t column = 0;
    for (std::uint64_t at = 0; at < tensor.weights(); at += some.size()) {
        some.resize(std::min(kDecodedAtOnce, tensor.weights() - at));
        GUFO_TRY(decode(stored, at, some));
        for (const float weight : some) {
            sums[column] += static_cast<double>(weight);
            column = column + 1 == sums.size() ? 0 : column + 1;
        }
    }
    std::vector<float> mean(weights);
    std::ranges::transform(sums, mean.begin(),
                           [&](double sum) { return static_cast<float>(sum / static_cast<double>(rows)); });
    std::vector<std::byte> encoded(rowBytes);
    const std::uint64_t columns = tensor.shape.count() > 1 ? tensor.shape[0] : weights;
    GUFO_TRY(encode({.typeId = tensor.typeId, .columns = columns, .importance = {}}, mean, encoded));
    if (model.byteOrder == ByteOrder::Little) {
        return encoded;
    }
    std::vector<std::byte> swapped(rowBytes);
    const auto layout = RowLayout::of(*tensor.type(), columns); // encode() has checked it
    GUFO_TRY(swapByteOrder(*layout, 0, encoded, swapped));
    return swapped;
}

// Whether the ranges lie within the rows and ascend.
Result<> checkRows(const ResizeRows& change, std::uint64_t rows) {
    std::uint64_t next = 0;
    for (const RowRange& range : change.kept) {
        if (range.first < next || range.first > rows || range.count > rows - range.first) {
            return fail(ErrorCode::NoSuchElement, {}, {range.first, rows});
        }
        next = range.first + range.count;
    }
    for (const std::optional<std::uint64_t>& row : change.added) {
        if (row && *row >= rows) {
            return fail(ErrorCode::NoSuchElement, {}, {*row, rows});
        }
    }
    return {};
}

} // namespace

Result<std::shared_ptr<const Model>> ResizedRows::resize(std::shared_ptr<const Model> from, const TensorInfo& tensor,
                                                         const ResizeRows& change) {
    const Place place = Place::tensor(change.name);
    const auto at = [&](Error error) {
        error.place = place;
        return std::unexpected(std::move(error));
    };
    std::size_t last = tensor.shape.count(); // one more than the last dimension that counts
    while (last > 1 && tensor.shape[last - 1] == 1) {
        --last;
    }
    const std::uint64_t rows = last == 0 ? 0 : tensor.shape[last - 1];
    if (tensor.strides != nullptr) {
        return fail(ErrorCode::NotSupported, place, {Detail::WeightsNotInOrder});
    }
    if (tensor.type() == nullptr || tensor.bytesDerived || !tensor.bytes || rows == 0 || tensor.weights() == 0 ||
        *tensor.bytes % rows != 0) {
        return fail(ErrorCode::NotSupported, place, {Detail::TensorSizeUnknown});
    }
    if (auto fits = checkRows(change, rows); !fits) {
        return at(std::move(fits).error());
    }
    const auto bytes = from->bytesOf(tensor);
    if (!bytes) {
        return at(bytes.error());
    }
    if (!tensor.complete()) {
        return fail(ErrorCode::Truncated, place, {std::string(tensor.name), *tensor.bytes, tensor.bytesPresent});
    }
    const std::uint64_t rowBytes = *tensor.bytes / rows;
    auto made = std::shared_ptr<ResizedRows>(new ResizedRows);
    std::vector<std::byte> mean;
    for (const std::optional<std::uint64_t>& row : change.added) {
        if (!row && mean.empty()) {
            auto computed = meanRow(*from, tensor, rows, rowBytes);
            if (!computed) {
                return at(std::move(computed).error());
            }
            mean = *std::move(computed);
        }
        const Bytes added = row ? bytes->subspan(*row * rowBytes, rowBytes) : Bytes(mean);
        made->m_added.insert(made->m_added.end(), added.begin(), added.end());
    }
    std::uint64_t count = change.added.size();
    for (const RowRange& range : change.kept) {
        made->add(bytes->subspan(range.first * rowBytes, range.count * rowBytes));
        count += range.count;
    }
    made->add(made->m_added);
    if (count == 0) {
        return fail(ErrorCode::InvalidArgument, place, {Detail::NoRowLeft});
    }

    auto model = std::make_shared<Model>();
    model->byteOrder = from->byteOrder;
    model->layout = from->layout;
    auto name = std::make_shared<const std::string>(tensor.name);
    TensorInfo resized = tensor;
    resized.name = *name;
    resized.ownType = {};
    std::vector<std::uint64_t> dims(tensor.shape.dims().begin(), tensor.shape.dims().end());
    dims[last - 1] = count;
    resized.shape = Shape(dims);
    resized.file = FileIndex();
    resized.declaredOffset = 0;
    resized.offset = 0;
    resized.bytes = made->m_size;
    resized.bytesPresent = made->m_size;
    made->m_from = std::move(from);
    made->m_tensor = tensor;
    made->m_tensor.name = *name;
    made->m_change = change;
    model->owned.push_back(std::move(name));
    model->files.push_back(ModelFile{.source = std::move(made), .path = {}});
    model->tensors.push_back(resized);
    static_cast<void>(model->indexTensors()); // a single one repeats no name
    return model;
}

void ResizedRows::add(Bytes bytes) {
    if (!bytes.empty()) {
        m_pieces.push_back({m_size, bytes});
        m_size += bytes.size();
    }
}

std::vector<std::byte> ResizedRows::copy(ByteRange range) const {
    std::vector<std::byte> bytes;
    bytes.reserve(range.length);
    auto piece = std::prev(std::ranges::upper_bound(m_pieces, range.offset, {}, &Piece::offset));
    while (bytes.size() < range.length) {
        const std::uint64_t skipped = range.offset + bytes.size() - piece->offset;
        const Bytes rest = piece->bytes.subspan(skipped);
        const Bytes part = rest.first(std::min<std::uint64_t>(rest.size(), range.length - bytes.size()));
        bytes.insert(bytes.end(), part.begin(), part.end());
        ++piece;
    }
    return bytes;
}

Result<Bytes> ResizedRows::view(ByteRange range) const {
    if (!fits(range, m_size)) {
        return fail(ErrorCode::RangeOutsideFile, Place::atOffset(range.offset), {range.offset, range.length, m_size});
    }
    if (range.length == 0) {
        return Bytes();
    }
    const auto piece = std::prev(std::ranges::upper_bound(m_pieces, range.offset, {}, &Piece::offset));
    if (const std::uint64_t skipped = range.offset - piece->offset; range.length <= piece->bytes.size() - skipped) {
        return piece->bytes.subspan(skipped, range.length);
    }
    const std::scoped_lock lock(m_mutex);
    const std::pair whole(std::uint64_t{0}, m_size);
    if (const auto found = m_copies.find(whole); found != m_copies.end()) {
        return Bytes(found->second).subspan(range.offset, range.length);
    }
    // Readers of overlapping ranges would otherwise copy the tensor several times.
    if (m_copied + range.length > m_size) {
        return Bytes(m_copies.try_emplace(whole, copy({0, m_size})).first->second).subspan(range.offset, range.length);
    }
    const auto [entry, isNew] = m_copies.try_emplace({range.offset, range.length});
    if (isNew) {
        entry->second = copy(range);
        m_copied += range.length;
    }
    return Bytes(entry->second);
}

} // namespace gufo
