// Distinct index types, so that indices into different lists cannot be mixed up.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace gufo {

template<typename Tag>
struct Index {
    std::uint32_t value = 0;

    constexpr Index() = default;
    constexpr explicit Index(std::size_t v)
        : value(static_cast<std::uint32_t>(v)) {}
    constexpr auto operator<=>(const Index&) const = default;
};

using KvIndex = Index<struct KvTag>;         // into Model::metadata
using TensorIndex = Index<struct TensorTag>; // into Model::tensors
using FileIndex = Index<struct FileTag>;     // into Model::files
using TokenId = Index<struct TokenTag>;

} // namespace gufo

template<typename Tag>
struct std::hash<gufo::Index<Tag>> {
    std::size_t operator()(gufo::Index<Tag> index) const { return index.value; }
};
