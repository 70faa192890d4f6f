// largerPart() and smallerPart() of lanes.h for instruction sets without better instructions. They have internal
// linkage.
#pragma once

namespace {

template<typename Part>
inline Part largerPart(Part a, Part b) {
    return a > b ? a : b;
}
template<typename Part>
inline Part smallerPart(Part a, Part b) {
    return a < b ? a : b;
}

} // namespace
