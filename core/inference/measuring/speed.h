// Measures the speed of the engine, and the limits of this machine that it is compared with.
#pragma once

#include "inference/engine/compute/team.h"
#include "inference/interface/session.h"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace gufo::inference {

// Seconds that the team takes to read `parts` once with the widest loads. Each member reads one contiguous share of
// each part.
[[nodiscard]] double secondsToRead(Team& team, std::span<const Bytes> parts);

// Measures how fast the mapped tensors of a model can be read with as many threads as the engine uses. The best pass
// counts. Passes should alternate with the measurement they are compared with, because other work on the machine takes
// bandwidth from both.
class ReadMeter {
public:
    // Reads up to `maximum` bytes of the tensors. Errors: the errors of Model::bytesOf.
    [[nodiscard]] static Result<ReadMeter> make(const Model& model, unsigned threads, std::uint64_t maximum);

    void warm(); // makes one pass that is not measured, to load pages and raise the clock rate
    void pass();
    [[nodiscard]] double best() const { return m_best; } // bytes per second

private:
    std::vector<Bytes> m_parts;
    std::uint64_t m_bytes = 0;
    std::unique_ptr<Team> m_team;
    double m_best = 0;
};

// The size of the largest caches of this machine together, in bytes; 0 where the system does not report it. A model
// that is not larger is read from there, so the bandwidth of the memory does not limit it. Tests pass another folder.
[[nodiscard]] std::uint64_t lastLevelCacheBytes(const std::filesystem::path& processors = "/sys/devices/system/cpu");

// How many products of 8-bit codes per second `threads` threads can accumulate when nothing has to be loaded; 0 where
// the active instruction set has no such instruction.
[[nodiscard]] double peakInt8Products(unsigned threads);
// The same for products of 32-bit floats.
[[nodiscard]] double peakFloatProducts(unsigned threads);

// The task that is measured, after `before` tokens of context: a prompt, which is evaluated twice and measured the
// second time, and then tokens generated one by one.
struct SpeedTask {
    std::size_t before = 0;
    std::size_t prompt = 128;
    std::size_t generated = 32;
};
struct MeasuredSpeed {
    double promptTps = 0; // tokens per second; 0: a prompt of one token is not a batch
    double generationTps = 0;
    double bestGenerationTps = 0; // the best of eight tokens
    double read = 0;              // bytes per second during that token
    double bandwidth = 0;         // bytes per second of the best of eight plain reading passes
    bool inCache = false;         // the data of a token fits into the caches, so neither figure is the memory's
    double promptProducts = 0;    // products per second
    double peakProducts = 0;      // products per second; 0: not known
};
// The session's context must hold all tokens and one more. Progress is not reported. Errors: the errors of evaluate()
// and of Model::bytesOf.
[[nodiscard]] Result<MeasuredSpeed> measureSpeed(Session& session, const Model& model, const SpeedTask& task,
                                                 const JobContext& job);

} // namespace gufo::inference
