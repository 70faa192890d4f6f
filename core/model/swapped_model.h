// A model whose tensors come from several files of the same model: any of them are taken from other files, in their
// types there. Nothing is copied or written; the result views the bytes of all files, and everything that works on a
// model works on it.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "model/model.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gufo {

struct TensorSwap {
    TensorIndex tensor{0};             // of the model that is changed
    std::shared_ptr<const Model> from; // has a tensor of the same name
    // Only this matrix of a stack (an expert), counted over all dimensions above the second; otherwise the whole
    // tensor.
    std::optional<std::uint64_t> matrix{};
};

// Returns `base` with other tensors; if several swaps are about the same tensor or matrix, the first one applies. The
// swap of a single matrix takes precedence over a swap of its tensor. Errors, with the file of `from`: SetIncomplete;
// NoSuchTensor;
// WrongShape; InvalidArgument (args: Detail::OtherByteOrder, Detail::TensorDataIncomplete); NotSupported (single
// matrices of a tensor that has no such matrix, or whose weights are not stored in order).
[[nodiscard]] Result<std::shared_ptr<const Model>> swapTensors(const std::shared_ptr<const Model>& base,
                                                               std::span<const TensorSwap> swaps);

// Whether two models have the same tensors, whatever their types: the condition under which any of them can be swapped.
// Errors, with the file: SetIncomplete (either); with the file of `other`: InvalidArgument (args:
// Detail::ArchitecturesDiffer, Detail::OtherByteOrder); NoSuchTensor (args: up to three names that only one of the
// models has, with the place in the model that has it); WrongShape.
[[nodiscard]] Result<> checkSwappable(const Model& base, const Model& other);

// How many matrices a tensor consists of: more than one for the experts of a block.
[[nodiscard]] std::uint64_t matricesOf(const TensorInfo& tensor);

// The source of a stack of matrices, some of which come from other files and may have other types. Its bytes are the
// bytes of the whole stack in the file that provides all other matrices. The engine looks for it when it binds a stack.
class MixedStack final : public ByteSource {
public:
    struct Matrix {
        std::uint32_t typeId = 0;
        Bytes bytes; // empty: the stack's own matrix is used
    };

    // `matrices` has an entry for each matrix. `owners` keep their bytes readable.
    MixedStack(std::shared_ptr<const ByteSource> stack, std::vector<Matrix> matrices,
               std::vector<std::shared_ptr<const Model>> owners)
        : m_stack(std::move(stack))
        , m_matrices(std::move(matrices))
        , m_owners(std::move(owners)) {}

    [[nodiscard]] std::span<const Matrix> matrices() const { return m_matrices; }

    [[nodiscard]] std::uint64_t size() const override { return m_stack->size(); }
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override { return m_stack->view(range); }
    void advise(ByteRange range, Access access) const override { m_stack->advise(range, access); }
    [[nodiscard]] std::optional<Error> damage() const override;
    [[nodiscard]] const std::filesystem::path& path() const override { return m_stack->path(); }
    [[nodiscard]] std::shared_ptr<const void> hold() const override;
    [[nodiscard]] bool isHeld() const override { return m_stack->isHeld(); }

private:
    std::shared_ptr<const ByteSource> m_stack;
    std::vector<Matrix> m_matrices;
    std::vector<std::shared_ptr<const Model>> m_owners; // each once
};

} // namespace gufo
