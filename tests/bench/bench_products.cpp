// Measures the products of strips, on which prompts spend their time, for each weight type: products per second of
// processor time of one thread, relative to the peaks of 8-bit products and of float products of the same instruction
// set. Other work on the machine disturbs processor time less than elapsed time, and the best of many short pieces
// counts.
//
//   bench_products [--vectors N] [type …]        GUFO_ISA names another instruction set
#include "processor_speed.h"
#include "tensor/decode.h"
#include "tensor/encode.h"
#include "tensor/kernels/kernels.h"
#include "tensor/tensor_type.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace gufo;
using bench::processorSecondsOf;

namespace {

constexpr std::size_t kColumns = 2048;
constexpr std::size_t kRuns = kColumns / kRunWeights;
constexpr std::size_t kStrips = 8; // so that weights do not come from the L1 cache
constexpr int kPasses = 200;

struct Free {
    void operator()(void* memory) const { std::free(memory); }
};
template<typename T>
std::unique_ptr<T[], Free> aligned(std::size_t count) {
    return std::unique_ptr<T[], Free>(static_cast<T*>(std::aligned_alloc(64, (count * sizeof(T) + 63) / 64 * 64)));
}

struct Peaks {
    double int8 = 0;
    double floats = 0;

    void measure(const ProductKernels& kernels) {
        const auto rate = [](std::uint64_t (*peak)()) {
            std::uint64_t products = 0;
            const double seconds = peak != nullptr ? processorSecondsOf([&] { products = peak(); }) : 1;
            return static_cast<double>(products) / seconds;
        };
        int8 = std::max(int8, rate(kernels.peakInt8));
        floats = std::max(floats, rate(kernels.peakFloats));
    }
};

std::vector<float> normal(std::size_t count, float deviation) {
    std::mt19937_64 random(count);
    std::normal_distribution<float> distribution(0, deviation);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return distribution(random); });
    return values;
}

void run(const TensorTypeFact& type, std::size_t vectors) {
    const ProductKernels& kernels = activeKernels().products;
    const auto int8 = kernels.int8[type.id].strip;
    const auto int16 = kernels.int16[type.id];
    if (int8 == nullptr && int16 == nullptr) {
        return;
    }
    const std::size_t rowBytes = blocksBytes(type, kColumns);
    std::vector<std::byte> bytes(kStrips * kStripRows * rowBytes);
    const std::vector<float> weights = normal(kStrips * kStripRows * kColumns, 0.05F);
    if (!encode({.typeId = type.id, .columns = kColumns, .importance = {}}, weights, bytes)) {
        std::mt19937_64 random(type.id);
        std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random()); });
    }
    const std::vector<float> x = normal(vectors * kColumns, 1);
    const auto runs8 = aligned<Int8Run>(vectors * kRuns);
    const auto runs16 = aligned<Int16Run>(vectors * kRuns);
    for (std::size_t t = 0; t < vectors; ++t) {
        if (int8 != nullptr) {
            kernels.toInt8(x.data() + t * kColumns, kColumns, {.runs = runs8.get() + t, .stride = vectors});
        } else {
            kernels.toInt16(x.data() + t * kColumns, kColumns, runs16.get() + t, vectors);
        }
    }
    const auto scratch = aligned<std::byte>(kStripScratch);
    std::vector<float> y(vectors * kStripRows);
    Peaks peaks;
    double best = 1e9;
    for (int pass = 0; pass < kPasses; ++pass) {
        if (pass % 50 == 0) {
            peaks.measure(kernels);
        }
        const std::size_t strip = static_cast<std::size_t>(pass) % kStrips;
        const EncodedRows rows{bytes.data() + strip * kStripRows * rowBytes, rowBytes, kColumns};
        best = std::min(best, processorSecondsOf([&] {
                            if (int8 != nullptr) {
                                int8(rows, kStripRows, runs8.get(), vectors, y.data(), kStripRows, scratch.get());
                            } else {
                                int16(rows, kStripRows, runs16.get(), vectors, y.data(), kStripRows, scratch.get());
                            }
                        }));
    }
    const double rate = static_cast<double>(kStripRows * kColumns * vectors) / best;
    std::printf("%-8.*s %zu vectors: %6.1f·10⁹ products/s", static_cast<int>(type.name.size()), type.name.data(),
                vectors, rate / 1e9);
    if (peaks.int8 > 0) { // the scalar set has no peak
        std::printf(", %3.0f %% of the 8-bit peak %.0f", 100 * rate / peaks.int8, peaks.int8 / 1e9);
    }
    if (peaks.floats > 0) {
        std::printf(", %3.0f %% of the float peak %.0f", 100 * rate / peaks.floats, peaks.floats / 1e9);
    }
    std::printf("\n");
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    std::size_t vectors = 128;
    if (argc > 2 && std::string(argv[1]) == "--vectors") {
        vectors = static_cast<std::size_t>(std::clamp(std::atoi(argv[2]), 1, 4096));
        argv += 2;
        argc -= 2;
    }
    for (const TensorTypeFact& type : tensorTypes()) {
        const bool wanted =
            argc == 1 || std::any_of(argv + 1, argv + argc, [&](const char* name) { return name == type.name; });
        if (wanted && type.inGguf() && isDecodable(type.id) && type.rowHeaderBytes == 0) {
            run(type, vectors);
        }
    }
}
