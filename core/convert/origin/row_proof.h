// Whether a tensor of a file is what the conversion makes of its origin. The origin's weights are rounded or encoded as
// the file's type is, and compared with what the file says, bit for bit.
//
// A quantised tensor may have been encoded by another program or with an importance matrix. Where Gufo's own encoder
// does not reproduce it, its error is compared with the one that Gufo's encoder makes of the same weights: a file that
// was made of other weights has a larger one.
#pragma once

#include "analysis/tensor_part.h"
#include "analysis/weight_pieces.h"
#include "convert/tensor_values.h"
#include "tensor/kernels/pair_sums.h"

#include <atomic>
#include <mutex>

namespace gufo::convert {

// From the best to the worst.
enum class TensorProof : std::uint8_t {
    NotRequested,
    Identical, // bit for bit the origin's weights, rounded to the file's type
    LastBits,  // the same, but for the last bit of what an exponential or a product gives with other libraries
    Encoded,   // bit for bit what Gufo's encoder makes of them
    Quantised, // other bits, but no larger error than the type of the file explains
    Different,
    Missing,  // in the file
    Extra,    // in the file: the conversion does not write it
    Reshaped, // has another shape in the file
    Failed,   // cannot be read
};

[[nodiscard]] constexpr bool isSame(TensorProof proof) {
    return proof >= TensorProof::Identical && proof <= TensorProof::Quantised;
}

struct ProvedTensor {
    TensorProof proof = TensorProof::NotRequested;
    PairSums sums{}; // a: the origin's weights before they are rounded; b: those of the file
    // Of the weights that were also encoded here, if the file's type is quantised and its bits are others.
    std::uint64_t blocks = 0;
    std::uint64_t equalBlocks = 0;             // the same as here
    std::uint64_t outliers = 0;                // blocks whose error is far larger than here
    double squaresHere = 0;                    // Σ of the squared errors made here
    double squaresInFile = 0;                  // and of those in the file
    std::optional<Error> error = std::nullopt; // of Failed

    [[nodiscard]] bool same() const { return isSame(proof); }
};

class RowProof {
public:
    struct Workspace { // of a worker
        std::vector<float> origin;
        std::vector<float> file;
        std::vector<float> rounded;
        std::vector<std::byte> bytes;
    };

    // `values`, the result of `operations`, must outlive it; `part` is the run of its weights that corresponds to the
    // file's part. If `roundedBefore` is given, the weights are first rounded to that type.
    RowProof(const TensorValues& values, std::span<const Operation> operations, const TensorPart& part,
             const PartReader& file, std::optional<std::uint32_t> roundedBefore = {});

    [[nodiscard]] std::uint64_t slotCount() const { return m_pieces.count(); }
    [[nodiscard]] std::uint64_t weights(std::uint64_t slot) const { return m_pieces.at(slot).weights; }
    // Any number of workers may call it at once, each with its own workspace. Returns whether the slot is the same.
    bool prove(std::uint64_t slot, Workspace& workspace);
    // When all slots are done.
    [[nodiscard]] ProvedTensor result() const;
    void release() const;

private:
    struct Blocks { // of a slot
        std::uint64_t blocks = 0;
        std::uint64_t equal = 0;
        std::uint64_t outliers = 0;
        double here = 0;
        double inFile = 0;
    };
    [[nodiscard]] Result<> encodeAndDecode(std::uint32_t typeId, const WeightPiece& piece,
                                           std::span<const float> weights, Workspace& workspace) const;
    [[nodiscard]] Blocks compareBlocks(const Workspace& workspace) const;
    // How many weights differ, if they differ by no more than their last bits.
    [[nodiscard]] std::optional<std::uint64_t> countLastBits(const Workspace& workspace) const;
    [[nodiscard]] bool hasErrorOfType(const ProvedTensor& tensor) const;

    const TensorValues& m_values;
    TensorPart m_part;
    PartReader m_file;
    const TensorTypeInfo& m_type; // of the file
    std::optional<std::uint32_t> m_roundedBefore;
    WeightPieces m_pieces;
    double m_lastBits;     // the relative error of a weight that other libraries may make; 0: none
    std::uint64_t m_every; // of how many slots one is encoded, once one was found that differs
    std::atomic<bool> m_differs = false;
    mutable std::mutex m_mutex; // guards the members below
    ProvedTensor m_result;
    bool m_exact = true;   // the weights of all slots so far needed no rounding, or rounding of a float
    bool m_allSame = true; // as far as they were compared
    bool m_allNearly = true;
    std::uint64_t m_unequal = 0; // weights that differ by no more than their last bits
};

} // namespace gufo::convert
