// Measures the conversion of a folder, for several types, against the work that no converter can avoid: reading the
// source, writing as many bytes as the result has, and syncing them to the disk, as `cp` would. A copy of the source
// would be the wrong measure, because a result of F32 is twice as large and one of Q4_K_M a third.
//
// Encoding is measured by itself, from memory to memory on all threads. The goal is that a conversion takes no longer
// than reading and writing, plus encoding: ratio 1. Elapsed times depend on the disk and on other work; the ratio of
// processor times is printed too, where encoding cannot hide behind the disk.
//
//   bench_convert [megabytes [columns]]
#include "base/byte_order.h"
#include "base/mapped_file.h"
#include "base/output_file.h"
#include "base/parallel.h"
#include "best_of.h"
#include "convert/convert_folder.h"
#include "goal_verdict.h"
#include "llama_folder.h"
#include "quantize/encode_pieces.h"
#include "tensor/decode.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

using namespace gufo;
namespace fs = std::filesystem;

namespace {

constexpr int kRepeats = 3;
constexpr std::uint64_t kPiece = 1U << 20U;

std::atomic<std::uint64_t> g_sum; // so that reading is not optimised away

[[noreturn]] void failed(const char* what) {
    std::fprintf(stderr, "%s failed\n", what);
    std::exit(1);
}

// Reads the source through a mapping, and writes `bytes` bytes of it, again and again if the result is larger.
void readAndWrite(const fs::path& from, const fs::path& to, std::uint64_t bytes) {
    const auto source = MappedFile::open(from);
    auto out = source ? OutputFile::create(to) : std::unexpected(source.error());
    if (!out) {
        failed("copying");
    }
    const std::uint64_t size = (*source)->size();
    std::uint64_t written = 0;
    for (std::uint64_t at = 0; at < std::max(size, bytes); at += kPiece) {
        const auto piece = (*source)->view({at % size, std::min(kPiece, size - at % size)});
        const std::uint64_t share = std::min(bytes - written, piece ? piece->size() : 0);
        if (!piece || !out->write(piece->first(share))) {
            failed("copying");
        }
        std::uint64_t sum = 0; // reads the bytes that are not written
        for (std::uint64_t i = share; i + sizeof sum <= piece->size() && at < size; i += sizeof sum) {
            sum += load<std::uint64_t>(piece->data() + i);
        }
        g_sum += sum;
        written += share;
    }
    if (!out->commit()) {
        failed("copying");
    }
}

// Decodes and encodes the tensors of a plan on all threads, and writes nothing.
void encodeAll(const Model& model, const convert::ConversionPlan& plan) {
    constexpr std::uint64_t kWeights = 1U << 17U;
    for (const convert::PlannedRow& row : plan.rows) {
        const TensorInfo& tensor = model.tensor(row.parts.front().weight);
        const auto stored = model.rowsOf(tensor);
        if (!stored) {
            failed("encoding");
        }
        TensorInfo target = tensor;
        target.typeId = row.typeId;
        parallelFor(tensor.weights(), kWeights, {}, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
            static thread_local PieceBuffers s_buffers;
            s_buffers.weights.resize(end - begin);
            const WeightPiece piece{.first = begin, .weights = end - begin, .columns = tensor.shape[0]};
            if (!decode(*stored, begin, s_buffers.weights) || !encodePiece(target, piece, nullptr, s_buffers)) {
                failed("encoding");
            }
        });
    }
}

} // namespace

int main(int argc, char** argv) {
    const std::uint64_t megabytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 512;
    const std::uint64_t columns = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2'048;
    const fs::path folder = fs::temp_directory_path() / ("gufo-bench-convert-" + std::to_string(getpid()));
    bench::makeLlamaFolder(folder / "source", megabytes, columns);
    const fs::path weights = folder / "source" / "model.safetensors";
    const auto source = convert::SourceFolder::open(folder / "source");
    if (!source) {
        failed("opening the folder");
    }
    const double sourceBytes = static_cast<double>(fs::file_size(weights));
    std::printf("%.0f MB of BF16. Seconds elapsed (and of processor time on all threads):\n", sourceBytes / 1e6);
    std::printf("%-8s %15s %15s %15s %9s %22s %24s\n", "type", "read and write", "encode", "convert", "GB/s",
                "convert / read, write", "convert / all (goal 1)");
    bool reached = true;
    for (const char* type : {"BF16", "F16", "F32", "Q8_0", "Q4_K_M"}) {
        const convert::ConvertRequest request{.recipe = {.recipe = findRecipe(type)}};
        const auto plan = convert::planConversion(*source, request);
        if (!plan) {
            failed("planning");
        }
        bench::Seconds copying;
        bench::Seconds converting;
        for (int i = 0; i < kRepeats; ++i) { // in turns, so that other work disturbs both
            copying.keepBetter(bench::bestOf(1, [&] { readAndWrite(weights, folder / "copy", plan->tensorBytes); }));
            converting.keepBetter(bench::bestOf(1, [&] {
                if (!convert::writeConverted(*source, *plan, request, folder / "out.gguf")) {
                    failed("converting");
                }
            }));
        }
        const bool encodes = std::string_view(type) != "BF16";
        const bench::Seconds encoding =
            encodes ? bench::bestOf(kRepeats, [&] { encodeAll(*source->model(), *plan); }) : bench::Seconds{0, 0};
        const unsigned threads = hardwareThreads();
        const auto pair = [&](const bench::Seconds& seconds) {
            std::printf(" %6.2f (%6.2f)", seconds.passed, seconds.perThread * threads);
        };
        std::printf("%-8s", type);
        pair(copying);
        pair(encoding);
        pair(converting);
        const double ratio = converting.passed / (copying.passed + encoding.passed);
        std::printf(" %9.2f %12.2f (%6.2f) %13.2f (%6.2f) %s\n",
                    (sourceBytes + static_cast<double>(plan->tensorBytes)) / converting.passed / 1e9,
                    converting.passed / copying.passed, converting.perThread / copying.perThread, ratio,
                    converting.perThread / (copying.perThread + encoding.perThread),
                    bench::goalVerdict(true, ratio <= 1));
        reached = reached && ratio <= 1;
    }
    fs::remove_all(folder);
    return reached ? 0 : 1;
}
