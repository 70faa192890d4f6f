#include "quantize/what_if.h"

#include "base/parallel.h"
#include "quantize/encode_pieces.h"
#include "quantize/imatrix_coverage.h"
#include "tensor/decode.h"
#include "tensor/encode.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

// The number of weights in a piece: a multiple of every block size, and few enough for a quick cancel between two
// types.
constexpr std::uint64_t kPieceWeights = 1U << 14U;
// The number of pieces between two updates. It is fixed, and pieces are merged in order, so that the figures do not
// depend on the number of workers.
constexpr std::uint64_t kBatch = 16;

// Rows are divided only if they are so long that a few of them would fill memory. Types with a header in each row are
// then measured as if each part were a row.
constexpr std::uint64_t kLongestRow = 1U << 20U;

struct Subject {
    const TensorInfo* info = nullptr;
    StoredRows rows;
    WeightPieces pieces;
    std::uint64_t firstPiece = 0; // its first piece, counted over all tensors
};

// The errors of one piece, by type.
struct PieceLoss {
    struct OfType {
        WhatIfLoss plain;
        std::optional<WhatIfLoss> withImatrix{};
        std::optional<Error> failure{};
        bool examined = false;
    };
    std::vector<OfType> types;
    std::uint64_t weights = 0;
    bool hasImportance = false;
    Result<> done;
};

bool fits(const TensorInfo& tensor, const TensorTypeFact& type) { return tensor.shape[0] % type.blockSize == 0; }

WhatIfLoss lossOf(std::span<const float> weights, std::span<const float> decoded, std::span<const float> importance) {
    WhatIfLoss loss;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double a = weights[i];
        const double b = decoded[i];
        loss.sums.aa += a * a;
        loss.sums.ee += (a - b) * (a - b);
    }
    loss.sums.pairs = weights.size();
    for (std::size_t i = 0; !importance.empty() && i < weights.size(); ++i) {
        const double a = weights[i];
        const double b = decoded[i];
        const double counts = importance[i % importance.size()];
        loss.weightedEnergy += counts * a * a;
        loss.weightedError += counts * (a - b) * (a - b);
    }
    return loss;
}

class Study {
public:
    Study(const Model& model, const WhatIfRequest& request)
        : m_model(model)
        , m_imatrix(request.imatrix.get())
        , m_both(request.both) {}

    Result<> add(TensorIndex index) {
        const TensorInfo& tensor = m_model.tensor(index);
        const Place place = Place::tensor(std::string(tensor.name));
        const auto rows = GUFO_TRY(m_model.rowsOf(tensor));
        if (!tensor.complete()) {
            return fail(ErrorCode::Truncated, place, {std::string(tensor.name), *tensor.bytes, tensor.bytesPresent});
        }
        m_subjects.push_back(
            {.info = &tensor,
             .rows = rows,
             .pieces = WeightPieces(tensor.shape, kPieceWeights,
                                    tensor.shape[0] <= kLongestRow ? LongRows::Whole : LongRows::Divided),
             .firstPiece = m_pieces});
        m_pieces += m_subjects.back().pieces.count();
        m_result.bytes += rows.bytes.size();
        m_result.weights += tensor.weights();
        return {};
    }

    Result<> addType(std::uint32_t typeId) {
        const TensorTypeFact* type = findTensorType(typeId);
        if (type == nullptr || !isEncodable(typeId)) {
            return fail(ErrorCode::NotEncodable, {},
                        {type != nullptr ? std::string(type->name) : "type " + std::to_string(typeId)});
        }
        WhatIfType row{.typeId = typeId};
        for (const Subject& subject : m_subjects) {
            const TensorInfo& tensor = *subject.info;
            if (fits(tensor, *type)) {
                row.bytes += tensorBytes(*type, tensor.shape).value_or(0);
                ++row.tensorsThatFit;
                row.weightsThatFit += tensor.weights();
            } else {
                row.bytes += subject.rows.bytes.size();
            }
        }
        m_result.types.push_back(row);
        return {};
    }

    Result<WhatIf> run(std::uint64_t maxWeights, const WhatIfUpdate& update, const JobContext& job) {
        const std::vector<std::uint64_t> order = pieceOrder(maxWeights);
        for (const std::uint64_t piece : order) {
            m_result.toExamine += pieceAt(piece).second.weights;
        }
        job.start(m_result.toExamine);
        std::vector<PieceLoss> losses(kBatch);
        for (std::uint64_t first = 0; first < order.size(); first += kBatch) {
            const std::uint64_t batchPieces = std::min<std::uint64_t>(kBatch, order.size() - first);
            const bool finished = parallelFor(batchPieces, 1, job, [&](std::uint64_t i, std::uint64_t, unsigned) {
                losses[i] = study(order[first + i], job);
            });
            if (!finished || job.stopRequested()) {
                return fail(ErrorCode::Cancelled);
            }
            for (std::uint64_t i = 0; i < batchPieces; ++i) {
                GUFO_TRY(losses[i].done);
                merge(losses[i]);
                job.advance(losses[i].weights);
            }
            if (update && first + batchPieces < order.size()) {
                update(m_result);
            }
        }
        for (const Subject& subject : m_subjects) {
            if (const auto damage = m_model.sourceOf(*subject.info)->damage()) {
                return std::unexpected(*damage);
            }
        }
        return std::move(m_result);
    }

private:
    // The pieces that make up `maxWeights` weights, evenly spaced, in an order in which each piece is far from those
    // before it.
    [[nodiscard]] std::vector<std::uint64_t> pieceOrder(std::uint64_t maxWeights) const {
        const std::uint64_t wanted = maxWeights == 0 ? m_pieces : (maxWeights - 1) / kPieceWeights + 1;
        const std::uint64_t count = std::min(m_pieces, wanted);
        std::vector<std::uint64_t> order;
        order.reserve(count);
        unsigned bits = 0;
        while ((std::uint64_t{1} << bits) < count) {
            ++bits;
        }
        // Bit reversal of i gives halves, quarters, eighths …
        for (std::uint64_t i = 0; i < std::uint64_t{1} << bits; ++i) {
            std::uint64_t reversed = 0;
            for (unsigned b = 0; b < bits; ++b) {
                reversed |= (i >> b & 1U) << (bits - 1 - b);
            }
            if (reversed < count) {
                // The middle of its share. Quotient and remainder are computed separately to avoid overflow.
                const std::uint64_t share = m_pieces / count;
                order.push_back(reversed * share + reversed * (m_pieces % count) / count + share / 2);
            }
        }
        return order;
    }

    [[nodiscard]] std::pair<const Subject*, WeightPiece> pieceAt(std::uint64_t index) const {
        const auto next = std::ranges::upper_bound(m_subjects, index, {}, &Subject::firstPiece);
        const Subject& subject = *std::prev(next);
        return {&subject, subject.pieces.at(index - subject.firstPiece)};
    }

    // Encodes one piece in all types.
    [[nodiscard]] PieceLoss study(std::uint64_t index, const JobContext& job) const {
        const auto [subject, piece] = pieceAt(index);
        PieceLoss result;
        result.types.resize(m_result.types.size());
        result.weights = piece.weights;
        std::vector<float> weights(piece.weights);
        result.done = decode(subject->rows, piece.first, weights);
        std::vector<float> row;
        if (result.done && m_imatrix != nullptr) {
            auto values = m_imatrix->importance(*subject->info, piece.matrix);
            result.done = values ? Result<>() : std::unexpected(values.error());
            row = values ? std::move(*values) : row;
        }
        if (!result.done) {
            return result;
        }
        result.hasImportance = !row.empty();
        const auto importance =
            row.empty() ? std::span<const float>() : std::span<const float>(row).subspan(piece.column, piece.columns);
        for (std::size_t t = 0; t < result.types.size() && !job.stopRequested(); ++t) {
            const TensorTypeFact& type = *findTensorType(m_result.types[t].typeId);
            if (fits(*subject->info, type) && !m_result.types[t].failure) {
                studyType(type, *subject, piece, weights, importance, result.types[t]);
            }
        }
        return result;
    }

    void studyType(const TensorTypeFact& type, const Subject& subject, const WeightPiece& piece,
                   std::span<const float> weights, std::span<const float> importance, PieceLoss::OfType& out) const {
        std::vector<std::byte> bytes(encodedBytes(type.id, piece.columns, weights.size()));
        std::vector<float> decoded(weights.size());
        const auto loss = [&](std::span<const float> counts) -> Result<WhatIfLoss> {
            const EncodeRequest request{.typeId = type.id, .columns = piece.columns, .importance = counts};
            GUFO_TRY(encode(request, weights, bytes));
            const auto rows = GUFO_TRY(StoredRows::of(type.id, piece.columns, bytes));
            GUFO_TRY(decode(rows, 0, decoded));
            return lossOf(weights, decoded, importance);
        };
        const bool blocks = type.kind == TensorTypeKind::Quantised && !importance.empty();
        const auto first = loss(blocks && !m_both ? importance : std::span<const float>());
        if (!first) {
            out.failure = first.error();
            out.failure->place =
                Place::tensor(std::string(subject.info->name), piece.first + first.error().place.index.value_or(0));
            return;
        }
        out.examined = true;
        if (m_both || !blocks) {
            out.plain = *first;
        }
        if (m_imatrix != nullptr) {
            const auto weighted = blocks && m_both ? loss(importance) : first;
            out.withImatrix = weighted ? *weighted : *first;
        }
    }

    void merge(const PieceLoss& loss) {
        m_result.examined += loss.weights;
        m_result.hasImportance = m_result.hasImportance || loss.hasImportance;
        for (std::size_t t = 0; t < loss.types.size(); ++t) {
            WhatIfType& type = m_result.types[t];
            const PieceLoss::OfType& piece = loss.types[t];
            if (piece.failure && !type.failure) {
                type.failure = piece.failure;
            }
            if (!piece.examined || type.failure) {
                continue;
            }
            type.loss.merge(piece.plain);
            if (piece.withImatrix) {
                type.withImatrix = type.withImatrix.value_or(WhatIfLoss());
                type.withImatrix->merge(*piece.withImatrix);
            }
        }
    }

    const Model& m_model;
    const Imatrix* m_imatrix;
    bool m_both; // WhatIfRequest::both
    std::vector<Subject> m_subjects;
    std::uint64_t m_pieces = 0;
    WhatIf m_result;
};

} // namespace

std::optional<double> WhatIfLoss::weightedNmse() const {
    if (weightedEnergy > 0) {
        return weightedError / weightedEnergy;
    }
    return std::nullopt;
}

void WhatIfLoss::merge(const WhatIfLoss& other) {
    sums.merge(other.sums);
    weightedError += other.weightedError;
    weightedEnergy += other.weightedEnergy;
}

double WhatIfType::bitsPerWeight() const { return findTensorType(typeId)->bitsPerWeight(); }

Result<WhatIf> whatIf(const Model& model, const WhatIfRequest& request, const WhatIfUpdate& update,
                      const JobContext& job) {
    Study study(model, request);
    for (const TensorIndex tensor : request.tensors) {
        GUFO_TRY(study.add(tensor));
    }
    if (request.imatrix != nullptr) {
        GUFO_TRY(importanceUse(*request.imatrix, model, request.tensors, job));
    }
    std::vector<std::uint32_t> types = request.types;
    if (types.empty()) {
        for (const TensorType type : encodableTypes()) {
            types.push_back(static_cast<std::uint32_t>(type));
        }
    }
    for (const std::uint32_t type : types) {
        GUFO_TRY(study.addType(type));
    }
    return study.run(request.maxWeights, update, job);
}

} // namespace gufo
