#include "inference/speed.h"

#include "tensor/kernels/kernels.h"

#include <algorithm>
#include <chrono>

namespace gufo::inference {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

constexpr int kPasses = 8;

} // namespace

double secondsToRead(Team& team, std::span<const Bytes> parts) {
    const auto readBytes = activeKernels().products.readBytes;
    std::vector<std::uint64_t> sums(team.size());
    const auto begin = Clock::now();
    team.run([&](unsigned member) {
        for (const Bytes part : parts) {
            const std::size_t from = part.size() * member / team.size() / 64 * 64;
            const std::size_t to =
                member + 1 == team.size() ? part.size() : part.size() * (member + 1) / team.size() / 64 * 64;
            sums[member] += readBytes(part.data() + from, to - from);
        }
    });
    return secondsSince(begin);
}

Result<ReadMeter> ReadMeter::make(const Model& model, unsigned threads, std::uint64_t most) {
    ReadMeter meter;
    for (const TensorInfo& tensor : model.tensors) {
        auto bytes = model.bytesOf(tensor);
        if (!bytes) {
            return std::unexpected(std::move(bytes.error()));
        }
        const Bytes part = bytes->first(std::min<std::uint64_t>(bytes->size(), most - meter.m_bytes));
        meter.m_parts.push_back(part);
        meter.m_bytes += part.size();
    }
    meter.m_team = std::make_unique<Team>(threads);
    return meter;
}

void ReadMeter::pass() { m_best = std::max(m_best, static_cast<double>(m_bytes) / secondsToRead(*m_team, m_parts)); }

double peakInt8Products(unsigned threads) {
    const auto peak = activeKernels().products.peakInt8;
    if (peak == nullptr) {
        return 0;
    }
    Team team(threads);
    double best = 0;
    for (int pass = 0; pass < kPasses; ++pass) {
        std::vector<std::uint64_t> products(team.size());
        const auto begin = Clock::now();
        team.run([&](unsigned member) { products[member] = peak(); });
        const double seconds = secondsSince(begin);
        double sum = 0;
        for (const std::uint64_t count : products) {
            sum += static_cast<double>(count);
        }
        best = std::max(best, sum / seconds);
    }
    return best;
}

} // namespace gufo::inference
