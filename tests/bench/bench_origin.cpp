// Measures the comparison of a GGUF file with the folder that it was converted from, for several types: the figures of
// a plain comparison, and the proof that rounds or encodes the origin to the types of the file. Prints both as ratios
// to reading the bytes of both files once.
//
//   bench_origin [megabytes [columns]]
#include "analysis/compare/compare_models.h"
#include "base/parallel.h"
#include "best_of.h"
#include "convert/convert_folder.h"
#include "convert/origin/compare_origin.h"
#include "document/open_model.h"
#include "llama_folder.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace gufo;
namespace fs = std::filesystem;

namespace {

constexpr int kRepeats = 3;

[[noreturn]] void stop(const char* what) {
    std::fprintf(stderr, "%s failed\n", what);
    std::exit(1);
}

// Adds up all bytes of a model on all threads.
std::uint64_t readAll(const Model& model) {
    std::atomic<std::uint64_t> total = 0;
    for (const TensorInfo& tensor : model.tensors) {
        const auto bytes = model.bytesOf(tensor);
        if (!bytes) {
            stop("reading");
        }
        constexpr std::uint64_t kPiece = 1U << 20U;
        parallelFor(bytes->size(), kPiece, {}, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
            std::uint64_t sum = 0;
            for (std::uint64_t at = begin; at + sizeof sum <= end; at += sizeof sum) {
                std::uint64_t word = 0;
                std::memcpy(&word, bytes->data() + at, sizeof word);
                sum += word;
            }
            total += sum;
        });
    }
    return total;
}

std::shared_ptr<const Model> opened(const fs::path& path) {
    auto model = openModel(path);
    if (!model) {
        stop("opening");
    }
    return *std::move(model);
}

void measure(const fs::path& folder, const char* type) {
    const auto source = convert::SourceFolder::open(folder / "source");
    const convert::ConvertRequest request{.recipe = {.recipe = findRecipe(type)}};
    const auto plan = source ? convert::planConversion(*source, request) : std::unexpected(source.error());
    if (!plan || !convert::writeConverted(*source, *plan, request, folder / "out.gguf")) {
        stop("converting");
    }
    const auto file = opened(folder / "out.gguf");
    const auto origin = convert::readOrigin(opened(folder / "source"));
    if (!origin) {
        stop("planning");
    }
    const std::vector<std::shared_ptr<const Model>> models{(*origin)->model, file};
    const auto matches = matchTensors(models, 0);
    const auto metadata = compareMetadata(models, 0);
    if (!matches || !metadata) {
        stop("matching");
    }
    std::atomic<std::uint64_t> sum = 0; // so that reading is not optimised away
    const bench::Seconds reading =
        bench::bestOf(kRepeats, [&] { sum += readAll(*(*origin)->source) + readAll(*file); });
    const bench::Seconds comparing = bench::bestOf(kRepeats, [&] {
        if (!compareModels(*matches)) {
            stop("comparing");
        }
    });
    const bench::Seconds proving = bench::bestOf(kRepeats, [&] {
        const auto proof = convert::proveOrigin(**origin, *matches, *metadata);
        if (!proof || proof->same() != proof->compared()) {
            stop("proving");
        }
    });
    const double bytes = static_cast<double>((*origin)->source->totals().tensorBytes + file->totals().tensorBytes);
    std::printf("%-8s %9.2f %14.2f %14.2f %14.2f %14.2f\n", type, bytes / proving.passed / 1e9,
                comparing.passed / reading.passed, proving.passed / reading.passed,
                comparing.perThread / reading.perThread, proving.perThread / reading.perThread);
}

} // namespace

int main(int argc, char** argv) {
    const std::uint64_t megabytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 256;
    const std::uint64_t columns = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2'048;
    const fs::path folder = fs::temp_directory_path() / "gufo-bench-origin";
    fs::remove_all(folder);
    bench::makeLlamaFolder(folder / "source", megabytes, columns);
    std::printf("%-8s %9s %14s %14s %14s %14s\n", "", "proof", "figures", "proof", "figures", "proof");
    std::printf("%-8s %9s %14s %14s %14s %14s\n", "type", "GB/s", "x reading", "x reading", "x processor",
                "x processor");
    for (const char* type : {"BF16", "F16", "F32", "Q8_0", "Q4_K_M"}) {
        measure(folder, type);
    }
    fs::remove_all(folder);
    return 0;
}
