#include "formats/ggml/stored_types.h"

#include <algorithm>
#include <array>
#include <optional>

namespace gufo::ggml {
namespace {

using Types = std::array<std::optional<TensorType>, 3>; // by DataLayout

constexpr Types always(TensorType type) { return {type, type, type}; }
constexpr Types only1(TensorType type) { return {type, std::nullopt, std::nullopt}; }
constexpr Types only3(TensorType type) { return {std::nullopt, std::nullopt, type}; }

struct Row {
    std::uint32_t number;              // in ggml
    std::optional<std::uint32_t> rwkv; // in rwkv.cpp
    std::string_view name;
    Types types;
};

// Q4_2 and Q4_3 were removed with version 2. K-quants came after version 3.
constexpr auto kRows = std::to_array<Row>({
    {0, 0, "F32", always(TensorType::F32)},
    {1, 1, "F16", always(TensorType::F16)},
    {2, 2, "Q4_0", {TensorType::Q4_0_GGJT1, TensorType::Q4_0_GGJT2, TensorType::Q4_0}},
    {3, 3, "Q4_1", {TensorType::Q4_1_GGJT1, TensorType::Q4_1_GGJT2, TensorType::Q4_1}},
    {4, std::nullopt, "Q4_2", only1(TensorType::Q4_2)},
    {5, std::nullopt, "Q4_3", only1(TensorType::Q4_3)},
    {6, 7, "Q5_0", {TensorType::Q5_0_GGJT1, TensorType::Q5_0, TensorType::Q5_0}},
    {7, 8, "Q5_1", {TensorType::Q5_1_GGJT1, TensorType::Q5_1, TensorType::Q5_1}},
    {8, 9, "Q8_0", {TensorType::Q8_0_GGJT1, TensorType::Q8_0_GGJT1, TensorType::Q8_0}},
    {10, std::nullopt, "Q2_K", only3(TensorType::Q2_K)},
    {11, std::nullopt, "Q3_K", only3(TensorType::Q3_K)},
    {12, std::nullopt, "Q4_K", only3(TensorType::Q4_K)},
    {13, std::nullopt, "Q5_K", only3(TensorType::Q5_K)},
    {14, std::nullopt, "Q6_K", only3(TensorType::Q6_K)},
});

} // namespace

StoredType storedType(std::uint32_t number, DataLayout layout, bool rwkvNumbers) {
    const auto* row = std::ranges::find_if(kRows, [&](const Row& candidate) {
        return rwkvNumbers ? candidate.rwkv == number : candidate.number == number;
    });
    if (row == kRows.end()) {
        return {};
    }
    const auto type = row->types[static_cast<std::size_t>(layout)];
    return {.info = type ? &tensorTypeInfo(*type) : nullptr, .name = row->name};
}

bool isKnownFileType(std::uint32_t fileType) {
    constexpr std::uint32_t kLast = 18; // MOSTLY_Q6_K
    return fileType <= kLast;
}

} // namespace gufo::ggml
