#include "analysis/weight_tile.h"

#include "base/detail.h"
#include "base/try.h"
#include "model/computed_weights.h"
#include "tensor/block_layout.h"
#include "tensor/decode.h"

#include <algorithm>
#include <bit>
#include <string>

namespace gufo {

std::int32_t firstStored(std::uint32_t typeId) {
    constexpr std::size_t kBytes = 256; // codes that take a byte each
    const BlockLayout* layout = findBlockLayout(typeId);
    return layout != nullptr && layout->levels.size() == kBytes && layout->levels.front() < 0 ? layout->levels.front()
                                                                                              : 0;
}

namespace {

std::uint64_t loadBits(const std::byte* from, const TensorTypeFact& type, ByteOrder order) {
    const bool integer = type.kind == TensorTypeKind::Integer && !type.isUnsigned;
    const auto extended = [](auto value) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)); };
    switch (type.blockBytes) {
    case 1:
        return integer ? extended(load<std::int8_t>(from, order)) : load<std::uint8_t>(from, order);
    case 2:
        return integer ? extended(load<std::int16_t>(from, order)) : load<std::uint16_t>(from, order);
    case 4:
        return integer ? extended(load<std::int32_t>(from, order)) : load<std::uint32_t>(from, order);
    default:
        return load<std::uint64_t>(from, order);
    }
}

// Reads the codes of the weights [first, first + count).
Result<> readCodes(const StoredRows& rows, std::uint64_t first, std::uint64_t count, std::uint64_t* out) {
    const std::uint64_t size = rows.type().blockSize;
    std::vector<std::uint16_t> codes;
    const std::int64_t firstOfCodes = firstStored(rows.type().id);
    for (std::uint64_t block = first / size; block * size < first + count; ++block) {
        codes.clear();
        GUFO_TRY(blockCodes(rows.type().id, rows.block(block * size), codes, rows.order));
        const std::uint64_t from = std::max(first, block * size);
        const std::uint64_t to = std::min(first + count, (block + 1) * size);
        for (std::uint64_t weight = from; weight < to; ++weight) {
            out[weight - first] = static_cast<std::uint64_t>(firstOfCodes + codes[weight - block * size]);
        }
    }
    return {};
}

// Reads a run of weights. All of them must be present.
Result<> readRun(const StoredRows& rows, std::uint64_t first, std::span<double> values, std::uint64_t* stored) {
    GUFO_TRY(decode64(rows, first, values));
    if (rows.type().kind == TensorTypeKind::Quantised) {
        return codeCount(rows.type().id) != 0 ? readCodes(rows, first, values.size(), stored) : Result<>();
    }
    for (std::uint64_t i = 0; i < values.size(); ++i) {
        stored[i] = loadBits(rows.block(first + i).bytes.data(), rows.type(), rows.order);
    }
    return {};
}

bool sameWeight(const WeightFields& a, const WeightFields& b) {
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    return bits(a.value) == bits(b.value) && a.code == b.code && bits(a.scale) == bits(b.scale) &&
           bits(a.minimum) == bits(b.minimum);
}

// Finds the decisive bytes of a block by trial, because only the decoder knows the layout of a type. Every other value
// of a byte is tried, because few entries of a code book may differ in one weight. The bytes of a range are tried
// together, and the range is halved while it has decisive bytes.
class DecisiveBytes {
public:
    DecisiveBytes(std::uint32_t type, const StoredBlock& block, std::uint32_t index, const WeightFields& fields,
                  ByteOrder order)
        : m_type(type)
        , m_block(block)
        , m_index(index)
        , m_fields(fields)
        , m_order(order)
        , m_changed(block.bytes.begin(), block.bytes.end())
        , m_decisive(block.bytes.size()) {}

    std::vector<bool> find() && {
        search(0, m_changed.size());
        return std::move(m_decisive);
    }

private:
    void search(std::size_t begin, std::size_t end) {
        if (begin == end || !changesTheWeight(begin, end)) {
            return;
        }
        if (end - begin == 1) {
            m_decisive[begin] = true;
            return;
        }
        const std::size_t middle = begin + (end - begin) / 2;
        search(begin, middle);
        search(middle, end);
    }

    bool changesTheWeight(std::size_t begin, std::size_t end) {
        bool changes = false;
        for (unsigned flipped = 255; flipped > 0 && !changes; --flipped) {
            for (std::size_t i = begin; i < end; ++i) {
                m_changed[i] = m_block.bytes[i] ^ std::byte(flipped);
            }
            const auto explained = explainWeight(m_type, {m_changed, m_block.header}, m_index, m_order);
            changes = !explained || !sameWeight(*explained, m_fields);
        }
        std::copy(m_block.bytes.begin() + begin, m_block.bytes.begin() + end, m_changed.begin() + begin);
        return changes;
    }

    std::uint32_t m_type;
    const StoredBlock& m_block;
    std::uint32_t m_index;
    const WeightFields& m_fields;
    ByteOrder m_order;
    std::vector<std::byte> m_changed;
    std::vector<bool> m_decisive;
};

void addConstants(std::vector<WeightExplanation::Constant>& constants, std::span<const BlockField> fields, Bytes from,
                  ByteOrder order) {
    for (const BlockField& field : fields) {
        const bool half = field.fieldSize == 2;
        if (field.bytes != field.fieldSize || (!half && field.fieldSize != 4) ||
            (field.name != "d" && field.name != "dmin" && field.name != "m")) {
            continue;
        }
        float value = 0;
        const auto floatType = static_cast<std::uint32_t>(half ? TensorType::F16 : TensorType::F32);
        const Bytes bytes = from.subspan(field.offset, field.bytes);
        if (decode(floatType, bytes, std::span(&value, 1), order)) {
            constants.push_back({.name = field.name, .value = value});
        }
    }
}

// A weight that no file contains has a value and no bytes.
Result<WeightExplanation> explainComputed(const ComputedWeights& computed, const TensorInfo& info, std::uint64_t index,
                                          const Place& place) {
    if (index >= info.weights()) {
        return fail(ErrorCode::InvalidArgument, place, {Argument(Detail::WeightOutsideTensor, {index})});
    }
    WeightExplanation explanation;
    explanation.block = index;
    GUFO_TRY(computed.check(info.offset));
    GUFO_TRY(computed.weights(info.offset, index, std::span(&explanation.fields.value, 1)));
    return explanation;
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
    const auto rows = GUFO_TRY(model.rowsOf(info));
    const std::uint64_t allRows = info.shape[request.rowDimension];
    bool inside = request.rowDimension >= 1 && request.firstRow <= allRows &&
                  request.rows <= allRows - request.firstRow && request.firstColumn <= info.shape[0] &&
                  request.columns <= info.shape[0] - request.firstColumn;
    for (std::size_t i = 1; i < info.shape.count(); ++i) {
        inside = inside && (i == request.rowDimension || request.fixed[i] < info.shape[i]);
    }
    if (!inside) {
        return fail(ErrorCode::InvalidArgument, place, {Detail::RangeOutsideTensor});
    }
    WeightTile tile{.firstRow = request.firstRow,
                    .firstColumn = request.firstColumn,
                    .rows = request.rows,
                    .columns = request.columns,
                    .values = std::vector<double>(request.rows * request.columns),
                    .stored = std::vector<std::uint64_t>(request.rows * request.columns),
                    .present = std::vector<bool>(request.rows * request.columns)};
    const std::uint64_t there = rows.weights();
    for (std::uint64_t row = 0; row < request.rows; ++row) {
        GUFO_TRY(job.check());
        const std::uint64_t first = weightIndex(info.shape, request, request.firstRow + row, request.firstColumn);
        const std::uint64_t count = first < there ? std::min(request.columns, there - first) : 0;
        const std::uint64_t at = row * request.columns;
        if (count == 0) {
            continue;
        }
        GUFO_TRY(readRun(rows, first, std::span(tile.values).subspan(at, count), tile.stored.data() + at));
        std::fill_n(tile.present.begin() + static_cast<std::ptrdiff_t>(at), count, true);
    }
    if (auto damage = model.sourceOf(info)->damage()) {
        return std::unexpected(*damage);
    }
    return tile;
}

Result<WeightExplanation> explainStoredWeight(const Model& model, TensorIndex tensor, std::uint64_t index) {
    const TensorInfo& info = model.tensor(tensor);
    const Place place = Place::tensor(std::string(info.name), index);
    if (const auto* computed = dynamic_cast<const ComputedWeights*>(model.sourceOf(info))) {
        return explainComputed(*computed, info, index, place);
    }
    const auto rows = model.rowsOf(info);
    if (!rows) {
        Error error = rows.error();
        error.place = error.code == ErrorCode::NotDecodable ? place : error.place;
        return std::unexpected(std::move(error));
    }
    if (index >= info.weights()) {
        return fail(ErrorCode::InvalidArgument, place, {Argument(Detail::WeightOutsideTensor, {index})});
    }
    const TensorTypeFact& type = rows->type();
    const std::uint64_t at = rows->layout.blockOffset(index);
    if (index >= rows->weights()) {
        return fail(ErrorCode::Truncated, place, {std::string(info.name), at + type.blockBytes, rows->bytes.size()});
    }
    const StoredBlock block = rows->block(index);
    WeightExplanation explanation;
    explanation.block = index / type.blockSize;
    explanation.offset = info.offset + at;
    explanation.bytes.assign(block.bytes.begin(), block.bytes.end());
    if (type.kind != TensorTypeKind::Quantised) {
        GUFO_TRY(decode(*rows, index, std::span(&explanation.fields.value, 1)));
        return explanation;
    }
    const auto inBlock = static_cast<std::uint32_t>(index % type.blockSize);
    explanation.fields = GUFO_TRY(explainWeight(type.id, block, inBlock, rows->order));
    addConstants(explanation.constants, rowHeaderFields(type.id), block.header, rows->order);
    addConstants(explanation.constants, blockFields(type.id), block.bytes, rows->order);
    return explanation;
}

Result<WeightExplanation> explainTensorWeight(const Model& model, TensorIndex tensor, std::uint64_t index) {
    auto explanation = GUFO_TRY(explainStoredWeight(model, tensor, index));
    if (explanation.bytes.empty()) { // computed, not stored
        return explanation;
    }
    const auto rows = GUFO_TRY(model.rowsOf(model.tensor(tensor)));
    const TensorTypeFact& type = rows.type();
    if (type.kind != TensorTypeKind::Quantised) {
        explanation.decisive.assign(explanation.bytes.size(), true);
        return explanation;
    }
    const auto inBlock = static_cast<std::uint32_t>(index % type.blockSize);
    explanation.decisive = DecisiveBytes(type.id, rows.block(index), inBlock, explanation.fields, rows.order).find();
    return explanation;
}

} // namespace gufo
