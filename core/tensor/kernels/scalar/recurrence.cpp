// The kernels of recurrent blocks that specify the others, element by element.
#include "tensor/kernels/kernels.h"

#include <cmath>

namespace gufo::scalar {
namespace {

void convolve(const float* x, std::size_t stride, std::size_t taps, const float* weights, const float* bias, float* out,
              std::size_t channels) {
    for (std::size_t c = 0; c < channels; ++c) {
        float sum = bias != nullptr ? bias[c] : 0;
        for (std::size_t k = 0; k < taps; ++k) {
            sum += weights[k * channels + c] * x[k * stride + c];
        }
        out[c] = sum;
    }
}

void step(const RecurrenceStep& step, float* state, float* out) {
    for (std::size_t j = 0; j < step.columns; ++j) {
        float removed = 0;
        for (std::size_t i = 0; step.remove != nullptr && i < step.rows; ++i) {
            removed += step.remove[i] * state[i * step.columns + j];
        }
        out[j] = 0;
        for (std::size_t i = 0; i < step.rows; ++i) {
            float& element = state[i * step.columns + j];
            element = step.decay[i] * element + step.key[i] * step.value[j];
            if (step.remove != nullptr) {
                element += step.replace[i] * removed;
            }
            out[j] += step.query[i] * element;
        }
    }
}

void selectiveStep(const SelectiveStep& step, float* state, float* out) {
    for (std::size_t c = 0; c < step.channels; ++c) {
        out[c] = 0;
        for (std::size_t n = 0; n < step.states; ++n) {
            float& element = state[n * step.stride + c];
            element = std::exp(step.step[c] * step.a[n * step.stride + c]) * element + step.input[c] * step.key[n];
            out[c] += step.query[n] * element;
        }
    }
}

void multiply(const SmallProduct& product, float* out) {
    for (std::size_t i = 0; i < product.rows; ++i) {
        for (std::size_t j = 0; j < product.columns; ++j) {
            float sum = product.adds ? out[i * product.outRow + j] : 0;
            for (std::size_t k = 0; k < product.depth; ++k) {
                sum += product.a[i * product.aRow + k * product.aColumn] * product.b[k * product.bRow + j];
            }
            out[i * product.outRow + j] = sum;
        }
    }
}

} // namespace

void installRecurrence(RecurrenceKernels& kernels) {
    kernels = {.convolve = convolve, .step = step, .selectiveStep = selectiveStep, .multiply = multiply};
}

} // namespace gufo::scalar
