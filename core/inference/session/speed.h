// How fast this machine is: what the speeds of the engine are measured against.
#pragma once

#include "inference/engine/compute/team.h"
#include "inference/session/session.h"

#include <memory>
#include <span>
#include <vector>

namespace gufo::inference {

// Seconds that the team takes to read all of `parts` once with the widest loads, each member one stretch of each.
[[nodiscard]] double secondsToRead(Team& team, std::span<const Bytes> parts);

// How fast the tensors of a model can be read: from its mapping, with the pages it has there, by as many threads as the
// engine uses. The best of all passes counts; take them between what they are compared with, since other work on the
// machine takes bandwidth from both.
class ReadMeter {
public:
    // Up to `most` bytes of the tensors. Errors: those of Model::bytesOf.
    [[nodiscard]] static Result<ReadMeter> make(const Model& model, unsigned threads, std::uint64_t most);

    void warm(); // a pass that does not count, for the pages and the clock
    void pass();
    [[nodiscard]] double best() const { return m_best; } // bytes per second

private:
    std::vector<Bytes> m_parts;
    std::uint64_t m_bytes = 0;
    std::unique_ptr<Team> m_team;
    double m_best = 0;
};

// Products of 8-bit codes that `threads` threads sum in a second when nothing has to be loaded; 0 where the active
// instruction set has no such product.
[[nodiscard]] double peakInt8Products(unsigned threads);

// What is measured of a session: a prompt, evaluated twice, of which the second time counts, then tokens one by one,
// all of them with so many others before.
struct SpeedTask {
    std::size_t before = 0;
    std::size_t prompt = 128;
    std::size_t generated = 32;
};
struct MeasuredSpeed {
    double promptTps = 0; // 0: a prompt of one token is no batch
    double generationTps = 0;
    double bestGenerationTps = 0; // of eight tokens
    double read = 0;              // bytes per second in the best of them
    double bandwidth = 0;         // bytes per second in the best of as many passes of plain reading, one behind each
    double promptProducts = 0;    // per second
    double peakProducts = 0;      // 0: not known
};
// The context holds all of it and one token more. Progress is not told. Errors: those of evaluate() and of
// Model::bytesOf.
[[nodiscard]] Result<MeasuredSpeed> measureSpeed(Session& session, const Model& model, const SpeedTask& task,
                                                 const JobContext& job);

} // namespace gufo::inference
