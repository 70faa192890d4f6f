// e to the power of a number, with the bits that PyTorch gives on x86-64. The official converter is a PyTorch program,
// and the nearest float would differ from its result in about one of 13 weights, by the last bit.
//
// Thread contract: pure, thread-safe.
#pragma once

namespace gufo::convert {

[[nodiscard]] float exponential(float x);

} // namespace gufo::convert
