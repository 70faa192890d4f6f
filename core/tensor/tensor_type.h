// The tensor types that files may contain, one row each in tensor_type.cpp.
//
// A row is an encoding. The type of a tensor in a GGUF file is a number, and numbers outside the table are legal: such
// a tensor can be opened, is identified by its number, and has no size. The numbers have gaps (ggml's end at 42,
// ik_llama.cpp's at 399), so values for each type are stored in a TensorTypeTable (tensor_type_table.h), which is
// indexed by the row of the type. Encodings that only other containers have are numbered from kFirstContainerType; no
// file contains these numbers. For the sizes of rows and tensors see row_layout.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace gufo {

// The first number of the types of other containers. ggml's numbers are signed, so it would be negative there.
inline constexpr std::uint32_t kFirstContainerType = 0xFFFF'FF00U;

// The numbers of the types that can be decoded: first the types of ggml (ggml.h, `enum ggml_type`), then the types of
// ik_llama.cpp, then types that only other containers have.
enum class TensorType : std::uint32_t {
    F32 = 0,
    F16 = 1,
    Q4_0 = 2,
    Q4_1 = 3,
    Q4_2 = 4,
    Q4_3 = 5,
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

    Q6_0 = 133,
    IQ1_BN = 134,
    IQ2_BN = 135,
    IQ2_K = 137,
    IQ3_K = 138,
    IQ4_K = 139,
    IQ5_K = 140,
    IQ6_K = 141,
    IQ4_KS = 144,
    IQ2_KS = 145,
    IQ4_KSS = 146,
    IQ5_KS = 152,
    IQ3_KS = 156,
    IQ2_KL = 157,

    Bool = kFirstContainerType, // any byte but 0 is true
    U8,
    U16,
    U32,
    U64,
    F8_E4M3, // the formats of 8 bits are described in float_formats.h
    F8_E5M2,
    F8_E4M3FNUZ,
    F8_E5M2FNUZ,
    F8_E8M0,
    Q4_0_GGJT1, // the layouts of GGJT's versions; version 1 includes GGMF and files without a version
    Q4_1_GGJT1,
    Q5_0_GGJT1,
    Q5_1_GGJT1,
    Q8_0_GGJT1, // also in version 2
    Q4_0_GGJT2,
    Q4_1_GGJT2,
};

enum class TensorTypeOrigin : std::uint8_t {
    Ggml,
    Removed,   // formerly in ggml; runtimes refuse it
    IkLlama,   // ik_llama.cpp; forks reuse numbers, so the name is a hint
    Container, // only in containers other than GGUF
};

enum class TensorTypeKind : std::uint8_t {
    Float,     // F32, F16, BF16, F64, F8 …
    Integer,   // I8 … I64, U8 … U64, BOOL
    Quantised, // blocks with scales
};

struct TensorTypeFact {
    std::uint32_t id;
    std::string_view name;        // "Q4_K", in its usual spelling
    std::uint32_t blockSize;      // weights per block
    std::uint32_t blockBytes;     // bytes per block
    std::uint32_t rowHeaderBytes; // bytes before the blocks of each row; 0 in all types of ggml
    TensorTypeKind kind;
    TensorTypeOrigin origin;
    bool isUnsigned = false; // of integers

    // Whether GGUF has a number for the type.
    [[nodiscard]] constexpr bool inGguf() const { return origin != TensorTypeOrigin::Container; }
    // The bits per weight, not counting row headers.
    [[nodiscard]] constexpr double bitsPerWeight() const { return 8.0 * blockBytes / blockSize; }
};

// All rows, sorted by id.
inline constexpr std::size_t kTensorTypes = 122;
[[nodiscard]] std::span<const TensorTypeFact> tensorTypes();

// The index of the row of a type number, or kTensorTypes if it is unknown. Takes constant time.
[[nodiscard]] std::size_t tensorTypeRow(std::uint32_t id);

// The row of a type number, or null if it is unknown.
[[nodiscard]] const TensorTypeFact* findTensorType(std::uint32_t id);
[[nodiscard]] const TensorTypeFact& tensorTypeFact(TensorType type);

// Finds a type of GGUF by name, ignoring letter case ("q4_k", "Q4_K").
[[nodiscard]] const TensorTypeFact* findTensorType(std::string_view name);

} // namespace gufo
