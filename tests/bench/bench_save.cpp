// Measures saving an edit of the metadata, compared with `cp` and sync of the same file, for 1, 4 and 8 GB of real
// data.
//
//     bench_save [FOLDER [GIGABYTES…]]   on the file system to be measured, by default /var/tmp, which should be ext4;
//                                        1, 4 and 8 GB need 17 GB there
//
// Goals: patch takes at most 5 ms whatever the size; shift takes at most 5 ms with a cold cache for 1 and 8 GB (the
// cost of a warm cache is printed per cached GB, because the kernel drops the file's page cache); copy takes at most
// 1.1 × cp for 4 GB. Times are those seen by a caller of gguf::save, including planning and encoding.
#include "document/open_model.h"
#include "formats/gguf/write/save.h"
#include "formats/gguf/write/writer.h"
#include "model/encode_value.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <unistd.h>

using namespace gufo;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::uint64_t kGigabyte = 1'000'000'000;
constexpr std::uint64_t kTensorWeights = 4096 * 4096;
constexpr std::uint32_t kF16 = 1;
constexpr int kRounds = 15;

double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

[[noreturn]] void stop(const char* what) {
    std::fprintf(stderr, "bench_save: %s\n", what);
    std::exit(1);
}

// Makes 32,000 tokens with scores and types, a chat template, and tensors of random bytes without holes.
void makeFile(const fs::path& path, std::uint64_t bytes) {
    std::mt19937_64 random(1);
    gguf::Writer writer;
    ArrayBuilder tokens(ValueType::String);
    ArrayBuilder scores(ValueType::Float32);
    ArrayBuilder types(ValueType::Int32);
    for (int i = 0; i < 32'000; ++i) {
        tokens.add(std::string_view("token " + std::to_string(random() % 1'000'000)));
        scores.add(-static_cast<float>(i));
        types.add(std::int32_t{1});
    }
    const std::string chatTemplate(3'000, '{');
    bool made =
        writer.add("general.architecture", std::string_view("llama")) &&
        writer.add("general.name", std::string_view("before")) && writer.add("tokenizer.ggml.tokens", tokens.view()) &&
        writer.add("tokenizer.ggml.scores", scores.view()) && writer.add("tokenizer.ggml.token_type", types.view()) &&
        writer.add("tokenizer.chat_template", std::string_view(chatTemplate));
    const std::uint64_t tensorBytes = 2 * kTensorWeights;
    const std::array<std::uint64_t, 2> dims{4096, 4096};
    for (std::uint64_t i = 0; i < bytes / tensorBytes; ++i) {
        made = made && writer.addTensor("blk." + std::to_string(i) + ".ffn_up.weight", kF16, Shape(dims), tensorBytes);
    }
    std::vector<std::uint64_t> data(tensorBytes / 8);
    std::ranges::generate(data, random);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    const auto sink = [&](Bytes part) -> Result<> {
        made = made && std::fwrite(part.data(), 1, part.size(), file) == part.size();
        return {};
    };
    const auto tensor = [&](std::size_t i, const gguf::Sink& out) {
        data[0] = i; // makes all blocks different
        return out(std::as_bytes(std::span(data)));
    };
    if (file == nullptr || !made || !writer.write(sink, tensor) || std::fflush(file) != 0 || fsync(fileno(file)) != 0 ||
        !made) {
        stop("the model could not be written");
    }
    std::fclose(file);
}

void dropCache(const fs::path& path) {
    const int file = open(path.c_str(), O_RDONLY);
    fsync(file);
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    close(file);
}

void fillCache(const fs::path& path) {
    std::vector<char> buffer(8 << 20);
    const int file = open(path.c_str(), O_RDONLY);
    while (read(file, buffer.data(), buffer.size()) > 0) {
    }
    close(file);
}

double median(std::vector<double> times) {
    std::ranges::sort(times);
    return times[times.size() / 2];
}

// Returns the model with another chat template.
Model withTemplate(const Model& base, std::string_view text) {
    Model edited = base;
    edited.metadata = Metadata();
    for (KeyValue entry : base.metadata) {
        if (entry.key == "tokenizer.chat_template") {
            entry.value = text;
        }
        edited.metadata.add(entry);
    }
    return edited;
}

enum class Cache { AsIs, Cold };

// Saves, checks the result and returns milliseconds. Cold means that only the header is cached, which opening the file
// has read and which is always cached when a user saves.
double save(const fs::path& path, std::string_view text, std::optional<SaveStrategy> forced, SaveStrategy expected,
            Cache cache = Cache::AsIs) {
    if (cache == Cache::Cold) {
        dropCache(path);
    }
    const auto base = openModel(path);
    if (!base) {
        stop("the model does not open");
    }
    const Model edited = withTemplate(**base, text);
    if (cache == Cache::Cold) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    const auto start = Clock::now();
    const auto report = gguf::save(**base, edited, {}, {.strategy = forced});
    const double time = millisecondsSince(start);
    if (!report || report->files.size() != 1 || report->files[0].plan.strategy != expected) {
        std::fprintf(stderr, "%s: %s\n", path.c_str(),
                     report ? report->files.empty() ? "nothing to do" : reasonName(report->files[0].plan.reason).data()
                            : errorName(report.error().code).data());
        stop("a save went another way");
    }
    return time;
}

double timeOfCp(const fs::path& from, const fs::path& to) {
    const std::string command = "cp '" + from.native() + "' '" + to.native() + "' && sync '" + to.native() + "'";
    const auto start = Clock::now();
    if (std::system(command.c_str()) != 0) {
        stop("cp failed");
    }
    const double time = millisecondsSince(start);
    fs::remove(to);
    return time;
}

struct Times {
    double patch = 0;
    double coldGrow = 0;
    double coldShrink = 0;
    double warm = 0;
};

Times measureInPlace(const fs::path& path, std::uint64_t gigabytes) {
    const std::string before(3'000, '{');
    const std::string longer(9'000, '%');
    std::vector<double> patches;
    std::vector<double> grows;
    std::vector<double> shrinks;
    std::vector<double> warm;
    for (int i = 0; i < kRounds; ++i) {
        patches.push_back(save(path, std::string(3'000, static_cast<char>('a' + i)), {}, SaveStrategy::Patch));
    }
    save(path, before, {}, SaveStrategy::Patch);
    for (int i = 0; i < kRounds; ++i) {
        grows.push_back(save(path, longer, {}, SaveStrategy::Shift, Cache::Cold));
        shrinks.push_back(save(path, before, {}, SaveStrategy::Shift, Cache::Cold));
    }
    for (int i = 0; i < 3; ++i) {
        fillCache(path);
        warm.push_back(save(path, longer, {}, SaveStrategy::Shift));
        save(path, before, {}, SaveStrategy::Shift);
    }
    const Times times{median(patches), median(grows), median(shrinks), median(warm)};
    const double perCached = (times.warm - times.coldGrow) / static_cast<double>(gigabytes);
    std::printf(
        "%llu GB: patch %.2f ms; shift cold: grow %.2f ms, shrink %.2f ms; warm: %.1f ms, %.1f ms per cached GB\n",
        static_cast<unsigned long long>(gigabytes), times.patch, times.coldGrow, times.coldShrink, times.warm,
        perCached);
    return times;
}

} // namespace

int main(int argc, char** argv) {
    const fs::path folder = argc > 1 ? argv[1] : "/var/tmp";
    std::vector<std::uint64_t> sizes{1, 4, 8};
    if (argc > 2) {
        sizes.clear();
        std::transform(argv + 2, argv + argc, std::back_inserter(sizes),
                       [](const char* text) { return std::strtoull(text, nullptr, 10); });
    }
    const fs::path model = folder / "gufo-bench-save.gguf";
    const fs::path other = folder / "gufo-bench-save-cp.gguf";
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // print each line at once, because the run takes minutes
    Times largest;
    double cp = 0;
    double copy = 0;
    for (const std::uint64_t gigabytes : sizes) {
        makeFile(model, gigabytes * kGigabyte);
        std::this_thread::sleep_for(
            std::chrono::seconds(10)); // lets the disk finish its writes before anything is timed
        largest = measureInPlace(model, gigabytes);
        if (gigabytes == 4) {
            std::vector<double> cps;
            std::vector<double> copies;
            for (int i = 0; i < 3; ++i) { // alternate, because the disk's speed varies
                cps.push_back(timeOfCp(model, other));
                copies.push_back(save(model, std::string(3'000, static_cast<char>('k' + i)), SaveStrategy::Copy,
                                      SaveStrategy::Copy));
            }
            cp = median(cps);
            copy = median(copies);
        }
        fs::remove(model);
    }
    if (cp == 0) {
        return 0; // nothing to compare
    }
    std::printf("4 GB: cp with sync %.0f ms, copy %.0f ms\n", cp, copy);
    std::printf(
        "ratio to cp of 4 GB: patch of 8 GB %.5f, shift of 8 GB %.5f (goal 0.01), copy of 4 GB %.2f (goal 1.1)\n",
        largest.patch / cp, largest.coldGrow / cp, copy / cp);
    const bool met = largest.patch <= 5 && largest.coldGrow <= 5 && largest.coldShrink <= 5 && copy <= 1.1 * cp;
    std::printf("%s\n", met ? "goals met" : "goals MISSED");
    return 0;
}
