// A run of whole rows of a tensor: all of it, the matrix of one expert, or one part of a fused tensor. Comparisons work
// on parts.
#pragma once

#include "model/computed_weights.h"
#include "model/model.h"
#include "tensor/decode.h"

#include <span>

namespace gufo {

struct TensorPart {
    TensorIndex tensor{};
    std::uint64_t firstWeight = 0; // index in the tensor
    std::uint64_t columns = 0;
    std::uint64_t rows = 0; // counted over all higher dimensions

    // 0 if the number of weights overflows.
    [[nodiscard]] std::uint64_t weights() const { return columns * rows; }
    bool operator==(const TensorPart&) const = default;
};
[[nodiscard]] TensorPart wholeTensor(const Model& model, TensorIndex tensor);

// The number of bytes of a part; an estimate in proportion to its weights if it does not consist of whole blocks. No
// value if the size of the tensor is unknown.
[[nodiscard]] std::optional<std::uint64_t> partBytes(const Model& model, const TensorPart& part);

// Decodes the values of a part on demand, or has them computed if no file contains them. Refers to the model, which
// must outlive it. Threads: any.
class PartReader {
public:
    // Errors: NotDecodable, the errors of Model::bytesOf and of ComputedWeights::check.
    [[nodiscard]] static Result<PartReader> open(const Model& model, const TensorPart& part);

    // The number of weights of the part that the file contains; fewer than part().weights() if it is truncated.
    [[nodiscard]] std::uint64_t present() const { return m_present; }
    [[nodiscard]] const TensorPart& part() const { return m_part; }
    [[nodiscard]] std::uint32_t typeId() const { return m_rows.type().id; }
    [[nodiscard]] bool needsDouble() const { return m_needsDouble; }
    // Reads the weights [first, first + out.size()) of the part, which must be present. Weights that cannot be computed
    // are NaN, and the source is damaged.
    void read(std::uint64_t first, std::span<float> out) const;
    void read(std::uint64_t first, std::span<double> out) const;
    // The same, except that floats which need no decoding are not copied to `space`: the result refers to the source,
    // and changes if the file changes.
    [[nodiscard]] std::span<const float> values(std::uint64_t first, std::span<float> space) const;
    [[nodiscard]] std::span<const double> values(std::uint64_t first, std::span<double> space) const;

    // The bytes of the present weights among [first, first + count), so that they can be prefetched; none if the
    // weights are computed or not stored in order.
    [[nodiscard]] Bytes stored(std::uint64_t first, std::uint64_t count) const;

    // Whether a run of weights, which must be present in both parts, has the same bytes in another part of the same
    // type and byte order: the same blocks and row headers, in the order of the weights even if they are views. False
    // if the run does not consist of whole blocks.
    [[nodiscard]] bool bytesEqual(const PartReader& other, std::uint64_t first, std::uint64_t count) const;
    // Whether no file contains the weights; typeId() is then F32.
    [[nodiscard]] bool isComputed() const { return m_computed != nullptr; }
    [[nodiscard]] const ByteSource& source() const { return *m_source; }
    [[nodiscard]] ByteOrder order() const { return m_rows.order; }
    // A range of bytes in the source that contains a run of weights. Of computed weights, it is the one that advise()
    // understands.
    [[nodiscard]] ByteRange range(std::uint64_t first, std::uint64_t count) const;

private:
    explicit PartReader(const StoredRows& rows)
        : m_rows(rows) {}
    [[nodiscard]] bool viewsEqual(const PartReader& other, std::uint64_t first, std::uint64_t count) const;
    // The bytes of a run of whole blocks, and the header of the row in which it begins.
    [[nodiscard]] std::optional<StoredBlock> encoded(std::uint64_t first, std::uint64_t count) const;

    TensorPart m_part;
    StoredRows m_rows; // of the tensor
    const ByteSource* m_source = nullptr;
    const ComputedWeights* m_computed = nullptr; // the source, if it is one
    std::uint64_t m_offset = 0;
    std::uint64_t m_present = 0;
    bool m_needsDouble = false;
};

} // namespace gufo
