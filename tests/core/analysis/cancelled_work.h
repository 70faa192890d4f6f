// Work that takes long enough to be cancelled, and whether it ends soon after that.
#pragma once

#include "base/error.h"
#include "base/job_context.h"
#include "core/tensor/golden.h"

#include <QElapsedTimer>
#include <QString>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <vector>

namespace gufo::test {

inline constexpr std::uint64_t kManyWeights = 64'000'000 / 256 * 256;

// The encoded bytes of `weights` weights. They repeat the same blocks, which is quick.
inline std::vector<std::byte> manyBlocks(std::uint32_t typeId, std::uint64_t weights = kManyWeights) {
    const TensorTypeFact& type = *findTensorType(typeId);
    const std::size_t size = blocksBytes(type, weights);
    std::vector<std::byte> bytes = shuffledBlocks(typeId, 1000, 1);
    while (bytes.size() < size) {
        bytes.insert(bytes.end(), bytes.begin(), bytes.begin() + std::min(bytes.size(), size - bytes.size()));
    }
    return bytes;
}

// Stops the work as soon as its progress moves. Returns what was wrong with how it ended, or an empty text.
template<typename Work>
QString cancelOnce(Work work) {
    std::stop_source stop;
    Progress progress;
    std::atomic<qint64> asked = 0;
    QElapsedTimer timer;
    timer.start();
    std::jthread canceller([&] {
        while (progress.done() == 0) {
            std::this_thread::yield();
        }
        asked = timer.nsecsElapsed();
        stop.request_stop();
    });
    const std::optional<ErrorCode> error = work(JobContext{.stop = stop.get_token(), .progress = &progress});
    const qint64 ended = timer.nsecsElapsed();
    canceller.join();
    if (error != ErrorCode::Cancelled) {
        return "not cancelled";
    }
    if (progress.done() >= progress.total()) {
        return "worked to the end";
    }
    const qint64 took = (ended - asked) / 1000;
    return took < 50'000 ? QString() : QString::number(took) + " µs";
}

// The best of several attempts, because a busy machine can delay a stop.
template<typename Work>
QString cancelAfterStart(Work work) {
    QString failure;
    for (int attempt = 0; attempt < 8; ++attempt) {
        failure = cancelOnce(work);
        if (failure.isEmpty()) {
            break;
        }
    }
    return failure;
}

} // namespace gufo::test
