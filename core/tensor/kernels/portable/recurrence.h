// The kernels of recurrent blocks in vectors. The including translation unit has defined Floats, the vector of its
// instruction set, and multiplyAdd(a, b, c), which is a × b + c.
#pragma once

#include "tensor/kernels/portable/floats.h"
#include "tensor/kernels/portable/rows.h"
#include "tensor/kernels/recurrence.h"

#include <algorithm>

namespace {

// A group of `vectors` vectors of columns. The last vector may be cut off after `last` elements.
template<std::size_t vectors>
struct Columns {
    std::size_t last = kFloats;

    [[gnu::always_inline]] Floats load(const float* from, std::size_t v) const {
        return v + 1 < vectors || last == kFloats ? loadFloats(from + v * kFloats)
                                                  : loadFloats(from + v * kFloats, last);
    }
    [[gnu::always_inline]] void store(float* to, std::size_t v, Floats value) const {
        if (v + 1 < vectors || last == kFloats) {
            storeFloats(to + v * kFloats, value);
        } else {
            std::memcpy(to + v * kFloats, &value, last * sizeof(float));
        }
    }
};

// Calls work(first column, Columns) for groups of four vectors, then of two, then of one. The last vector may be cut
// off.
template<typename Work>
[[gnu::always_inline]] inline void forColumns(std::size_t columns, const Work& work) {
    std::size_t j = 0;
    for (; j + 4 * kFloats <= columns; j += 4 * kFloats) {
        work(j, Columns<4>{});
    }
    for (; j + 2 * kFloats <= columns; j += 2 * kFloats) {
        work(j, Columns<2>{});
    }
    for (; j < columns; j += kFloats) {
        work(j, Columns<1>{std::min(kFloats, columns - j)});
    }
}

// If the number of taps is known at compile time, their weights stay in registers from token to token.
template<std::size_t knownTaps>
inline void convolveTaps(const gufo::Convolution& convolution, float* out) {
    const std::size_t channels = convolution.channels;
    const float* bias = convolution.bias;
    forColumns(channels, [&]<std::size_t vectors>(std::size_t c, const Columns<vectors>& group) GUFO_INLINE {
        Floats weights[knownTaps + 1][vectors]; // an array has at least one element
        unrolled(Times<knownTaps>(), [&](std::size_t k) GUFO_INLINE {
            unrolled(Times<vectors>(), [&](std::size_t v) GUFO_INLINE {
                weights[k][v] = group.load(convolution.weights + k * channels + c, v);
            });
        });
        for (std::size_t t = 0; t < convolution.tokens; ++t) {
            const float* x = convolution.x + t * convolution.stride + c;
            Floats sums[vectors];
            unrolled(Times<vectors>(), [&](std::size_t v) GUFO_INLINE {
                sums[v] = bias != nullptr ? group.load(bias + c, v) : Floats{};
            });
            unrolled(Times<knownTaps>(), [&](std::size_t k) GUFO_INLINE {
                unrolled(Times<vectors>(), [&](std::size_t v) GUFO_INLINE {
                    sums[v] = multiplyAdd(weights[k][v], group.load(x + k * convolution.stride, v), sums[v]);
                });
            });
            for (std::size_t k = knownTaps; k < convolution.taps; ++k) {
                unrolled(Times<vectors>(), [&](std::size_t v) GUFO_INLINE {
                    sums[v] = multiplyAdd(group.load(convolution.weights + k * channels + c, v),
                                          group.load(x + k * convolution.stride, v), sums[v]);
                });
            }
            unrolled(Times<vectors>(),
                     [&](std::size_t v) GUFO_INLINE { group.store(out + t * convolution.outStride + c, v, sums[v]); });
        }
    });
}

inline void convolve(const gufo::Convolution& convolution, float* out) {
    switch (convolution.taps) {
    case 3:
        return convolveTaps<3>(convolution, out);
    case 4:
        return convolveTaps<4>(convolution, out);
    default:
        return convolveTaps<0>(convolution, out);
    }
}

inline void scale(const float* x, float factor, const float* by, float* out, std::size_t count) {
    forColumns(count, [&]<std::size_t vectors>(std::size_t i, const Columns<vectors>& group) GUFO_INLINE {
        unrolled(Times<vectors>(), [&](std::size_t v) GUFO_INLINE {
            const Floats scaled = splat(factor) * group.load(x + i, v);
            group.store(out + i, v, by != nullptr ? scaled * group.load(by + i, v) : scaled);
        });
    });
}

// Columns do not depend on each other, so the state is read in strips that fit in the L1 cache.
template<bool removes>
inline void stepColumns(const gufo::RecurrenceStep& step, float* state, float* out) {
    forColumns(step.columns, [&]<std::size_t vectors>(std::size_t j, const Columns<vectors>& group) GUFO_INLINE {
        Floats removed[vectors]{};
        if constexpr (removes) {
            for (std::size_t i = 0; i < step.rows; ++i) {
                const Floats factor = splat(step.remove[i]);
                const float* row = state + i * step.columns + j;
                unrolled(Times<vectors>(), [&](std::size_t v) GUFO_INLINE {
                    removed[v] = multiplyAdd(factor, group.load(row, v), removed[v]);
                });
            }
        }
        Floats value[vectors];
        Floats sums[vectors]{};
        unrolled(Times<vectors>(), [&](std::size_t v) GUFO_INLINE { value[v] = group.load(step.value + j, v); });
        for (std::size_t i = 0; i < step.rows; ++i) {
            float* row = state + i * step.columns + j;
            const Floats decay = splat(step.decay[i]);
            const Floats key = splat(step.key[i]);
            const Floats query = splat(step.query[i]);
            Floats replace{};
            if constexpr (removes) {
                replace = splat(step.replace[i]);
            }
            unrolled(Times<vectors>(), [&](std::size_t v) GUFO_INLINE {
                Floats element = multiplyAdd(key, value[v], decay * group.load(row, v));
                if constexpr (removes) {
                    element = multiplyAdd(replace, removed[v], element);
                }
                group.store(row, v, element);
                sums[v] = multiplyAdd(query, element, sums[v]);
            });
        }
        unrolled(Times<vectors>(), [&](std::size_t v) GUFO_INLINE { group.store(out + j, v, sums[v]); });
    });
}

inline void step(const gufo::RecurrenceStep& step, float* state, float* out) {
    if (step.remove != nullptr) {
        stepColumns<true>(step, state, out);
    } else {
        stepColumns<false>(step, state, out);
    }
}

// e^x in the width of RowVectors, which may be wider than Floats.
constexpr std::size_t kRowLanes = kFloats == 16 ? 16 : 8;
using Exponential = RowVectors<kRowLanes>;

// Computes `vectors` vectors of channels. The last vector may be cut off after `last` elements. Prefetches the rows
// that the next channels need, because the rows of the state are too far apart for the hardware prefetchers.
template<std::size_t vectors>
[[gnu::always_inline]] inline void selectiveChannels(const gufo::SelectiveStep& step, std::size_t c, std::size_t last,
                                                     float* state, float* out) {
    using F = Exponential::F;
    const auto load = [&](const float* from, std::size_t v) GUFO_INLINE {
        return Exponential::load(from + v * kRowLanes, v + 1 < vectors ? kRowLanes : last, 0);
    };
    const auto store = [&](float* to, std::size_t v, F value) GUFO_INLINE {
        Exponential::store(to + v * kRowLanes, value, v + 1 < vectors ? kRowLanes : last);
    };
    F delta[vectors];
    F input[vectors];
    F sum[vectors]{};
    unrolled(Times<vectors>(), [&](std::size_t v) GUFO_INLINE {
        delta[v] = load(step.step + c, v);
        input[v] = load(step.input + c, v);
    });
    for (std::size_t n = 0; n < step.states; ++n) {
        float* place = state + n * step.stride + c;
        const float* a = step.a + n * step.stride + c;
        unrolled(Times<vectors>(), [&](std::size_t v) GUFO_INLINE {
            __builtin_prefetch(place + (vectors + v) * kRowLanes, 1);
            __builtin_prefetch(a + (vectors + v) * kRowLanes);
            const F element = Exponential::exponential(delta[v] * load(a, v)) * load(place, v) + input[v] * step.key[n];
            store(place, v, element);
            sum[v] += step.query[n] * element;
        });
    }
    unrolled(Times<vectors>(), [&](std::size_t v) GUFO_INLINE { store(out + c, v, sum[v]); });
}

inline void selectiveStep(const gufo::SelectiveStep& step, float* state, float* out) {
    constexpr std::size_t kVectorsTogether = kRowLanes == 16 ? 4 : 2;
    std::size_t c = 0;
    for (; c + kVectorsTogether * kRowLanes <= step.channels; c += kVectorsTogether * kRowLanes) {
        selectiveChannels<kVectorsTogether>(step, c, kRowLanes, state, out);
    }
    for (; c < step.channels; c += kRowLanes) {
        selectiveChannels<1>(step, c, std::min(kRowLanes, step.channels - c), state, out);
    }
}

// Computes `rows` rows of the product in one group of columns.
template<std::size_t rows, std::size_t vectors>
[[gnu::always_inline]] inline void multiplyTile(const gufo::SmallProduct& product, std::size_t i, std::size_t j,
                                                const Columns<vectors>& group, float* out) {
    Floats sums[rows][vectors]{};
    float* to = out + i * product.outRow + j;
    if (product.adds) {
        unrolled(Times<rows>(), [&](std::size_t r) GUFO_INLINE {
            unrolled(Times<vectors>(),
                     [&](std::size_t v) GUFO_INLINE { sums[r][v] = group.load(to + r * product.outRow, v); });
            if (product.kept != nullptr) {
                unrolled(Times<vectors>(),
                         [&](std::size_t v) GUFO_INLINE { sums[r][v] *= splat(product.kept[i + r]); });
            }
        });
    }
    const float* a = product.a + i * product.aRow;
    const float* b = product.b + j;
    for (std::size_t k = 0; k < product.depth; ++k, a += product.aColumn, b += product.bRow) {
        Floats elements[vectors];
        unrolled(Times<vectors>(), [&](std::size_t v) GUFO_INLINE { elements[v] = group.load(b, v); });
        unrolled(Times<rows>(), [&](std::size_t r) GUFO_INLINE {
            const Floats factor = splat(a[r * product.aRow]);
            unrolled(Times<vectors>(),
                     [&](std::size_t v) GUFO_INLINE { sums[r][v] = multiplyAdd(factor, elements[v], sums[r][v]); });
        });
    }
    unrolled(Times<rows>(), [&](std::size_t r) GUFO_INLINE {
        unrolled(Times<vectors>(),
                 [&](std::size_t v) GUFO_INLINE { group.store(to + r * product.outRow, v, sums[r][v]); });
    });
}

inline void multiplySmall(const gufo::SmallProduct& product, float* out) {
    constexpr std::size_t kRows = kFloats == 8 ? 2 : 6; // with four vectors of columns they fit in the registers
    forColumns(product.columns, [&]<std::size_t vectors>(std::size_t j, const Columns<vectors>& group) GUFO_INLINE {
        std::size_t i = 0;
        for (; i + kRows <= product.rows; i += kRows) {
            multiplyTile<kRows>(product, i, j, group, out);
        }
        for (; kRows > 2 && i + 2 <= product.rows; i += 2) {
            multiplyTile<2>(product, i, j, group, out);
        }
        if (i < product.rows) {
            multiplyTile<1>(product, i, j, group, out);
        }
    });
}

// Adds all lanes: exchanges lanes that are `stride` apart and adds them, then half as far, and so on.
template<std::size_t... i>
[[gnu::always_inline]] inline Floats exchanged(Floats v, std::index_sequence<i...> /*lanes*/) {
    return __builtin_shufflevector(v, v, static_cast<int>(i)...);
}
template<std::size_t stride, std::size_t... i>
[[gnu::always_inline]] inline Floats exchangedBy(Floats v, std::index_sequence<i...> /*lanes*/) {
    return exchanged(v, std::index_sequence<(i ^ stride)...>());
}
template<std::size_t stride = kFloats / 2>
[[gnu::always_inline]] inline float sumOfLanes(Floats v) {
    if constexpr (stride == 0) {
        return v[0];
    } else {
        return sumOfLanes<stride / 2>(v + exchangedBy<stride>(v, Times<kFloats>()));
    }
}

// Computes the products of token t with `count` keys from j on. Keys of earlier tokens first decay by one token.
template<std::size_t count, bool earlier>
[[gnu::always_inline]] inline void decayedGroup(const gufo::DecayedProducts& products, std::size_t t, std::size_t j) {
    const float* query = products.queries + t * products.stride;
    const float* key = products.keys + t * products.stride;
    const float* decay = products.decays + t * products.decayStride;
    float* decayed = products.decayed + j * products.length;
    Floats ofQuery[count]{};
    Floats ofKey[count]{};
    for (std::size_t i = 0; i < products.length; i += kFloats) {
        const Columns<1> group{std::min(kFloats, products.length - i)};
        const Floats q = group.load(query + i, 0);
        const Floats k = group.load(key + i, 0);
        const Floats factor = earlier ? group.load(decay + i, 0) : Floats{};
        unrolled(Times<count>(), [&](std::size_t c) GUFO_INLINE {
            float* place = decayed + c * products.length + i;
            const Floats element = earlier ? group.load(place, 0) * factor : k;
            group.store(place, 0, element);
            ofQuery[c] = multiplyAdd(q, element, ofQuery[c]);
            if constexpr (earlier) {
                ofKey[c] = multiplyAdd(k, element, ofKey[c]);
            }
        });
    }
    const std::size_t at = t * products.resultStride + j;
    unrolled(Times<count>(), [&](std::size_t c) GUFO_INLINE {
        products.ofQueries[at + c] = sumOfLanes(ofQuery[c]);
        if constexpr (earlier) {
            products.ofKeys[at + c] = sumOfLanes(ofKey[c]);
        }
    });
}

inline void decayedProducts(const gufo::DecayedProducts& products) {
    for (std::size_t t = 0; t < products.tokens; ++t) {
        std::size_t j = 0;
        for (; j + 4 <= t; j += 4) {
            decayedGroup<4, true>(products, t, j);
        }
        for (; j < t; ++j) {
            decayedGroup<1, true>(products, t, j);
        }
        decayedGroup<1, false>(products, t, t);
    }
}

inline void installPortableRecurrence(gufo::RecurrenceKernels& kernels) {
    kernels = {.convolve = convolve,
               .scale = scale,
               .step = step,
               .selectiveStep = selectiveStep,
               .multiply = multiplySmall,
               .decayedProducts = decayedProducts};
}

} // namespace
