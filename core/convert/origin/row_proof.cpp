#include "convert/origin/row_proof.h"

#include "base/detail.h"
#include "tensor/decode.h"
#include "tensor/encode.h"
#include "tensor/kernels/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace gufo::convert {
namespace {

// The number of weights is small enough for a quick cancel with the slowest encoder, and a multiple of every block
// size.
constexpr std::uint64_t kSlotWeights = 1U << 15U;
// The number of slots of a tensor that are encoded after one was found that differs.
constexpr std::uint64_t kSamples = 16;
// The squared error of another encoder of the same type is at most this many times the squared error of Gufo's encoder.
// An importance matrix increases it, and older encoders search less.
constexpr double kLargerError = 4;
// A block whose squared error is this many times larger was not made from these weights.
constexpr double kOutlier = 16;
// These types are encoded by rounding. Two such encoders choose different codes only for a weight halfway between two
// codes, and their errors are nearly equal. If most blocks equal the blocks of Gufo's encoder, a block with a larger
// error was changed afterwards.
constexpr auto kRoundingTypes = std::to_array<TensorType>(
    {TensorType::Q8_0, TensorType::Q4_0, TensorType::Q4_1, TensorType::Q5_0, TensorType::Q5_1});
constexpr std::uint64_t kBlocksPerOther = 8; // at most one block of this many differs from Gufo's encoder's
constexpr double kSameError = 1.02;

// The least SQNR of types that Gufo cannot encode, in decibels: what the encoders of the project that defines the types
// reach with normally distributed weights, less a margin of more than 3 dB.
constexpr double kDecibelsPerBit = 4.5;
constexpr double kDecibelsLess = 4;

// If weights are rounded to 16 bits after another library computed them, at most one of this many differs.
constexpr std::uint64_t kFewUnequal = 100;

// The relative difference between two adjacent values of a type, doubled for F32 because two roundings may add up.
double lastBitsOf(std::uint32_t typeId) {
    switch (static_cast<TensorType>(typeId)) {
    case TensorType::F32:
        return 0x1p-22;
    case TensorType::F16:
        return 0x1p-10;
    case TensorType::BF16:
        return 0x1p-7;
    default:
        return 0;
    }
}

// Whether a library computes the weights, so that their last bits may depend on it.
bool isComputed(std::span<const Operation> operations) {
    return std::ranges::any_of(operations, [](const Operation& operation) {
        switch (operation.kind) {
        case OperationKind::NegateExponential:
        case OperationKind::LogarithmOfNegative:
        case OperationKind::Reciprocal:
        case OperationKind::RoundToTernary:
        case OperationKind::Compute:
            return true;
        default:
            return operationFact(operation.kind).reversal == Reversal::Recoding;
        }
    });
}

Shape shapeOf(const TensorPart& part) {
    const std::array<std::uint64_t, 2> dims{part.columns, part.rows};
    return Shape(dims);
}

// Whether the bits are the same, except for the payloads of NaNs.
bool sameBits(std::span<const float> a, std::span<const float> b) {
    if (a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0) { // as most are, many at a time
        return true;
    }
    return std::ranges::equal(a, b, [](float x, float y) {
        return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y) || (std::isnan(x) && std::isnan(y));
    });
}

// Σ(a − b)², in several sums, because each addition to the same one would wait for the one before.
double squaredError(std::span<const float> a, std::span<const float> b) {
    std::array<double, 8> sums{};
    std::size_t i = 0;
    for (; i + sums.size() <= a.size(); i += sums.size()) {
        for (std::size_t k = 0; k < sums.size(); ++k) {
            const double rest = static_cast<double>(a[i + k]) - static_cast<double>(b[i + k]);
            sums[k] += rest * rest;
        }
    }
    for (; i < a.size(); ++i) {
        const double rest = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        sums[0] += rest * rest;
    }
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

} // namespace

RowProof::RowProof(const TensorValues& values, std::span<const Operation> operations, const TensorPart& part,
                   const PartReader& file, std::optional<std::uint32_t> roundedBefore)
    : m_values(values)
    , m_part(part)
    , m_file(file)
    , m_type(*findTensorType(file.typeId()))
    , m_roundedBefore(roundedBefore)
    , m_pieces(shapeOf(file.part()), kSlotWeights, longRowsOf(m_type))
    , m_lastBits(isComputed(operations) ? lastBitsOf(file.typeId()) : 0)
    , m_encodeEvery(std::max<std::uint64_t>(1, m_pieces.count() / kSamples)) {}

Result<> RowProof::encodeAndDecode(std::uint32_t typeId, const WeightPiece& piece, std::span<const float> weights,
                                   Workspace& workspace) const {
    workspace.bytes.resize(encodedBytes(typeId, piece.columns, piece.weights));
    workspace.rounded.resize(piece.weights);
    GUFO_TRY(encode({.typeId = typeId, .columns = piece.columns, .importance = {}}, weights, workspace.bytes));
    const auto rows = GUFO_TRY(StoredRows::of(typeId, piece.columns, workspace.bytes));
    return decode(rows, 0, workspace.rounded);
}

RowProof::Blocks RowProof::compareBlocks(const Workspace& workspace, bool same) const {
    const std::uint64_t size = m_type.blockSize;
    Blocks result{.blocks = workspace.file.size() / size};
    std::vector<std::pair<double, double>> errors(result.blocks);
    for (std::uint64_t block = 0; block < result.blocks; ++block) {
        const auto origin = std::span(workspace.origin).subspan(block * size, size);
        const auto file = std::span(workspace.file).subspan(block * size, size);
        const auto rounded = std::span(workspace.rounded).subspan(block * size, size);
        const bool equal = same || sameBits(file, rounded);
        result.equal += equal ? 1U : 0U;
        auto& [errorOfEncoder, errorInFile] = errors[block];
        errorOfEncoder = squaredError(rounded, origin);
        errorInFile = equal ? errorOfEncoder : squaredError(file, origin);
        result.larger += errorInFile <= kSameError * errorOfEncoder ? 0U : 1U; // also if it is NaN
        result.ofEncoder += errorOfEncoder;
        result.inFile += errorInFile;
    }
    // A block may happen to be encoded without an error here, so the mean is added.
    const double mean = result.blocks == 0 ? 0 : result.ofEncoder / static_cast<double>(result.blocks);
    for (const auto& [errorOfEncoder, errorInFile] : errors) {
        result.outliers += errorInFile <= kOutlier * (errorOfEncoder + mean) ? 0U : 1U; // also if it is NaN
    }
    return result;
}

std::optional<std::uint64_t> RowProof::countLastBits(const Workspace& workspace) const {
    std::uint64_t unequal = 0;
    for (std::size_t i = 0; i < workspace.file.size(); ++i) {
        const double rounded = static_cast<double>(workspace.rounded[i]);
        const double inFile = static_cast<double>(workspace.file[i]);
        if (rounded == inFile || (std::isnan(rounded) && std::isnan(inFile))) {
            continue;
        }
        if (!(std::abs(rounded - inFile) <= m_lastBits * std::abs(rounded))) {
            return std::nullopt;
        }
        ++unequal;
    }
    return unequal;
}

bool RowProof::hasSameBytes(const WeightPiece& piece, Workspace& workspace) const {
    if (m_roundedBefore || m_type.blockSize != 1 || m_values.encodedType() != m_type.id || m_file.isComputed() ||
        m_file.order() != ByteOrder::Little) {
        return false;
    }
    const std::uint64_t first = m_part.firstWeight + piece.first;
    const std::uint64_t bytes = blocksBytes(m_type, piece.weights);
    const auto file = m_file.source().view(m_file.range(piece.first, piece.weights));
    if (!file || file->size() != bytes) {
        return false;
    }
    if (const auto stored = m_values.stored()) {
        return std::memcmp(stored->subspan(blocksBytes(m_type, first), bytes).data(), file->data(), bytes) == 0;
    }
    workspace.bytes.resize(bytes);
    return m_values.encoded(first, piece.weights, workspace.bytes) &&
           std::memcmp(workspace.bytes.data(), file->data(), bytes) == 0;
}

PairSums RowProof::sumsOf(const WeightPiece& piece, const Workspace& workspace) const {
    PairSums sums = activeKernels().sumPairs(workspace.origin.data(), workspace.file.data(), piece.weights, 0, nullptr);
    if (sums.maximumIndex != PairSums::kNone) {
        sums.maximumIndex += piece.first;
    }
    return sums;
}

std::vector<std::uint64_t> RowProof::unsummed() const {
    const std::scoped_lock lock(m_mutex);
    return m_allSame ? std::vector<std::uint64_t>() : m_unsummed;
}

void RowProof::addSums(std::uint64_t slot, Workspace& workspace) {
    const WeightPiece piece = m_pieces.at(slot);
    workspace.origin.resize(piece.weights);
    workspace.file.resize(piece.weights);
    if (!m_values.values(m_part.firstWeight + piece.first, workspace.origin)) {
        return; // was read before, so the source is damaged, which the run reports
    }
    m_file.read(piece.first, workspace.file);
    const PairSums sums = sumsOf(piece, workspace);
    const std::scoped_lock lock(m_mutex);
    m_result.sums.merge(sums);
}

bool RowProof::prove(std::uint64_t slot, Workspace& workspace) {
    const WeightPiece piece = m_pieces.at(slot);
    if (hasSameBytes(piece, workspace)) {
        const std::scoped_lock lock(m_mutex);
        m_unsummed.push_back(slot);
        return true;
    }
    workspace.origin.resize(piece.weights);
    workspace.file.resize(piece.weights);
    if (auto read = m_values.values(m_part.firstWeight + piece.first, workspace.origin); !read) {
        const std::scoped_lock lock(m_mutex);
        m_result.error = std::move(read).error();
        return false;
    }
    if (m_roundedBefore && encodeAndDecode(*m_roundedBefore, piece, workspace.origin, workspace)) {
        std::swap(workspace.origin, workspace.rounded);
    }
    m_file.read(piece.first, workspace.file);
    const PairSums sums = sumsOf(piece, workspace);
    bool same = sameBits(workspace.origin, workspace.file);
    bool exact = true;
    Blocks blocks;
    std::optional<std::uint64_t> unequal = 0;
    const bool quantised = m_type.blockSize > 1;
    if (!same && isEncodable(m_type.id) && (!quantised || !m_differs || slot % m_encodeEvery == 0) &&
        encodeAndDecode(m_type.id, piece, workspace.origin, workspace)) {
        same = sameBits(workspace.rounded, workspace.file);
        exact = !quantised;
        blocks = quantised ? compareBlocks(workspace, same) : blocks;
    }
    if (!same) {
        unequal = exact && m_lastBits != 0 ? countLastBits(workspace) : std::nullopt;
    }
    m_differs = m_differs || !same;
    const std::scoped_lock lock(m_mutex);
    m_result.sums.merge(sums);
    m_result.blocks += blocks.blocks;
    m_result.equalBlocks += blocks.equal;
    m_result.outliers += blocks.outliers;
    m_result.larger += blocks.larger;
    m_result.squaresOfEncoder += blocks.ofEncoder;
    m_result.squaresInFile += blocks.inFile;
    m_exact = m_exact && exact;
    m_allSame = m_allSame && same;
    m_allNearly = m_allNearly && unequal;
    m_unequal += unequal.value_or(0);
    return same;
}

// Whether the error of a quantised tensor is no larger than its type explains.
bool RowProof::hasErrorOfType(const ProvedTensor& tensor) const {
    if (m_type.blockSize == 1 || tensor.sums.excluded != 0) {
        return false;
    }
    if (tensor.blocks != 0 && tensor.larger != 0 &&
        tensor.equalBlocks >= tensor.blocks - tensor.blocks / kBlocksPerOther &&
        std::ranges::any_of(kRoundingTypes,
                            [&](TensorType type) { return static_cast<std::uint32_t>(type) == m_type.id; })) {
        return false;
    }
    if (tensor.blocks != 0) {
        return tensor.outliers == 0 && tensor.squaresInFile <= kLargerError * tensor.squaresOfEncoder;
    }
    const double bits = 8.0 * static_cast<double>(m_type.blockBytes) / static_cast<double>(m_type.blockSize);
    const double decibels = kDecibelsPerBit * bits - kDecibelsLess;
    return tensor.sums.ee <= tensor.sums.aa * std::pow(10.0, -decibels / 10);
}

ProvedTensor RowProof::result() const {
    const std::scoped_lock lock(m_mutex);
    ProvedTensor result = m_result;
    const bool few =
        m_type.id == static_cast<std::uint32_t>(TensorType::F32) || m_unequal <= m_file.part().weights() / kFewUnequal;
    result.proof = result.error               ? TensorProof::Failed
                   : m_allSame && m_exact     ? TensorProof::Identical
                   : m_allSame                ? TensorProof::Encoded
                   : m_allNearly && few       ? TensorProof::LastBits
                   : hasErrorOfType(m_result) ? TensorProof::Quantised
                                              : TensorProof::Different;
    return result;
}

void RowProof::release() const {
    m_values.release();
    m_file.source().advise(m_file.range(0, m_file.present()), Access::Release);
}

} // namespace gufo::convert
