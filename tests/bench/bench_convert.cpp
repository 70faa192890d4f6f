// Measures the conversion of a folder against copying its weights, which are read, written and synced to the disk as
// the conversion does it, for several types. Prints the ratio of times and the bytes read and written per second.
//
//   bench_convert [megabytes [columns]]
#include "base/mapped_file.h"
#include "base/output_file.h"
#include "convert/convert_folder.h"
#include "llama_folder.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>

using namespace gufo;
namespace fs = std::filesystem;

namespace {

double secondsOf(const std::function<bool()>& work) {
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
        const auto start = std::chrono::steady_clock::now();
        if (!work()) {
            std::fprintf(stderr, "the work failed\n");
            std::exit(1);
        }
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

bool copyFile(const fs::path& from, const fs::path& to) {
    const auto source = MappedFile::open(from);
    auto out = source ? OutputFile::create(to) : std::unexpected(source.error());
    if (!out) {
        return false;
    }
    constexpr std::uint64_t kPiece = 1U << 20U;
    for (std::uint64_t at = 0; at < (*source)->size(); at += kPiece) {
        const auto bytes = (*source)->view({at, std::min(kPiece, (*source)->size() - at)});
        if (!bytes || !out->write(*bytes)) {
            return false;
        }
    }
    return out->commit().has_value();
}

} // namespace

int main(int argc, char** argv) {
    const std::uint64_t megabytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 512;
    const std::uint64_t columns = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2'048;
    const fs::path folder = fs::temp_directory_path() / "gufo-bench-convert";
    fs::remove_all(folder);
    bench::makeLlamaFolder(folder / "source", megabytes, columns);
    const auto source = convert::SourceFolder::open(folder / "source");
    if (!source) {
        std::fprintf(stderr, "the folder cannot be opened\n");
        return 1;
    }
    const double sourceBytes = static_cast<double>(fs::file_size(folder / "source" / "model.safetensors"));
    const double copying =
        secondsOf([&] { return copyFile(folder / "source" / "model.safetensors", folder / "copy"); });
    std::printf("copy of %.0f MB: %.2f s, %.2f GB/s read and written\n", sourceBytes / 1e6, copying,
                2 * sourceBytes / copying / 1e9);
    std::printf("%-8s %10s %14s %12s\n", "type", "seconds", "x copying", "GB/s");
    for (const char* type : {"BF16", "F16", "F32", "Q8_0", "Q4_K_M"}) {
        const convert::ConvertRequest request{.recipe = {.recipe = findRecipe(type)}};
        const auto plan = convert::planConversion(*source, request);
        if (!plan) {
            return 1;
        }
        const double seconds = secondsOf(
            [&] { return convert::writeConverted(*source, *plan, request, folder / "out.gguf").has_value(); });
        const double bytes = sourceBytes + static_cast<double>(plan->tensorBytes);
        std::printf("%-8s %10.2f %14.2f %12.2f\n", type, seconds, seconds / copying, bytes / seconds / 1e9);
    }
    fs::remove_all(folder);
    return 0;
}
