#include "analysis/weight_tile.h"

#include "tensor/decode.h"

#include <algorithm>
#include <bit>
#include <string>

namespace gufo {
namespace {

std::uint64_t loadBits(const std::byte* from, const TensorTypeInfo& type, ByteOrder order) {
    const bool integer = type.kind == TensorTypeKind::Integer;
    const auto extended = [](auto value) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)); };
    switch (type.blockBytes) {
    case 1:
        return extended(load<std::int8_t>(from, order));
    case 2:
        return integer ? extended(load<std::int16_t>(from, order)) : load<std::uint16_t>(from, order);
    case 4:
        return integer ? extended(load<std::int32_t>(from, order)) : load<std::uint32_t>(from, order);
    default:
        return load<std::uint64_t>(from, order);
    }
}

struct Encoded {
    const TensorTypeInfo& type;
    Bytes bytes;
    ByteOrder order;
};

// Codes of the weights [first, first + count).
Result<> readCodes(const Encoded& in, std::uint64_t first, std::uint64_t count, std::uint64_t* out) {
    const std::uint64_t size = in.type.blockSize;
    std::vector<std::uint16_t> codes;
    for (std::uint64_t block = first / size; block * size < first + count; ++block) {
        codes.clear();
        const Bytes bytes = in.bytes.subspan(block * in.type.blockBytes, in.type.blockBytes);
        if (auto read = blockCodes(in.type.id, bytes, codes, in.order); !read) {
            return read;
        }
        const std::uint64_t from = std::max(first, block * size);
        const std::uint64_t to = std::min(first + count, (block + 1) * size);
        std::copy_n(codes.begin() + static_cast<std::ptrdiff_t>(from - block * size), to - from, out + (from - first));
    }
    return {};
}

// A run of weights that are all present.
Result<> readRun(const Encoded& in, std::uint64_t first, std::uint64_t count, double* values, std::uint64_t* stored) {
    const std::uint64_t size = in.type.blockBytes;
    if (needsDouble(in.type.id)) {
        if (auto decoded =
                decode64(in.type.id, in.bytes.subspan(first * size, count * size), std::span(values, count), in.order);
            !decoded) {
            return decoded;
        }
    } else {
        std::vector<float> floats(count);
        if (auto decoded = decodeRange(in.type.id, in.bytes, first, floats, in.order); !decoded) {
            return decoded;
        }
        std::ranges::copy(floats, values);
    }
    if (in.type.kind == TensorTypeKind::Quantised) {
        return codeCount(in.type.id) != 0 ? readCodes(in, first, count, stored) : Result<>();
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        stored[i] = loadBits(in.bytes.data() + (first + i) * size, in.type, in.order);
    }
    return {};
}

bool sameWeight(const WeightFields& a, const WeightFields& b) {
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    return bits(a.value) == bits(b.value) && a.code == b.code && bits(a.scale) == bits(b.scale) &&
           bits(a.minimum) == bits(b.minimum);
}

// Each bit alone, then bits together: an entry of a code book may differ only where several bits do.
constexpr unsigned kProbes = 40;

// Found by trying: the layout of every type is known to its decoder only.
std::vector<bool> decisiveBytes(std::uint32_t type, Bytes block, std::uint32_t index, const WeightFields& fields,
                                ByteOrder order) {
    std::vector<std::byte> changed(block.begin(), block.end());
    std::vector<bool> decisive(block.size());
    for (std::size_t i = 0; i < changed.size(); ++i) {
        for (unsigned probe = 0; probe < kProbes && !decisive[i]; ++probe) {
            changed[i] = block[i] ^ (probe < 8 ? std::byte(1U << probe) : std::byte(probe * 73U & 0xFFU));
            const auto explained = explainWeight(type, changed, index, order);
            decisive[i] = !explained || !sameWeight(*explained, fields);
        }
        changed[i] = block[i];
    }
    return decisive;
}

void addConstants(WeightExplanation& explanation, std::uint32_t type, ByteOrder order) {
    for (const BlockField& field : blockFields(type)) {
        const bool half = field.fieldSize == 2;
        if (field.bytes != field.fieldSize || (!half && field.fieldSize != 4) ||
            (field.name != "d" && field.name != "dmin" && field.name != "m")) {
            continue;
        }
        float value = 0;
        const auto floatType = static_cast<std::uint32_t>(half ? TensorType::F16 : TensorType::F32);
        const Bytes bytes = Bytes(explanation.bytes).subspan(field.offset, field.bytes);
        if (decode(floatType, bytes, std::span(&value, 1), order)) {
            explanation.constants.push_back({.name = field.name, .value = value});
        }
    }
}

} // namespace

std::uint64_t weightIndex(const Shape& shape, const SliceRequest& matrix, std::uint64_t row, std::uint64_t column) {
    std::uint64_t index = column;
    std::uint64_t stride = shape[0];
    for (std::size_t i = 1; i < shape.count(); ++i) {
        index += stride * (i == matrix.rowDimension ? row : matrix.fixed[i]);
        stride *= shape[i];
    }
    return index;
}

WeightPosition weightPosition(const Shape& shape, std::uint64_t index, std::size_t rowDimension) {
    WeightPosition position;
    for (std::size_t i = 0; i < shape.count(); ++i) {
        const std::uint64_t at = index % shape[i];
        index /= shape[i];
        (i == 0 ? position.column : i == rowDimension ? position.row : position.fixed[i]) = at;
    }
    return position;
}

Result<WeightTile> readWeightTile(const Model& model, TensorIndex tensor, const SliceRequest& request,
                                  const JobContext& job) {
    const TensorInfo& info = model.tensor(tensor);
    const Place place = Place::tensor(std::string(info.name));
    if (!isDecodable(info.typeId)) {
        return fail(ErrorCode::NotDecodable, place, {info.typeName()});
    }
    const auto bytes = model.bytesOf(info);
    if (!bytes) {
        return std::unexpected(bytes.error());
    }
    const std::uint64_t allRows = info.shape[request.rowDimension];
    bool inside = request.rowDimension >= 1 && request.firstRow <= allRows &&
                  request.rows <= allRows - request.firstRow && request.firstColumn <= info.shape[0] &&
                  request.columns <= info.shape[0] - request.firstColumn;
    for (std::size_t i = 1; i < info.shape.count(); ++i) {
        inside = inside && (i == request.rowDimension || request.fixed[i] < info.shape[i]);
    }
    if (!inside) {
        return fail(ErrorCode::InvalidArgument, place, {"slice"});
    }
    WeightTile tile{.firstRow = request.firstRow,
                    .firstColumn = request.firstColumn,
                    .rows = request.rows,
                    .columns = request.columns,
                    .values = std::vector<double>(request.rows * request.columns),
                    .stored = std::vector<std::uint64_t>(request.rows * request.columns),
                    .present = std::vector<bool>(request.rows * request.columns)};
    const Encoded in{.type = *info.type(), .bytes = *bytes, .order = model.byteOrder};
    const std::uint64_t there = in.bytes.size() / in.type.blockBytes * in.type.blockSize;
    for (std::uint64_t row = 0; row < request.rows; ++row) {
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const std::uint64_t first = weightIndex(info.shape, request, request.firstRow + row, request.firstColumn);
        const std::uint64_t count = first < there ? std::min(request.columns, there - first) : 0;
        const std::uint64_t at = row * request.columns;
        if (count == 0) {
            continue;
        }
        if (auto read = readRun(in, first, count, tile.values.data() + at, tile.stored.data() + at); !read) {
            return std::unexpected(read.error());
        }
        std::fill_n(tile.present.begin() + static_cast<std::ptrdiff_t>(at), count, true);
    }
    if (auto damage = model.sourceOf(info)->damage()) {
        return std::unexpected(*damage);
    }
    return tile;
}

Result<WeightExplanation> explainTensorWeight(const Model& model, TensorIndex tensor, std::uint64_t index) {
    const TensorInfo& info = model.tensor(tensor);
    const Place place = Place::tensor(std::string(info.name), index);
    if (!isDecodable(info.typeId)) {
        return fail(ErrorCode::NotDecodable, place, {info.typeName()});
    }
    const auto bytes = model.bytesOf(info);
    if (!bytes) {
        return std::unexpected(bytes.error());
    }
    if (index >= info.weights()) {
        return fail(ErrorCode::InvalidArgument, place, {"weight " + std::to_string(index)});
    }
    const TensorTypeInfo& type = *info.type();
    WeightExplanation explanation;
    explanation.block = index / type.blockSize;
    const std::uint64_t at = explanation.block * type.blockBytes;
    if (!fits({at, type.blockBytes}, bytes->size())) {
        return fail(ErrorCode::Truncated, place,
                    {std::string(info.name), std::to_string(at + type.blockBytes), std::to_string(bytes->size())});
    }
    explanation.offset = info.offset + at;
    const Bytes block = bytes->subspan(at, type.blockBytes);
    explanation.bytes.assign(block.begin(), block.end());
    if (type.kind != TensorTypeKind::Quantised) {
        explanation.decisive.assign(block.size(), true);
        if (auto decoded = decode(type.id, block, std::span(&explanation.fields.value, 1), model.byteOrder); !decoded) {
            return std::unexpected(decoded.error());
        }
        return explanation;
    }
    const auto inBlock = static_cast<std::uint32_t>(index % type.blockSize);
    const auto fields = explainWeight(type.id, explanation.bytes, inBlock, model.byteOrder);
    if (!fields) {
        return std::unexpected(fields.error());
    }
    explanation.fields = *fields;
    explanation.decisive = decisiveBytes(type.id, explanation.bytes, inBlock, *fields, model.byteOrder);
    addConstants(explanation, type.id, model.byteOrder);
    return explanation;
}

} // namespace gufo
