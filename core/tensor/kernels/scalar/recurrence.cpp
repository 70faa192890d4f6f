// The kernels of recurrent blocks that specify the others, element by element.
#include "tensor/kernels/kernels.h"

#include <cmath>

namespace gufo::scalar {
namespace {

void convolve(const Convolution& convolution, float* out) {
    for (std::size_t t = 0; t < convolution.tokens; ++t) {
        for (std::size_t c = 0; c < convolution.channels; ++c) {
            float sum = convolution.bias != nullptr ? convolution.bias[c] : 0;
            for (std::size_t k = 0; k < convolution.taps; ++k) {
                sum +=
                    convolution.weights[k * convolution.channels + c] * convolution.x[(t + k) * convolution.stride + c];
            }
            out[t * convolution.outStride + c] = sum;
        }
    }
}

void scale(const float* x, float factor, const float* by, float* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = factor * x[i] * (by != nullptr ? by[i] : 1);
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
            sum *= product.kept != nullptr ? product.kept[i] : 1;
            for (std::size_t k = 0; k < product.depth; ++k) {
                sum += product.a[i * product.aRow + k * product.aColumn] * product.b[k * product.bRow + j];
            }
            out[i * product.outRow + j] = sum;
        }
    }
}

void decayedProducts(const DecayedProducts& products) {
    for (std::size_t t = 0; t < products.tokens; ++t) {
        const float* query = products.queries + t * products.stride;
        const float* key = products.keys + t * products.stride;
        const float* decay = products.decays + t * products.decayStride;
        for (std::size_t j = 0; j <= t; ++j) {
            float* decayed = products.decayed + j * products.length;
            float ofQuery = 0;
            float ofKey = 0;
            for (std::size_t i = 0; i < products.length; ++i) {
                decayed[i] = j < t ? decayed[i] * decay[i] : key[i];
                ofQuery += query[i] * decayed[i];
                ofKey += key[i] * decayed[i];
            }
            products.ofQueries[t * products.resultStride + j] = ofQuery;
            if (j < t) {
                products.ofKeys[t * products.resultStride + j] = ofKey;
            }
        }
    }
}

} // namespace

void installRecurrence(RecurrenceKernels& kernels) {
    kernels = {.convolve = convolve,
               .scale = scale,
               .step = step,
               .selectiveStep = selectiveStep,
               .multiply = multiply,
               .decayedProducts = decayedProducts};
}

} // namespace gufo::scalar
