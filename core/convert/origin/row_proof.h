// Determines whether a tensor of a file is what the conversion makes of its origin: the origin's weights are rounded to
// or encoded as the type of the file, decoded, and compared with the file's weights, bit for bit.
//
// A quantised tensor may have been encoded by another program or with an importance matrix. If Gufo's encoder does not
// reproduce it, its error is compared with the error that Gufo's encoder makes with the same weights: the error of a
// file that was made from other weights is larger.
#pragma once

#include "analysis/tensor_part.h"
#include "convert/tensor_values.h"
#include "quantize/encode_pieces.h"
#include "tensor/kernels/pair_sums.h"

#include <atomic>
#include <mutex>

namespace gufo::convert {

// From the best to the worst.
enum class TensorProof : std::uint8_t {
    NotRequested,
    Identical, // bit for bit the origin's weights, rounded to the file's type
    LastBits,  // identical except for the last bits of exponentials and products, which depend on the library
    Encoded,   // bit for bit what Gufo's encoder makes from them
    Quantised, // other bits, but no larger error than the type of the file explains
    Different,
    Missing,  // is not in the file
    Extra,    // is in the file, but the conversion does not write it
    Reshaped, // has another shape in the file
    Failed,   // cannot be read
};

[[nodiscard]] constexpr bool isSame(TensorProof proof) {
    return proof >= TensorProof::Identical && proof <= TensorProof::Quantised;
}

struct ProvedTensor {
    TensorProof proof = TensorProof::NotRequested;
    // a: the origin's weights before they are rounded; b: the file's weights. For a tensor that is Identical, only
    // slots whose bytes differ count.
    PairSums sums{};
    // Of the blocks that Gufo has also encoded, if the file's type is quantised and its bits differ from the origin's.
    std::uint64_t blocks = 0;
    std::uint64_t equalBlocks = 0;             // the same in the file
    std::uint64_t outliers = 0;                // whose error in the file is far larger
    std::uint64_t larger = 0;                  // whose error in the file is at all larger
    double squaresOfEncoder = 0;               // Σ of the squared errors of Gufo's encoder
    double squaresInFile = 0;                  // Σ of the squared errors of the file
    std::optional<Error> error = std::nullopt; // of Failed

    [[nodiscard]] bool same() const { return isSame(proof); }
};

// The proof of one tensor in slots, runs of weights that are compared independently.
class RowProof {
public:
    struct Workspace { // buffers of a worker
        std::vector<float> origin;
        std::vector<float> file;
        std::vector<float> rounded;
        std::vector<std::byte> bytes;
    };

    // `values`, the result of `operations`, and the model of `file` must outlive the proof; `part` is the run of the
    // values that corresponds to the part of the file. If `roundedBefore` is given, the values are first rounded to
    // that type.
    RowProof(const TensorValues& values, std::span<const Operation> operations, const TensorPart& part,
             const PartReader& file, std::optional<std::uint32_t> roundedBefore = {});

    [[nodiscard]] std::uint64_t slotCount() const { return m_pieces.count(); }
    [[nodiscard]] std::uint64_t weights(std::uint64_t slot) const { return m_pieces.at(slot).weights; }
    // Compares a slot, and returns whether it is the same. Any number of threads may call it at once, each with another
    // workspace.
    bool prove(std::uint64_t slot, Workspace& workspace);
    // The slots that are left out of the sums because their bytes are the same, if a slot of the tensor differs; and
    // their sums, which complete the figures of the tensor.
    [[nodiscard]] std::vector<std::uint64_t> unsummed() const;
    void addSums(std::uint64_t slot, Workspace& workspace);
    // The proof of the slots that were compared.
    [[nodiscard]] ProvedTensor result() const;
    // Advises both sources that the weights will not be read again.
    void release() const;

private:
    struct Blocks { // figures of a slot, as in ProvedTensor
        std::uint64_t blocks = 0;
        std::uint64_t equal = 0;
        std::uint64_t outliers = 0;
        std::uint64_t larger = 0;
        double ofEncoder = 0;
        double inFile = 0;
    };
    // Whether the weights are stored in the origin as they are in the file.
    [[nodiscard]] bool hasSameBytes(const WeightPiece& piece, Workspace& workspace) const;
    [[nodiscard]] PairSums sumsOf(const WeightPiece& piece, const Workspace& workspace) const;
    [[nodiscard]] Result<> encodeAndDecode(std::uint32_t typeId, const WeightPiece& piece,
                                           std::span<const float> weights, Workspace& workspace) const;
    // `same`: the weights of the file are known to equal the weights that were encoded and decoded.
    [[nodiscard]] Blocks compareBlocks(const Workspace& workspace, bool same) const;
    // The number of weights that differ, if they differ by no more than their last bits; no value otherwise.
    [[nodiscard]] std::optional<std::uint64_t> countLastBits(const Workspace& workspace) const;
    [[nodiscard]] bool hasErrorOfType(const ProvedTensor& tensor) const;

    const TensorValues& m_values;
    TensorPart m_part;
    PartReader m_file;
    const TensorTypeFact& m_type; // of the file
    std::optional<std::uint32_t> m_roundedBefore;
    WeightPieces m_pieces;
    double m_lastBits;           // the largest relative difference between libraries that compute a weight; 0: none
    std::uint64_t m_encodeEvery; // one slot of this many is encoded after one was found that differs
    std::atomic<bool> m_differs = false;
    mutable std::mutex m_mutex; // guards the members below
    ProvedTensor m_result;
    std::vector<std::uint64_t> m_unsummed;
    bool m_exact = true;         // no slot had to be encoded as a quantised type
    bool m_allSame = true;       // all slots are the same
    bool m_allNearly = true;     // all slots are the same except for last bits
    std::uint64_t m_unequal = 0; // weights that differ by no more than their last bits
};

} // namespace gufo::convert
