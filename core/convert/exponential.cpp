#include "convert/exponential.h"

#include <array>
#include <cmath>
#include <limits>

namespace gufo::convert {
namespace {

// PyTorch computes vectors with expf_u10 of SLEEF, whose steps and constants follow: x = q·ln 2 + s, with ln 2 in two
// parts so that s is exact enough, and a polynomial of s. Each step must round where it does.
constexpr float kLog2E = 1.442695040888963407F;
constexpr float kLn2Upper = 0.693145751953125F;
constexpr float kLn2Lower = 1.428606765330187045e-06F;
constexpr std::array kTerms = {0.000198527617612853646F, 0.00139304355252534151F, 0.00833336077630519867F,
                               0.0416664853692054749F,   0.166666671633720398F,   0.5F};

// Beyond it, the result is 0 or infinite.
constexpr float kLargest = 104;

} // namespace

float exponential(float x) {
    if (std::isnan(x) || std::abs(x) > kLargest) {
        return std::isnan(x) ? x : x < 0 ? 0.0F : std::numeric_limits<float>::infinity();
    }
    const float q = std::nearbyint(x * kLog2E);
    const float s = std::fma(q, -kLn2Lower, std::fma(q, -kLn2Upper, x));
    float sum = 0;
    for (const float term : kTerms) {
        sum = std::fma(sum, s, term);
    }
    return std::ldexp(1 + std::fma(s * s, sum, s), static_cast<int>(q));
}

} // namespace gufo::convert
