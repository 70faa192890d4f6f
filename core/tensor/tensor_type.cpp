#include "tensor/tensor_type.h"

#include "base/ascii.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace gufo {
namespace {

constexpr auto kFloat = TensorTypeKind::Float;
constexpr auto kInteger = TensorTypeKind::Integer;
constexpr auto kQuantised = TensorTypeKind::Quantised;
constexpr auto kGgml = TensorTypeOrigin::Ggml;
constexpr auto kRemoved = TensorTypeOrigin::Removed;
constexpr auto kIkLlama = TensorTypeOrigin::IkLlama;
constexpr auto kContainer = TensorTypeOrigin::Container;

constexpr std::uint32_t containerType(std::uint32_t number) { return kFirstContainerType + number; }

// Columns: id, name, weights per block, bytes per block, row header bytes. ik_llama.cpp's variants named _R4, _R8 and
// _R16 interleave that many rows; their blocks have the sizes of the plain type. Its type 41, Q1_0_G128, is ggml's
// Q1_0. Q4_2 and Q4_3 were removed with GGJT version 2. The types of other containers have the names of safetensors,
// which does not say in which order F4 and F6 are packed; C64 and C128 are pairs of floats.
constexpr auto kTypes = std::to_array<TensorTypeFact>({
    {0, "F32", 1, 4, 0, kFloat, kGgml},
    {1, "F16", 1, 2, 0, kFloat, kGgml},
    {2, "Q4_0", 32, 18, 0, kQuantised, kGgml},
    {3, "Q4_1", 32, 20, 0, kQuantised, kGgml},
    {4, "Q4_2", 16, 10, 0, kQuantised, kRemoved},
    {5, "Q4_3", 16, 12, 0, kQuantised, kRemoved},
    {6, "Q5_0", 32, 22, 0, kQuantised, kGgml},
    {7, "Q5_1", 32, 24, 0, kQuantised, kGgml},
    {8, "Q8_0", 32, 34, 0, kQuantised, kGgml},
    {9, "Q8_1", 32, 36, 0, kQuantised, kGgml},
    {10, "Q2_K", 256, 84, 0, kQuantised, kGgml},
    {11, "Q3_K", 256, 110, 0, kQuantised, kGgml},
    {12, "Q4_K", 256, 144, 0, kQuantised, kGgml},
    {13, "Q5_K", 256, 176, 0, kQuantised, kGgml},
    {14, "Q6_K", 256, 210, 0, kQuantised, kGgml},
    {15, "Q8_K", 256, 292, 0, kQuantised, kGgml},
    {16, "IQ2_XXS", 256, 66, 0, kQuantised, kGgml},
    {17, "IQ2_XS", 256, 74, 0, kQuantised, kGgml},
    {18, "IQ3_XXS", 256, 98, 0, kQuantised, kGgml},
    {19, "IQ1_S", 256, 50, 0, kQuantised, kGgml},
    {20, "IQ4_NL", 32, 18, 0, kQuantised, kGgml},
    {21, "IQ3_S", 256, 110, 0, kQuantised, kGgml},
    {22, "IQ2_S", 256, 82, 0, kQuantised, kGgml},
    {23, "IQ4_XS", 256, 136, 0, kQuantised, kGgml},
    {24, "I8", 1, 1, 0, kInteger, kGgml},
    {25, "I16", 1, 2, 0, kInteger, kGgml},
    {26, "I32", 1, 4, 0, kInteger, kGgml},
    {27, "I64", 1, 8, 0, kInteger, kGgml},
    {28, "F64", 1, 8, 0, kFloat, kGgml},
    {29, "IQ1_M", 256, 56, 0, kQuantised, kGgml},
    {30, "BF16", 1, 2, 0, kFloat, kGgml},
    {31, "Q4_0_4_4", 32, 18, 0, kQuantised, kRemoved},
    {32, "Q4_0_4_8", 32, 18, 0, kQuantised, kRemoved},
    {33, "Q4_0_8_8", 32, 18, 0, kQuantised, kRemoved},
    {34, "TQ1_0", 256, 54, 0, kQuantised, kGgml},
    {35, "TQ2_0", 256, 66, 0, kQuantised, kGgml},
    {36, "IQ4_NL_4_4", 32, 18, 0, kQuantised, kRemoved},
    {37, "IQ4_NL_4_8", 32, 18, 0, kQuantised, kRemoved},
    {38, "IQ4_NL_8_8", 32, 18, 0, kQuantised, kRemoved},
    {39, "MXFP4", 32, 17, 0, kQuantised, kGgml},
    {40, "NVFP4", 64, 36, 0, kQuantised, kGgml},
    {41, "Q1_0", 128, 18, 0, kQuantised, kGgml},
    {42, "Q2_0", 64, 18, 0, kQuantised, kGgml},
    {97, "Q8_0_X4", 32, 34, 0, kQuantised, kIkLlama},
    {98, "Q8_1_X4", 32, 36, 0, kQuantised, kIkLlama},
    {99, "Q8_2_X4", 32, 36, 0, kQuantised, kIkLlama},
    {133, "Q6_0", 32, 26, 0, kQuantised, kIkLlama},
    {134, "IQ1_BN", 64, 13, 2, kQuantised, kIkLlama},
    {135, "IQ2_BN", 64, 16, 4, kQuantised, kIkLlama},
    {136, "Q8_K64", 64, 68, 0, kQuantised, kIkLlama},
    {137, "IQ2_K", 256, 76, 0, kQuantised, kIkLlama},
    {138, "IQ3_K", 256, 110, 0, kQuantised, kIkLlama},
    {139, "IQ4_K", 256, 144, 0, kQuantised, kIkLlama},
    {140, "IQ5_K", 256, 176, 0, kQuantised, kIkLlama},
    {141, "IQ6_K", 256, 212, 0, kQuantised, kIkLlama},
    {144, "IQ4_KS", 256, 136, 4, kQuantised, kIkLlama},
    {145, "IQ2_KS", 256, 70, 2, kQuantised, kIkLlama},
    {146, "IQ4_KSS", 256, 128, 4, kQuantised, kIkLlama},
    {147, "Q8_K16", 64, 64, 20, kQuantised, kIkLlama},
    {148, "Q8_K32", 256, 292, 0, kQuantised, kIkLlama},
    {149, "Q8_KR8", 256, 292, 0, kQuantised, kIkLlama},
    {150, "Q8_K128", 128, 140, 0, kQuantised, kIkLlama},
    {151, "Q8_KV", 32, 32, 8, kQuantised, kIkLlama},
    {152, "IQ5_KS", 256, 168, 4, kQuantised, kIkLlama},
    {153, "IQ2_KT", 256, 68, 4, kQuantised, kIkLlama},
    {154, "IQ3_KT", 256, 100, 4, kQuantised, kIkLlama},
    {155, "IQ4_KT", 256, 128, 4, kQuantised, kIkLlama},
    {156, "IQ3_KS", 256, 102, 2, kQuantised, kIkLlama},
    {157, "IQ2_KL", 256, 86, 2, kQuantised, kIkLlama},
    {158, "IQ1_KT", 256, 56, 4, kQuantised, kIkLlama},
    {202, "Q4_0_R8", 32, 18, 0, kQuantised, kIkLlama},
    {206, "Q5_0_R4", 32, 22, 0, kQuantised, kIkLlama},
    {208, "Q8_0_R8", 32, 34, 0, kQuantised, kIkLlama},
    {210, "Q2_K_R4", 256, 84, 0, kQuantised, kIkLlama},
    {211, "Q3_K_R4", 256, 110, 0, kQuantised, kIkLlama},
    {212, "Q4_K_R4", 256, 144, 0, kQuantised, kIkLlama},
    {213, "Q5_K_R4", 256, 176, 0, kQuantised, kIkLlama},
    {214, "Q6_K_R4", 256, 210, 0, kQuantised, kIkLlama},
    {216, "IQ2_XXS_R4", 256, 66, 0, kQuantised, kIkLlama},
    {217, "IQ2_XS_R4", 256, 74, 0, kQuantised, kIkLlama},
    {218, "IQ3_XXS_R4", 256, 98, 0, kQuantised, kIkLlama},
    {219, "IQ1_S_R4", 32, 6, 2, kQuantised, kIkLlama},
    {220, "IQ4_NL_R4", 32, 18, 0, kQuantised, kIkLlama},
    {221, "IQ3_S_R4", 256, 110, 0, kQuantised, kIkLlama},
    {222, "IQ2_S_R4", 256, 82, 0, kQuantised, kIkLlama},
    {223, "IQ4_XS_R8", 256, 136, 0, kQuantised, kIkLlama},
    {229, "IQ1_M_R4", 32, 7, 2, kQuantised, kIkLlama},
    {230, "BF16_R16", 1, 2, 0, kQuantised, kIkLlama},
    {233, "Q6_0_R4", 32, 26, 0, kQuantised, kIkLlama},
    {335, "IQ2_BN_R4", 64, 16, 4, kQuantised, kIkLlama},
    {337, "IQ2_K_R4", 256, 76, 0, kQuantised, kIkLlama},
    {338, "IQ3_K_R4", 256, 110, 0, kQuantised, kIkLlama},
    {339, "IQ4_K_R4", 256, 144, 0, kQuantised, kIkLlama},
    {340, "IQ5_K_R4", 256, 176, 0, kQuantised, kIkLlama},
    {344, "IQ4_KS_R4", 256, 136, 4, kQuantised, kIkLlama},
    {352, "IQ5_KS_R4", 256, 168, 4, kQuantised, kIkLlama},
    {353, "MXFP4_R8", 32, 17, 0, kQuantised, kIkLlama},
    {397, "Q8_K_R16", 256, 258, 0, kQuantised, kIkLlama},
    {398, "Q8_KV_R8", 32, 32, 4, kQuantised, kIkLlama},
    {399, "Q8_K_R8", 256, 258, 0, kQuantised, kIkLlama},
    {containerType(0), "BOOL", 1, 1, 0, kInteger, kContainer, true},
    {containerType(1), "U8", 1, 1, 0, kInteger, kContainer, true},
    {containerType(2), "U16", 1, 2, 0, kInteger, kContainer, true},
    {containerType(3), "U32", 1, 4, 0, kInteger, kContainer, true},
    {containerType(4), "U64", 1, 8, 0, kInteger, kContainer, true},
    {containerType(5), "F8_E4M3", 1, 1, 0, kFloat, kContainer},
    {containerType(6), "F8_E5M2", 1, 1, 0, kFloat, kContainer},
    {containerType(7), "F8_E4M3FNUZ", 1, 1, 0, kFloat, kContainer},
    {containerType(8), "F8_E5M2FNUZ", 1, 1, 0, kFloat, kContainer},
    {containerType(9), "F8_E8M0", 1, 1, 0, kFloat, kContainer},
    {containerType(10), "Q4_0_GGJT1", 32, 20, 0, kQuantised, kContainer},
    {containerType(11), "Q4_1_GGJT1", 32, 24, 0, kQuantised, kContainer},
    {containerType(12), "Q5_0_GGJT1", 32, 22, 0, kQuantised, kContainer},
    {containerType(13), "Q5_1_GGJT1", 32, 24, 0, kQuantised, kContainer},
    {containerType(14), "Q8_0_GGJT1", 32, 36, 0, kQuantised, kContainer},
    {containerType(15), "Q4_0_GGJT2", 32, 20, 0, kQuantised, kContainer},
    {containerType(16), "Q4_1_GGJT2", 32, 24, 0, kQuantised, kContainer},
    {containerType(17), "F4", 2, 1, 0, kFloat, kContainer},
    {containerType(18), "F6_E2M3", 4, 3, 0, kFloat, kContainer},
    {containerType(19), "F6_E3M2", 4, 3, 0, kFloat, kContainer},
    {containerType(20), "C64", 1, 8, 0, kFloat, kContainer},
    {containerType(21), "C128", 1, 16, 0, kFloat, kContainer},
});
static_assert(kTypes.size() == kTensorTypes);
static_assert(std::ranges::is_sorted(kTypes, std::ranges::less_equal{}, &TensorTypeFact::id) &&
                  std::ranges::adjacent_find(kTypes, {}, &TensorTypeFact::id) == kTypes.end(),
              "ascending, each id once");

// The types of GGUF, which are found by their numbers. The others follow each other in the last rows.
constexpr std::size_t kGgufTypes =
    static_cast<std::size_t>(std::ranges::find_if_not(kTypes, &TensorTypeFact::inGguf) - kTypes.begin());
static_assert(kTypes[kGgufTypes].id == kFirstContainerType &&
              kTypes.back().id == kFirstContainerType + (kTensorTypes - kGgufTypes - 1));

constexpr auto kRows = [] {
    std::array<std::uint8_t, kTypes[kGgufTypes - 1].id + 1> rows{};
    static_assert(kTensorTypes <= 0xFF);
    rows.fill(kTensorTypes);
    for (std::size_t row = 0; row < kGgufTypes; ++row) {
        rows[kTypes[row].id] = static_cast<std::uint8_t>(row);
    }
    return rows;
}();

} // namespace

std::span<const TensorTypeFact> tensorTypes() { return kTypes; }

std::size_t tensorTypeRow(std::uint32_t id) {
    if (id >= kFirstContainerType) {
        return std::min<std::size_t>(kGgufTypes + (id - kFirstContainerType), kTensorTypes);
    }
    return id < kRows.size() ? kRows[id] : kTensorTypes;
}

const TensorTypeFact* findTensorType(std::uint32_t id) {
    const std::size_t row = tensorTypeRow(id);
    return row != kTensorTypes ? &kTypes[row] : nullptr;
}

const TensorTypeFact& tensorTypeFact(TensorType type) {
    const TensorTypeFact* info = findTensorType(static_cast<std::uint32_t>(type));
    assert(info != nullptr);
    return *info;
}

const TensorTypeFact* findTensorType(std::string_view name) {
    const auto types = std::span(kTypes).first(kGgufTypes);
    const auto row =
        std::ranges::find_if(types, [&](const TensorTypeFact& info) { return equalIgnoringCase(info.name, name); });
    return row != types.end() ? &*row : nullptr;
}

} // namespace gufo
