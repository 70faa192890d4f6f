// Measures the same as measureSpeed(), but in processor time of one thread, which excludes the time in which other
// programs use the processor. They still use some of the memory bandwidth, so each token and each prompt is followed by
// a pass of what it is compared with, and the best figure of each kind counts.
#pragma once

#include "inference/measuring/speed.h"
#include "tensor/kernels/kernels.h"

#include <algorithm>
#include <ctime>

namespace gufo::bench {

inline double processorSecondsOf(const auto& work) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double begin = now();
    work();
    return now() - begin;
}

// The session must have one thread. Errors: those of evaluate() and of Model::bytesOf.
inline Result<inference::MeasuredSpeed> measureInProcessorTime(inference::Session& session, const Model& model,
                                                               const inference::SpeedTask& task) {
    constexpr int kPrompts = 4; // the first does not count
    constexpr std::size_t kMaxBytes = std::size_t{1} << 29U;
    std::vector<Bytes> parts;
    std::size_t bytes = 0;
    for (const TensorInfo& tensor : model.tensors) {
        const auto all = model.bytesOf(tensor);
        if (!all) {
            return std::unexpected(all.error());
        }
        parts.push_back(all->first(std::min(all->size(), kMaxBytes - bytes)));
        bytes += parts.back().size();
    }
    const auto tokensOf = [&](std::size_t count, std::size_t salt) {
        std::vector<TokenId> ids;
        for (std::size_t i = 0; i < count; ++i) {
            ids.emplace_back(((i + salt) * 2'654'435'761U) % session.vocabulary());
        }
        return ids;
    };
    inference::MeasuredSpeed speed;
    std::optional<Error> error;
    const auto secondsFor = [&](std::size_t count, std::size_t salt) {
        const std::vector<TokenId> tokens = tokensOf(count, salt);
        return processorSecondsOf([&] {
            if (const auto done = session.evaluate(tokens, inference::Logits::Last, {}); !done) {
                error = done.error();
            }
        });
    };
    for (int i = 0; i < kPrompts && !error; ++i) {
        session.truncate(0);
        const double seconds = secondsFor(task.prompt, 1);
        if (i > 0) {
            speed.promptTps = std::max(speed.promptTps, static_cast<double>(task.prompt) / seconds);
        }
        if (const auto peak = activeKernels().products.peakInt8) {
            std::uint64_t products = 0;
            const double passed = processorSecondsOf([&] { products = peak(); });
            speed.peakProducts = std::max(speed.peakProducts, static_cast<double>(products) / passed);
        }
    }
    std::uint64_t sum = 0; // keeps the compiler from leaving out the reading
    for (std::size_t i = 0; i < task.generated && !error; ++i) {
        speed.bestGenerationTps = std::max(speed.bestGenerationTps, 1 / secondsFor(1, i));
        const double passed = processorSecondsOf([&] {
            for (const Bytes part : parts) {
                sum += activeKernels().products.readBytes(part.data(), part.size() / 64 * 64);
            }
        });
        speed.bandwidth = std::max(speed.bandwidth, static_cast<double>(bytes) / passed);
    }
    if (error) {
        return std::unexpected(*error);
    }
    const inference::SessionFigures& done = session.figures();
    speed.generationTps = speed.bestGenerationTps;
    const std::size_t before = task.prompt + task.generated / 2;
    speed.read = speed.bestGenerationTps * static_cast<double>(done.bytesAt(before));
    speed.inCache =
        sum != 0 && speed.read / speed.bestGenerationTps <= static_cast<double>(inference::lastLevelCacheBytes());
    speed.promptProducts = speed.promptTps * static_cast<double>(done.productsPerToken);
    return speed;
}

} // namespace gufo::bench
