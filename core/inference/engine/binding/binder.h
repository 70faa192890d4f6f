// Hands the tensors of a model to the forward pass, each in the shape that it is used in. All matrices come from here,
// and what they come to is counted where they are handed out: no list of them is kept anywhere else, so that no buffer
// can be sized by an incomplete one. Tensors that nobody asked for are known in the end (inference/left_out.h).
//
// Threads: one at a time.
#pragma once

#include "inference/engine/binding/weights.h"
#include "inference/session/refusal.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

class Binder {
public:
    enum class Need : std::uint8_t { Must, May };
    // For a number of rows: as many as the file has.
    static constexpr std::uint64_t kAsInFile = ~std::uint64_t{0};

    // Fills `weights`, which must outlive it. `absent`, if not null, takes what was asked for and is not there.
    Binder(const Model& model, SmallTensors small, Weights& weights, std::vector<AbsentTensor>* absent)
        : m_model(model)
        , m_small(small)
        , m_weights(weights)
        , m_absent(absent)
        , m_taken(model.tensors.size()) {}

    // Names are those within this block from now on; before the first call they are the model's.
    void setBlock(std::size_t index) { m_prefix = "blk." + std::to_string(index) + "."; }

    // What follows takes names without ".weight", but for floats() and grid(), and counts what it hands out. Where
    // something is wrong with a tensor, the result is empty and finish() says so.

    // A matrix that every token is multiplied by, with its bias if it has one.
    Matrix matrix(std::string_view name, std::uint64_t columns, std::uint64_t rows, Need need = Need::Must);
    // `count` matrices one behind the other, of which a token is multiplied by `used`.
    struct Stack {
        std::uint64_t count;
        std::uint64_t used;
    };
    Matrix stack(std::string_view name, std::uint64_t columns, std::uint64_t rows, Stack stack, Need need = Need::Must);
    // One matrix for each head, in a dimension of its own or one below the other, as one that has rows × heads rows.
    // Heads are multiplied by without a bias; so are joinedHeads(), whose parts are of several kinds.
    Matrix headMatrix(std::string_view name, std::uint64_t columns, std::uint64_t rows, std::uint64_t heads);
    Matrix joinedHeads(std::string_view name, std::uint64_t columns, std::uint64_t rows);
    // Of which single rows are looked up: as many rows as the file has.
    Matrix table(std::string_view name, std::uint64_t columns, std::uint64_t mostRows, Need need = Need::Must);
    // What makes the logits; where the file has none, `table` serves.
    Matrix output(std::string_view name, std::uint64_t columns, std::uint64_t rows, const Matrix& table);
    // A small tensor of `count` weights, decoded.
    std::vector<float> floats(std::string_view name, std::uint64_t count, Need need = Need::Must);
    // The same in rows of `columns`.
    std::vector<float> grid(std::string_view name, std::uint64_t columns, std::uint64_t rows, Need need = Need::Must);
    Norm norm(std::string_view name, std::uint64_t length, Need need = Need::Must);
    // Of queries or keys, `length` for each head: of one head for all, of each head its own, or of all together.
    Norm headNorm(std::string_view name, std::uint64_t length, std::uint64_t heads);

    // Whether the file has the matrix, which would have these dimensions, and how many rows it has: 0 where there is
    // none. Both hand nothing out.
    [[nodiscard]] bool has(std::string_view name, std::initializer_list<std::uint64_t> dims = {});
    [[nodiscard]] std::uint64_t rowsOf(std::string_view name) const;
    // A matrix that is in the file besides others that say the same, and is not asked for.
    void leaveOut(std::string_view name);

    // After all is bound. `run` of the `declared` blocks are evaluated. Errors: bindWeights()'s.
    [[nodiscard]] Result<> finish(std::size_t run, std::size_t declared);

private:
    enum class Use : std::uint8_t { Products, Output };

    [[nodiscard]] std::string nameOf(std::string_view name) const { return m_prefix + std::string(name) + ".weight"; }
    // The tensor, which counts as used from now on. Where there is none, `dims` goes among those absent.
    [[nodiscard]] const TensorInfo* take(const std::string& name, std::initializer_list<std::uint64_t> dims, Need need);
    [[nodiscard]] Bytes bytesOf(const TensorInfo& tensor);
    void refuseShape(const TensorInfo& tensor, std::initializer_list<std::uint64_t> expected);
    void refuse(ErrorCode code, const TensorInfo& tensor, std::vector<std::string> args);
    Matrix bind(std::string_view name, std::uint64_t columns, std::uint64_t rows, std::uint64_t count, Need need);
    Matrix biased(Matrix matrix, std::string_view name);
    void count(const Matrix& matrix, Use use, std::uint64_t used);
    std::vector<float> decoded(const TensorInfo& tensor);

    const Model& m_model;
    SmallTensors m_small;
    Weights& m_weights;
    std::vector<AbsentTensor>* m_absent;
    std::vector<bool> m_taken; // of each tensor of the model
    std::string m_prefix;
    Refusal m_refusal;
};

} // namespace gufo::inference
