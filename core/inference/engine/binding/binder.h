// Binds the tensors of a model to the forward pass, each in the shape in which it is used. All matrices come from here,
// and whatever sizes buffers is counted here as they are bound, so that no buffer can be sized from an incomplete list.
// At the end, the tensors that were never requested are known; a table in binder.cpp says
// which of them change nothing.
//
// Thread contract: one thread at a time.
#pragma once

#include "inference/engine/binding/refusal.h"
#include "inference/engine/binding/weights.h"
#include "model/swapped_model.h"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

class Binder {
public:
    enum class Need : std::uint8_t { Must, May };
    // As a number of rows: the file's number is accepted.
    static constexpr std::uint64_t kAsInFile = ~std::uint64_t{0};

    // Fills `weights`, which must outlive the binder. `report` as for bindWeights(); `needed` as GraphTraits::needed.
    Binder(const Model& model, SmallTensors small, Weights& weights, BindingReport* report, std::string_view needed)
        : m_model(model)
        , m_small(small)
        , m_weights(weights)
        , m_report(report)
        , m_needed(needed)
        , m_taken(model.tensors.size()) {
        if (report != nullptr) {
            report->parts.assign(model.tensors.size(), std::nullopt);
        }
    }

    // Makes tensor names relative to this block of a stack. Before the first call they are relative to the model.
    void setBlock(std::string_view stack, std::size_t index) {
        m_prefix = std::string(stack) + "blk." + std::to_string(index) + ".";
    }

    // The part of the forward pass that asks for tensors from now on (BindingReport::parts).
    void setPart(GraphPart part) { m_part = part; }

    // The functions below take names without ".weight" (except floats() and grid()) and count what they bind. If a
    // tensor is wrong they return an empty result, and finish() reports the error.

    // A matrix that every token is multiplied by, with its bias and factor ("NAME.scale", which accompanies weights
    // that are quantised with one scale for the whole tensor) if there are any.
    Matrix matrix(std::string_view name, std::uint64_t columns, std::uint64_t rows, Need need = Need::Must);
    // The same without a factor, where "NAME.scale" has another meaning.
    Matrix unscaled(std::string_view name, std::uint64_t columns, std::uint64_t rows, Need need = Need::Must);
    // `count` matrices in one tensor; each token is multiplied by `used` of them.
    struct Stack {
        std::uint64_t count;
        std::uint64_t used;
    };
    Matrix stack(std::string_view name, std::uint64_t columns, std::uint64_t rows, Stack stack, Need need = Need::Must);
    // Has a matrix multiplied by activations of about sixteen bits (compute/multiply.cpp), for two reasons:
    //
    // - The products steer a recurrent state: its time steps, decays and rates, which become exponents, and inputs and
    //   outputs that share a matrix with them. An error in them changes what all later tokens read. In models of the
    //   widths of tst_quantised_copies this halves the KL of Mamba, where ssm_x has 8 % of the weights, and takes 10 %
    //   (Q8_0) to 29 % (Q4_K) off the KL of a gated delta net; it costs 1 to 4 % of the time of Mamba, and up to 3 % of
    //   a delta net. Without effect for Kimi's decays, and below 11 % for the time steps of Mamba 2.
    // - The matrix is narrow; this class marks such a matrix itself. Narrow models have heads of few elements, and a
    //   norm over few elements can enlarge the rounding of a single activation as much as it enlarges the sum. All
    //   matrices of such a model are narrow, so it generates a fifth slower (8,000 tokens/s with 260,000 weights).
    Matrix withFinerActivations(Matrix matrix);
    // One matrix for each head, either in a third dimension or stacked vertically; the result has rows × heads rows.
    // Neither these nor joinedHeads(), whose parts are of several kinds, have a bias.
    Matrix headMatrix(std::string_view name, std::uint64_t columns, std::uint64_t rows, std::uint64_t heads);
    Matrix joinedHeads(std::string_view name, std::uint64_t columns, std::uint64_t rows);
    // A table whose rows are looked up one at a time; it has as many rows as the file says.
    Matrix table(std::string_view name, std::uint64_t columns, std::uint64_t maxRows, Need need = Need::Must);
    // The same with exactly `rows` rows.
    Matrix fullTable(std::string_view name, std::uint64_t columns, std::uint64_t rows);
    // The output matrix, which makes the logits; `table` where the file has none.
    Matrix output(std::string_view name, std::uint64_t columns, std::uint64_t rows, const Matrix& table);
    // A small tensor of `count` elements, decoded.
    std::vector<float> floats(std::string_view name, std::uint64_t count, Need need = Need::Must);
    // The same for a tensor of `rows` × `columns`.
    std::vector<float> grid(std::string_view name, std::uint64_t columns, std::uint64_t rows, Need need = Need::Must);
    Norm norm(std::string_view name, std::uint64_t length, Need need = Need::Must);
    // The norm of queries or keys with `length` elements for each head. Its weights may be shared by all heads,
    // different for each head, or norm all heads together.
    Norm headNorm(std::string_view name, std::uint64_t length, std::uint64_t heads);

    // Whether the file has the matrix, with these dimensions if they are given, and the number of its rows (0 if there
    // is none). Neither function binds anything.
    [[nodiscard]] bool has(std::string_view name, std::initializer_list<std::uint64_t> dims = {});
    [[nodiscard]] std::uint64_t rowsOf(std::string_view name) const;
    // Whether the forward pass could do without the tensor, of this full name or relative to the block, but all files
    // of the architecture have it.
    [[nodiscard]] bool isNeeded(std::string_view name) const;
    // Marks a matrix that only repeats the contents of others as used, so that it does not make the model refused.
    void leaveOut(std::string_view name);

    // Must be called after everything is bound. `run` of the `declared` blocks are evaluated. Errors: the errors of
    // bindWeights().
    [[nodiscard]] Result<> finish(std::size_t run, std::size_t declared);
    // The same where only tensors of the current block, which has this index, had to be requested.
    [[nodiscard]] Result<> finishBlock(std::size_t index);

private:
    enum class Use : std::uint8_t { Products, Output };

    [[nodiscard]] std::string nameOf(std::string_view name) const { return m_prefix + std::string(name) + ".weight"; }
    void mark(TensorIndex tensor); // as used, by the current part
    // Finds the tensor and marks it as used. If there is none, records it as absent with `dims`.
    [[nodiscard]] const TensorInfo* take(const std::string& name, std::initializer_list<std::uint64_t> dims, Need need);
    // The same for a tensor of `count` elements, whose shape is checked.
    [[nodiscard]] const TensorInfo* counted(std::string_view name, std::uint64_t count, Need need);
    // The bytes of the tensor; empty, and refused, if they are not there.
    [[nodiscard]] Bytes bytesOf(const TensorInfo& tensor);
    void refuseShape(const TensorInfo& tensor, std::initializer_list<std::uint64_t> expected);
    void refuse(ErrorCode code, const TensorInfo& tensor, Arguments args);
    Matrix bind(std::string_view name, std::uint64_t columns, std::uint64_t rows, std::uint64_t count, Need need);
    // Has the experts of a stack multiplied that come from other files. Returns false, and refuses, if it cannot.
    [[nodiscard]] bool bindForeign(const MixedStack& mixed, const TensorInfo& tensor, Matrix& matrix);
    // Add the bias and the factors to a matrix.
    Matrix biased(Matrix matrix, std::string_view name);
    Matrix scaled(Matrix matrix, std::string_view name);
    void count(const Matrix& matrix, Use use, std::uint64_t used);
    std::vector<float> decoded(const TensorInfo& tensor);
    void countSmall(std::uint64_t weights); // decoded, or as if it were

    const Model& m_model;
    SmallTensors m_small;
    Weights& m_weights;
    BindingReport* m_report;
    std::string_view m_needed;
    std::vector<bool> m_taken; // by tensor of the model
    std::uint64_t m_zeros = 0; // bytes that took the place of tensors
    std::string m_prefix;
    GraphPart m_part = GraphPart::Input;
    Refusal m_refusal;
};

// Decides which tensors the forward pass may ignore without changing the answers. Any other unused tensor is part of
// what the model was trained to do, so a model that has one is refused.

// The beginning of the names of the decoder's tensors in a model that has an encoder too.
inline constexpr std::string_view kDecoder = "dec.";

// `name` is an unused tensor of a model with `declared` blocks; only the first `run` blocks are evaluated.
[[nodiscard]] bool mayBeLeftOut(std::string_view name, std::size_t run, std::size_t declared);

} // namespace gufo::inference
