#include "inference/engine/binding/binder.h"

#include "base/checked.h"
#include "tensor/decode.h"
#include "tensor/kernels/kernels.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <ranges>

namespace gufo::inference {
namespace {

std::string shapeText(std::span<const std::uint64_t> dims) {
    std::string text;
    for (const std::uint64_t dim : dims) {
        text += (text.empty() ? "" : " × ") + (dim == Binder::kAsInFile ? "…" : std::to_string(dim));
    }
    return text;
}

// Matrices of up to so many columns, a single super-block, have finer activations.
constexpr std::uint64_t kNarrow = 256;

// The limit of zeros that take the place of small tensors whose data are not read, because their sizes are only claims
// of the file.
constexpr std::uint64_t kMostZeros = std::uint64_t{128} << 20U; // bytes

} // namespace

void Binder::refuse(ErrorCode code, const TensorInfo& tensor, Arguments args) {
    m_refusal.add(Error{code, {}, Place::tensor(std::string(tensor.name)), std::move(args), 0});
}

void Binder::refuseShape(const TensorInfo& tensor, std::initializer_list<std::uint64_t> expected) {
    if (m_report != nullptr) {
        m_report->misshapen.push_back({.tensor = *m_model.findTensor(tensor.name), .dims = expected});
    }
    refuse(ErrorCode::WrongShape, tensor, {shapeText(tensor.shape.dims()), shapeText(expected)});
}

bool Binder::isNeeded(std::string_view name) const {
    if (name.starts_with(m_prefix)) {
        name.remove_prefix(m_prefix.size());
    }
    return std::ranges::any_of(m_needed | std::views::split(','),
                               [&](const auto& each) { return std::string_view(each) == name; });
}

void Binder::mark(TensorIndex tensor) {
    m_taken[tensor.value] = true;
    if (m_report != nullptr && !m_report->parts[tensor.value]) {
        m_report->parts[tensor.value] = m_part;
    }
}

const TensorInfo* Binder::take(const std::string& name, std::initializer_list<std::uint64_t> dims, Need need) {
    const auto index = m_model.findTensor(name);
    if (!index) {
        const bool required = need == Need::Must || isNeeded(name);
        if (m_report != nullptr) {
            m_report->absent.push_back({.name = name, .dims = dims, .required = required});
        }
        if (required) {
            m_refusal.add(ErrorCode::NoSuchTensor, Place::tensor(name), name);
        }
        return nullptr;
    }
    mark(*index);
    const TensorInfo& tensor = m_model.tensor(*index);
    if (!isDecodable(tensor.typeId) || tensor.bytesDerived) {
        m_refusal.add(ErrorCode::NotRunnable, Place::tensor(name), tensor.typeName());
        return nullptr;
    }
    return &tensor;
}

Bytes Binder::bytesOf(const TensorInfo& tensor) {
    auto bytes = m_model.bytesOf(tensor);
    if (!bytes) {
        m_refusal.add(std::move(bytes.error()));
        return {};
    }
    if (!tensor.complete() || bytes->size() != *tensor.bytes || bytes->empty()) {
        refuse(ErrorCode::Truncated, tensor, {std::string(tensor.name), tensor.bytes.value_or(0), tensor.bytesPresent});
        return {};
    }
    return *bytes;
}

// Compares every dimension, not only their product, because callers rely on rows and columns.
Matrix Binder::bind(std::string_view name, std::uint64_t columns, std::uint64_t rows, std::uint64_t count, Need need) {
    const TensorInfo* tensor = take(nameOf(name), {columns, rows, count}, need);
    if (tensor == nullptr) {
        return {};
    }
    const std::uint64_t height = rows != kAsInFile ? rows : tensor->shape[1];
    const auto total = checkedMultiply(columns, height);
    const auto all = total ? checkedMultiply(*total, count) : std::nullopt;
    // A matrix of one row may lack the second dimension. The matrices of a stack may be counted by one dimension or
    // two.
    if (!all || *all == 0 || tensor->shape[0] != columns || tensor->shape[1] != height ||
        tensor->shape.weights() != *all) {
        if (count != 1) {
            refuseShape(*tensor, {columns, rows, count});
        } else {
            refuseShape(*tensor, {columns, rows});
        }
        return {};
    }
    const Bytes bytes = m_small != SmallTensors::NotViewed ? bytesOf(*tensor) : Bytes();
    if (bytes.empty() && m_small != SmallTensors::NotViewed) {
        return {};
    }
    const auto bytesOfRow = rowBytes(*tensor->type(), columns);
    const auto bytesOfAll = tensorBytes(*tensor->type(), columns, *all / columns);
    if (!bytesOfRow || (bytesOfAll != bytes.size() && m_small != SmallTensors::NotViewed)) {
        refuse(ErrorCode::Truncated, *tensor, {std::string(tensor->name), bytesOfAll.value_or(0), bytes.size()});
        return {};
    }
    Matrix matrix{.typeId = tensor->typeId,
                  .data = bytes.data(),
                  .columns = columns,
                  .rows = height,
                  .experts = count,
                  .expertRows = height,
                  .rowBytes = *bytesOfRow,
                  .order = m_model.byteOrder};
    if (!bytes.empty()) { // the tensors of a planned model have no source
        const auto* mixed = dynamic_cast<const MixedStack*>(m_model.sourceOf(*tensor));
        if (mixed != nullptr && !bindForeign(*mixed, *tensor, matrix)) {
            return {};
        }
    }
    return columns <= kNarrow ? withFinerActivations(matrix) : matrix;
}

bool Binder::bindForeign(const MixedStack& mixed, const TensorInfo& tensor, Matrix& matrix) {
    std::vector<ForeignMatrix> foreign(matrix.experts);
    if (matrix.experts < 2 || mixed.matrices().size() != matrix.experts) {
        refuse(ErrorCode::NotRunnable, tensor, {tensor.typeName()});
        return false;
    }
    for (std::size_t i = 0; i < foreign.size(); ++i) {
        const MixedStack::Matrix& other = mixed.matrices()[i];
        if (other.bytes.empty()) {
            continue;
        }
        const TensorTypeFact* const type = findTensorType(other.typeId);
        const auto bytesOfRow = type != nullptr ? rowBytes(*type, matrix.columns) : std::nullopt;
        if (!bytesOfRow || !isDecodable(other.typeId) ||
            tensorBytes(*type, matrix.columns, matrix.rows) != other.bytes.size()) {
            refuse(ErrorCode::NotRunnable, tensor,
                   {type != nullptr ? std::string(type->name) : std::to_string(other.typeId)});
            return false;
        }
        foreign[i] = {.typeId = other.typeId, .data = other.bytes.data(), .rowBytes = *bytesOfRow};
        const ProductKernels& products = activeKernels().products;
        m_weights.hasFloat16 = m_weights.hasFloat16 || products.int16[other.typeId] != nullptr;
        if (matrix.columns <= kNarrow && products.int8[other.typeId].dot != nullptr) {
            m_weights.widestFiner = std::max(m_weights.widestFiner, matrix.columns);
        }
    }
    matrix.foreign = m_weights.foreign.emplace_back(std::move(foreign));
    return true;
}

void Binder::count(const Matrix& matrix, Use use, std::uint64_t used) {
    if (!matrix) {
        return;
    }
    m_weights.widestRow = std::max(m_weights.widestRow, matrix.columns);
    m_weights.hasFloat16 = m_weights.hasFloat16 || activeKernels().products.int16[matrix.typeId] != nullptr;
    m_weights.bytesPerToken += matrix.rows * matrix.rowBytes * used;
    if (use == Use::Products) {
        m_weights.productsPerToken += matrix.rows * matrix.columns * used;
    }
}

Matrix Binder::biased(Matrix matrix, std::string_view name) {
    if (matrix) {
        const TensorInfo* tensor = counted(std::string(name) + ".bias", matrix.rows * matrix.experts, Need::May);
        const bool viewed = m_small != SmallTensors::NotViewed;
        std::vector<float> bias = tensor != nullptr && viewed ? decoded(*tensor) : std::vector<float>();
        if (tensor != nullptr && !viewed) { // stacks of many experts are large, and zeros would be of no use
            countSmall(tensor->weights());
        }
        if (!bias.empty()) {
            matrix.bias = m_weights.biases.emplace_back(std::move(bias));
        }
    }
    return matrix;
}

Matrix Binder::scaled(Matrix matrix, std::string_view name) {
    if (matrix) {
        const std::string scale = std::string(name) + ".scale";
        const auto index = m_model.findTensor(m_prefix + scale);
        const bool common = index && m_model.tensor(*index).weights() == 1;
        std::vector<float> factors = floats(scale, common ? 1 : matrix.experts, Need::May);
        if (!factors.empty()) {
            matrix.factors = m_weights.biases.emplace_back(std::move(factors));
        }
    }
    return matrix;
}

Matrix Binder::matrix(std::string_view name, std::uint64_t columns, std::uint64_t rows, Need need) {
    return stack(name, columns, rows, {.count = 1, .used = 1}, need);
}

Matrix Binder::unscaled(std::string_view name, std::uint64_t columns, std::uint64_t rows, Need need) {
    const Matrix result = biased(bind(name, columns, rows, 1, need), name);
    count(result, Use::Products, 1);
    return result;
}

Matrix Binder::stack(std::string_view name, std::uint64_t columns, std::uint64_t rows, Stack stack, Need need) {
    const Matrix result = scaled(biased(bind(name, columns, rows, stack.count, need), name), name);
    count(result, Use::Products, stack.used);
    return result;
}

Matrix Binder::withFinerActivations(Matrix matrix) {
    matrix.finerActivations = true;
    if (activeKernels().products.int8[matrix.typeId].dot != nullptr) {
        m_weights.widestFiner = std::max(m_weights.widestFiner, matrix.columns);
    }
    return matrix;
}

Matrix Binder::headMatrix(std::string_view name, std::uint64_t columns, std::uint64_t rows, std::uint64_t heads) {
    const bool below = rowsOf(name) == rows * heads;
    Matrix all =
        below ? bind(name, columns, rows * heads, 1, Need::Must) : bind(name, columns, rows, heads, Need::Must);
    if (all && !all.foreign.empty()) { // the heads are multiplied as one matrix
        refuse(ErrorCode::NotRunnable, m_model.tensor(*m_model.findTensor(nameOf(name))), {std::string(name)});
        return {};
    }
    if (all) {
        all.rows = rows * heads;
        all.experts = 1;
        all.expertRows = all.rows;
    }
    count(all, Use::Products, 1);
    return scaled(all, name);
}

Matrix Binder::joinedHeads(std::string_view name, std::uint64_t columns, std::uint64_t rows) {
    const Matrix all = bind(name, columns, rows, 1, Need::Must);
    count(all, Use::Products, 1);
    return scaled(all, name);
}

Matrix Binder::table(std::string_view name, std::uint64_t columns, std::uint64_t maxRows, Need need) {
    const Matrix result = bind(name, columns, kAsInFile, 1, need);
    if (result.rows > maxRows) {
        refuseShape(m_model.tensor(*m_model.findTensor(nameOf(name))), {columns, maxRows});
        return {};
    }
    return result;
}

Matrix Binder::fullTable(std::string_view name, std::uint64_t columns, std::uint64_t rows) {
    return bind(name, columns, rows, 1, Need::Must);
}

Matrix Binder::output(std::string_view name, std::uint64_t columns, std::uint64_t rows, const Matrix& table) {
    const Matrix bound = scaled(biased(bind(name, columns, rows, 1, Need::May), name), name);
    const Matrix& result = bound ? bound : table;
    count(result, Use::Output, 1);
    return result;
}

void Binder::countSmall(std::uint64_t weights) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 60U; // more than any machine has
    const auto bytes = (CheckedSize(weights) * sizeof(float) + m_weights.smallBytes).value();
    m_weights.smallBytes = std::min(bytes.value_or(kMost), kMost);
}

std::vector<float> Binder::decoded(const TensorInfo& tensor) {
    if (m_small == SmallTensors::NotViewed) {
        if (tensor.weights() > (kMostZeros - m_zeros) / sizeof(float)) {
            countSmall(tensor.weights());
            if (m_report != nullptr) {
                m_report->complete = false;
            }
            return {};
        }
        m_zeros += tensor.weights() * sizeof(float);
    } else if (bytesOf(tensor).empty()) {
        return {};
    }
    std::vector<float> values(tensor.weights());
    countSmall(values.size());
    if (m_small != SmallTensors::Decoded) {
        return values;
    }
    const auto rows = m_model.rowsOf(tensor);
    auto done = rows ? decode(*rows, 0, values) : std::unexpected(rows.error());
    if (!done) {
        m_refusal.add(std::move(done.error()));
    }
    return values;
}

const TensorInfo* Binder::counted(std::string_view name, std::uint64_t count, Need need) {
    const TensorInfo* tensor = take(m_prefix + std::string(name), {count}, need);
    if (tensor != nullptr && (count == 0 || tensor->weights() != count)) {
        refuseShape(*tensor, {count});
        return nullptr;
    }
    return tensor;
}

std::vector<float> Binder::floats(std::string_view name, std::uint64_t count, Need need) {
    const TensorInfo* tensor = counted(name, count, need);
    return tensor != nullptr ? decoded(*tensor) : std::vector<float>();
}

std::vector<float> Binder::grid(std::string_view name, std::uint64_t columns, std::uint64_t rows, Need need) {
    const TensorInfo* tensor = take(m_prefix + std::string(name), {columns, rows}, need);
    if (tensor == nullptr) {
        return {};
    }
    if (tensor->weights() == 0 || tensor->shape[0] != columns || tensor->weights() != checkedMultiply(columns, rows)) {
        refuseShape(*tensor, {columns, rows});
        return {};
    }
    return decoded(*tensor);
}

Norm Binder::norm(std::string_view name, std::uint64_t length, Need need) {
    const std::string full(name);
    // Files of Falcon H1 have a norm without the usual ending.
    const bool bare = !m_model.findTensor(nameOf(name)) && m_model.findTensor(m_prefix + full);
    Norm norm{.weight = floats(bare ? full : full + ".weight", length, need), .bias = {}, .length = length};
    if (norm) {
        norm.bias = floats(full + ".bias", length, Need::May);
    }
    return norm;
}

Norm Binder::headNorm(std::string_view name, std::uint64_t length, std::uint64_t heads) {
    const std::string full(name);
    const auto index = m_model.findTensor(nameOf(name));
    const TensorInfo* tensor = index ? &m_model.tensor(*index) : nullptr;
    if (tensor == nullptr || tensor->weights() == length) {
        return norm(name, length, Need::May);
    }
    const std::uint64_t all = length * heads;
    Norm norm{.weight = floats(full + ".weight", all),
              .bias = floats(full + ".bias", all, Need::May),
              .length = tensor->shape[0]};
    if (norm && norm.length != length && norm.length != all) {
        refuseShape(*tensor, {length, heads});
        return {};
    }
    return norm;
}

bool Binder::has(std::string_view name, std::initializer_list<std::uint64_t> dims) {
    const std::string full = nameOf(name);
    const bool found = m_model.findTensor(full).has_value();
    if (!found && dims.size() != 0 && m_report != nullptr) {
        m_report->absent.push_back({.name = full, .dims = dims, .required = false});
    }
    return found;
}

std::uint64_t Binder::rowsOf(std::string_view name) const {
    const auto index = m_model.findTensor(nameOf(name));
    return index ? m_model.tensor(*index).shape[1] : 0;
}

void Binder::leaveOut(std::string_view name) {
    if (const auto index = m_model.findTensor(nameOf(name)); index && !m_taken[index->value]) {
        mark(*index);
        m_weights.leftOut.emplace_back(m_model.tensor(*index).name);
    }
}

Result<> Binder::finishBlock(std::size_t index) {
    for (std::size_t i = 0; i < m_taken.size(); ++i) {
        m_taken[i] = m_taken[i] || !m_model.tensors[i].name.starts_with(m_prefix);
    }
    return finish(index + 1, index + 1);
}

Result<> Binder::finish(std::size_t run, std::size_t declared) {
    for (std::size_t i = 0; i < m_taken.size(); ++i) {
        if (m_taken[i]) {
            continue;
        }
        std::string name(m_model.tensors[i].name);
        if (mayBeLeftOut(name, run, declared)) {
            m_weights.leftOut.push_back(std::move(name));
        } else {
            if (m_report != nullptr) {
                m_report->unused.push_back(TensorIndex{static_cast<std::uint32_t>(i)});
            }
            m_refusal.add(ErrorCode::TensorsNotUsed, Place::tensor(name), name);
        }
    }
    if (m_refusal) {
        return std::unexpected(m_refusal.take());
    }
    return {};
}

namespace {

enum class Match : std::uint8_t {
    Name,      // the whole name
    NameBegin, // the beginning of the name
    NameEnd,
    Part,      // what follows "blk.N."
    PartBegin, // the beginning of what follows "blk.N."
};

struct HarmlessRow {
    Match match;
    std::string_view text;
};

constexpr auto kHarmless = std::to_array<HarmlessRow>({
    // Tables that the engine computes, and rotation factors of architectures without rotation.
    {Match::Part, "attn_rot_embd.weight"},
    {Match::Part, "rope_freqs.weight"},
    {Match::Name, "rope_freqs.weight"},
    {Match::Name, "rope_factors_long.weight"},
    {Match::Name, "rope_factors_short.weight"},
    // Multi-token prediction, which only drafts further tokens.
    {Match::PartBegin, "nextn."},
    {Match::NameBegin, "nextn."},
    {Match::NameBegin, "mtp."},
    // Scales for quantised activations; this engine does not quantise activations that way.
    {Match::NameEnd, ".input_scale"},
    // Encoders of images and sound and their projectors, which text does not need.
    {Match::NameBegin, "v."},
    {Match::NameBegin, "a."},
    {Match::NameBegin, "mm."},
    // The decoder of a model whose encoder makes vectors of texts.
    {Match::NameBegin, kDecoder},
    // The classifier head beside the language model's.
    {Match::NameBegin, "cls."},
});

} // namespace

bool mayBeLeftOut(std::string_view name, std::size_t run, std::size_t declared) {
    std::string_view part;
    constexpr std::string_view kBlock = "blk.";
    if (name.starts_with(kBlock)) {
        std::size_t block = 0;
        const char* const end = name.data() + name.size();
        const auto [next, error] = std::from_chars(name.data() + kBlock.size(), end, block);
        if (error != std::errc() || next == end || *next != '.') {
            return false;
        }
        if (block >= run) {
            return block < declared; // these blocks predict further tokens
        }
        part = std::string_view(next + 1, end);
    }
    return std::ranges::any_of(kHarmless, [&](const HarmlessRow& row) {
        switch (row.match) {
        case Match::Name:
            return name == row.text;
        case Match::NameBegin:
            return name.starts_with(row.text);
        case Match::NameEnd:
            return name.ends_with(row.text);
        case Match::Part:
            return part == row.text;
        case Match::PartBegin:
            return part.starts_with(row.text);
        }
        return false;
    });
}

} // namespace gufo::inference
