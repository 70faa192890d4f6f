// Measures statistics and a 256-bin histogram of a tensor in memory, for each type. Prints weights per second on all
// threads, and two ratios: to the scalar kernels, and to reading the same bytes once as fast as this machine can. The
// last column uses processor time, which other work on the machine disturbs less than elapsed time.
//
//   bench_statistics [type …]
#include "analysis/statistics.h"
#include "base/cpu_features.h"
#include "base/parallel.h"
#include "best_of.h"
#include "tensor/block_fields.h"
#include "tensor/decode.h"
#include "tensor/kernels/kernels.h"
#include "tensor/row_layout.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace gufo;
using bench::bestOf;
using bench::Seconds;

namespace {

constexpr std::uint64_t kWeights = std::uint64_t{96} << 20U;
constexpr std::uint64_t kColumns = 4096;
constexpr int kRepeats = 5;

// Makes realistic weights: normally distributed with deviation 0.02, or blocks of random codes with scales of that
// size.
std::vector<std::byte> plausibleTensor(const TensorTypeFact& type) {
    std::mt19937_64 random(type.id);
    std::normal_distribution<float> normal(0, 0.02F);
    const std::uint64_t size = *tensorBytes(type, kColumns, kWeights / kColumns);
    std::vector<std::byte> bytes(std::uint64_t{1} << 20U);
    const std::size_t blocks = bytes.size() / type.blockBytes;
    bytes.resize(blocks * type.blockBytes);
    if (type.kind != TensorTypeKind::Quantised) {
        for (std::size_t i = 0; i < blocks; ++i) {
            const float value = normal(random);
            std::byte* at = bytes.data() + i * type.blockBytes;
            const auto bits = std::bit_cast<std::uint32_t>(value);
            switch (static_cast<TensorType>(type.id)) {
            case TensorType::F32:
                store(at, value);
                break;
            case TensorType::F64:
                store(at, static_cast<double>(value));
                break;
            case TensorType::BF16:
                store(at, static_cast<std::uint16_t>(bits >> 16U));
                break;
            case TensorType::F16: // normally distributed numbers, truncated
                store(at, static_cast<std::uint16_t>((bits >> 16U & 0x8000U) |
                                                     (std::max<std::uint32_t>(bits >> 23U & 0xFFU, 113) - 112) << 10U |
                                                     (bits >> 13U & 0x3FFU)));
                break;
            default:
                for (std::size_t byte = 0; byte < type.blockBytes; ++byte) {
                    at[byte] = static_cast<std::byte>(random());
                }
            }
        }
    } else {
        for (std::byte& byte : bytes) {
            byte = static_cast<std::byte>(random());
        }
        // Fields named d, dmin and m get values of 0.001 … 0.002 with random mantissas.
        for (std::size_t block = 0; block < blocks; ++block) {
            for (const BlockField& field : blockFields(type.id)) {
                std::byte* at = bytes.data() + block * type.blockBytes + field.offset;
                const bool isScale = field.name == "d" || field.name == "dmin" || field.name == "m";
                if (isScale && field.fieldSize == 2) {
                    store(at, static_cast<std::uint16_t>(0x1400 + random() % 1024));
                } else if (isScale && field.fieldSize == 4) {
                    store(at, 0.001F * (1 + static_cast<float>(random() % 1024) / 1024));
                } else if (field.name == "e") {
                    store(at, static_cast<std::uint8_t>(118 + random() % 4));
                } else if (type.id == static_cast<std::uint32_t>(TensorType::IQ1_M) && field.name == "scales") {
                    store(at + 6, static_cast<std::uint16_t>((load<std::uint16_t>(at + 6) & 0xFFFU) | 0x1000U));
                }
            }
        }
    }
    while (bytes.size() < size) {
        bytes.insert(bytes.end(), bytes.begin(),
                     bytes.begin() + std::min<std::uint64_t>(bytes.size(), size - bytes.size()));
    }
    bytes.resize(size);
    // The scales of rows. The scales of blocks are small multiples of them.
    for (std::uint64_t row = 0; row < kWeights / kColumns && type.rowHeaderBytes != 0; ++row) {
        std::byte* const header = bytes.data() + row * *rowBytes(type, kColumns);
        if (type.rowHeaderBytes == 2) {
            store(header, static_cast<std::uint16_t>(0x0800 + random() % 1024));
        } else {
            store(header, 0x1p-13F * (1 + static_cast<float>(random() % 1024) / 1024));
        }
    }
    return bytes;
}

// Sums the bytes as 64-bit words on all threads, in eight independent chains.
Seconds readOnce(const std::vector<std::byte>& bytes) {
    std::atomic<std::uint64_t> sink = 0;
    return bestOf(kRepeats + 3, [&] {
        static_cast<void>(parallelFor(bytes.size(), 1U << 20U, {}, [&](auto begin, auto end, auto) {
            std::array<std::uint64_t, 8> sums{};
            for (auto at = begin; at + 64 <= end; at += 64) {
                std::array<std::uint64_t, 8> words;
                std::memcpy(words.data(), bytes.data() + at, 64);
                for (std::size_t i = 0; i < 8; ++i) {
                    sums[i] += words[i];
                }
            }
            sink += sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
        }));
    });
}

} // namespace

int main(int argc, char** argv) {
    std::printf("statistics + 256 bins of %llu million weights, %u threads, %s\n",
                static_cast<unsigned long long>(kWeights >> 20U), hardwareThreads(),
                std::string(cpuDescription()).c_str());
    std::printf("%-8s %14s %10s %14s %12s %14s\n", "type", "10^9 weights/s", "x scalar", "x memory read", "decode only",
                "processor time");
    for (const TensorTypeFact& type : tensorTypes()) {
        bool wanted = isDecodable(type.id) && argc == 1;
        for (int i = 1; i < argc; ++i) {
            wanted = wanted || findTensorType(std::string_view(argv[i])) == &type;
        }
        if (!wanted) {
            continue;
        }
        Model model;
        TensorInfo info;
        info.name = "tensor";
        info.typeId = type.id;
        info.shape = Shape(std::array<std::uint64_t, 2>{kColumns, kWeights / kColumns});
        std::vector<std::byte> bytes = plausibleTensor(type);
        info.bytes = bytes.size();
        info.bytesPresent = bytes.size();
        const Seconds reading = readOnce(bytes);
        const Seconds decoding = bestOf(kRepeats, [&] {
            const StoredRows rows = *StoredRows::of(type.id, kColumns, bytes);
            alignas(64) thread_local std::array<float, 4096> out;
            static_cast<void>(parallelFor(kWeights, out.size() * 64, {}, [&](auto begin, auto end, auto) {
                for (auto first = begin; first < end; first += out.size()) {
                    static_cast<void>(decode(rows, first, out));
                }
            }));
        });
        model.tensors.push_back(info);
        ModelFile file;
        file.source = std::make_shared<MemorySource>(std::move(bytes));
        model.files.push_back(file);
        const auto analyse = [&] { static_cast<void>(analyseTensor(model, TensorIndex(0))); };
        const Seconds active = bestOf(kRepeats, analyse);
        const ForcedKernels forced(scalar::kernels());
        const Seconds plain = bestOf(1, analyse);
        const auto weights = static_cast<double>(kWeights);
        std::printf("%-8s %14.2f %10.1f %14.2f %12.2f %14.2f\n", std::string(type.name).c_str(),
                    weights / active.passed / 1e9, plain.perThread / active.perThread,
                    reading.perThread / active.perThread, weights / decoding.perThread / 1e9,
                    weights / active.perThread / 1e9);
        std::fflush(stdout);
    }
    return 0;
}
