#pragma once

namespace gufo::convert {

// e to the power of `x`, with the bits that PyTorch gives on x86-64. The official converter is a PyTorch program, and
// the nearest float would differ from its result in about one of 13 weights, by the last bit.
float exponential(float x);

} // namespace gufo::convert
