// Pooling: combines the states of a text's tokens into one vector.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gufo::inference {

// The numbers are the values of the key "pooling_type".
enum class Pooling : std::uint8_t {
    None,  // there is no pooling: each token has its own vector
    Mean,  // the mean of all tokens, including special ones
    First, // the state of the first token ("cls")
    Last,
    Rank, // the scores that a ranking head computes from one of the above
};

[[nodiscard]] std::string_view poolingName(Pooling pooling); // "cls"
[[nodiscard]] std::optional<Pooling> poolingFromName(std::string_view name);
[[nodiscard]] std::optional<Pooling> poolingFromNumber(std::uint64_t number);

// Divides a vector by its Euclidean length; a vector of zeros stays as it is.
void scaleToUnitLength(std::span<float> vector);

} // namespace gufo::inference
