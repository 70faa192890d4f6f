// Measures hashing a file and its tensors in one pass over the bytes, relative to one stream of core's SHA-256 over the
// same bytes in memory (goal: 0.9). The file and its tensors are two streams, each on a thread of its own.
#include "analysis/model_digests.h"
#include "base/cpu_features.h"
#include "best_of.h"
#include "goal_verdict.h"

#include <array>
#include <cstdio>
#include <string>

using namespace gufo;
using namespace gufo::bench;

namespace {

constexpr std::uint64_t kTensors = 64;
constexpr std::uint64_t kTensorBytes = 16U << 20U;
constexpr int kRepeats = 5;

Model modelOfZeros(std::vector<std::string>& names) {
    Model model;
    model.files.push_back({.source = std::make_shared<MemorySource>(std::vector<std::byte>(kTensors * kTensorBytes))});
    for (std::uint64_t i = 0; i < kTensors; ++i) {
        names.push_back("blk." + std::to_string(i) + ".ffn_up.weight");
    }
    for (std::uint64_t i = 0; i < kTensors; ++i) {
        TensorInfo tensor;
        tensor.name = names[i];
        tensor.shape = Shape(std::array{kTensorBytes / 4});
        tensor.offset = i * kTensorBytes;
        tensor.bytes = tensor.bytesPresent = kTensorBytes;
        model.tensors.push_back(tensor);
    }
    model.indexTensors();
    return model;
}

} // namespace

int main() {
    std::vector<std::string> names;
    const Model model = modelOfZeros(names);
    const Bytes bytes = *model.files[0].source->view({0, kTensors * kTensorBytes});
    Sha256Digest digest{};
    const Seconds stream = bestOf(kRepeats, [&] { digest = sha256(bytes); });
    bool done = true;
    const Seconds both = bestOf(kRepeats, [&] {
        const auto digests = digestModel(model, {});
        done = done && digests && digests->files[0].whole == digest;
    });
    const double gigabytes = static_cast<double>(bytes.size()) / 1e9;
    const double ratio = stream.passed / both.passed;
    // A figure that other work on the machine does not disturb: the processor time of two single streams relative to
    // the time of both together.
    const double share = 2 * stream.perThread / both.perThread;
    std::printf("%.1f GB, %u threads, %s\n", gigabytes, hardwareThreads(), std::string(cpuDescription()).c_str());
    std::printf("one stream of SHA-256: %.2f GB/s\nfile and tensors: %.2f GB/s, %.2f of one stream (goal 0.9: %s), "
                "%.2f in processor time\n",
                gigabytes / stream.passed, gigabytes / both.passed, ratio,
                goalVerdict(done && hardwareThreads() > 1, ratio >= 0.9), share);
    return done ? 0 : 1;
}
