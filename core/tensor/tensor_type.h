// The tensor types: one row of facts each (tensor_type.cpp), whatever a file may contain.
//
// A tensor's type is the number in its file. Numbers outside the table are legal: such a tensor opens, is named by its
// number, and has no size.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gufo {

// ggml's numbers (ggml.h, `enum ggml_type`), of the types that can be decoded.
enum class TensorType : std::uint32_t {
    F32 = 0,
    F16 = 1,
    Q4_0 = 2,
    Q4_1 = 3,
    Q5_0 = 6,
    Q5_1 = 7,
    Q8_0 = 8,
    Q8_1 = 9,
    Q2_K = 10,
    Q3_K = 11,
    Q4_K = 12,
    Q5_K = 13,
    Q6_K = 14,
    Q8_K = 15,
    IQ2_XXS = 16,
    IQ2_XS = 17,
    IQ3_XXS = 18,
    IQ1_S = 19,
    IQ4_NL = 20,
    IQ3_S = 21,
    IQ2_S = 22,
    IQ4_XS = 23,
    I8 = 24,
    I16 = 25,
    I32 = 26,
    I64 = 27,
    F64 = 28,
    IQ1_M = 29,
    BF16 = 30,
    TQ1_0 = 34,
    TQ2_0 = 35,
    MXFP4 = 39,
    NVFP4 = 40,
    Q1_0 = 41,
    Q2_0 = 42,
};

enum class TensorTypeOrigin : std::uint8_t {
    Ggml,
    Removed, // was in ggml; runtimes refuse it
    IkLlama, // ik_llama.cpp; forks reuse numbers, so the name is a hint
};

enum class TensorTypeKind : std::uint8_t {
    Float,     // F32, F16, BF16, F64
    Integer,   // I8 … I64
    Quantised, // blocks with scales
};

struct TensorTypeInfo {
    std::uint32_t id;
    std::string_view name;        // "Q4_K", as the field writes it
    std::uint32_t blockSize;      // weights in a block
    std::uint32_t blockBytes;     // bytes of a block
    std::uint32_t rowHeaderBytes; // before the blocks of each row; 0 in all of ggml's types
    TensorTypeKind kind;
    TensorTypeOrigin origin;

    // Bits that a weight takes, row headers aside.
    [[nodiscard]] constexpr double bitsPerWeight() const { return 8.0 * blockBytes / blockSize; }
};

// All rows, by id.
[[nodiscard]] std::span<const TensorTypeInfo> tensorTypes();

// The row of a number, or null if the number is not known.
[[nodiscard]] const TensorTypeInfo* findTensorType(std::uint32_t id);
[[nodiscard]] const TensorTypeInfo& tensorTypeInfo(TensorType type);

// By name, letter case ignored ("q4_k", "Q4_K").
[[nodiscard]] const TensorTypeInfo* findTensorType(std::string_view name);

// Bytes of a row of `weights` weights; nothing if the row is not a whole number of blocks or the size overflows.
[[nodiscard]] std::optional<std::uint64_t> rowBytes(const TensorTypeInfo& type, std::uint64_t weights);

} // namespace gufo
