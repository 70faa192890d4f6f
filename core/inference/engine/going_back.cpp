// How a session drops its last tokens, or tokens in the middle: caches by position know earlier positions, and
// recurrent states go back to copies (Snapshots) or have deferred the update (blocks/deferred_updates.h).
#include "base/detail.h"
#include "inference/engine/engine_session.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gufo::inference {
namespace {

// While tokens are evaluated singly, the number of them after which a copy of the recurrent state is taken.
constexpr std::uint32_t kTokensBetweenSnapshots = 32;

// The inputs of recurrences that are kept for drafts take at most so much memory; where that is not enough, fewer
// tokens are drafted. By their shapes, a token of Qwen3-Next (80 billion weights) takes 2.1 MB, and one of Jamba Large
// (398 billion) 12.4 MB.
constexpr std::uint64_t kDraftBytes = 128U << 20U;

// How many copies there are depends on their size alone, so that the memory of a session can be predicted.
constexpr std::uint64_t kSnapshotBytes = 256U << 20U;
constexpr std::uint64_t kFewestSnapshots = 3; // the beginning of a batch, the end of the prompt, and one to go back to
constexpr std::uint64_t kMostSnapshots = 16;

std::uint32_t placesFor(std::size_t floats) {
    return floats == 0 ? 0
                       : static_cast<std::uint32_t>(
                             std::clamp(kSnapshotBytes / sizeof(float) / floats, kFewestSnapshots, kMostSnapshots));
}

// How much longer the end of a prompt is kept than other positions.
constexpr double kWeightOfPrompts = 8;

} // namespace

Snapshots::Snapshots(Memory& memory, std::size_t floats)
    : m_size(floats)
    , m_places(placesFor(floats))
    , m_floats(memory.take<float>(m_places, floats, Memory::Part::Snapshots)) {
    m_taken.reserve(m_places);
}

std::span<float> Snapshots::place(std::uint32_t position, Kind kind) {
    std::uint32_t place = 0;
    if (m_taken.size() == m_places) {
        const auto minimum = m_taken.begin() + static_cast<std::ptrdiff_t>(leastMissed(position));
        place = minimum->place;
        m_taken.erase(minimum);
    } else {
        while (std::ranges::find(m_taken, place, &Taken::place) != m_taken.end()) {
            ++place;
        }
    }
    m_taken.push_back({position, kind, place});
    return at(place);
}

std::size_t Snapshots::leastMissed(std::uint32_t end) const {
    std::size_t minimum = 0;
    double leastCost = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 2 < m_taken.size(); ++i) {
        const double previous = i == 0 ? 0 : m_taken[i - 1].position;
        const double gap = m_taken[i + 1].position - previous;
        const double weight = m_taken[i].kind == Kind::EndOfPrompt ? kWeightOfPrompts : 1;
        const double cost = weight * gap / (1.0 + end - m_taken[i].position);
        if (cost < leastCost) {
            minimum = i;
            leastCost = cost;
        }
    }
    return minimum;
}

bool Snapshots::has(std::uint32_t position) const {
    return std::ranges::find(m_taken, position, &Taken::position) != m_taken.end();
}

std::optional<Snapshots::Found> Snapshots::before(std::uint32_t position) const {
    const auto after = std::ranges::upper_bound(m_taken, position, {}, &Taken::position);
    if (after == m_taken.begin()) {
        return std::nullopt;
    }
    const Taken& found = *std::prev(after);
    return Found{.position = found.position, .state = at(found.place)};
}

void Snapshots::forgetAfter(std::uint32_t position) {
    m_taken.erase(std::ranges::upper_bound(m_taken, position, {}, &Taken::position), m_taken.end());
}

StateUpdate EngineSession::takeSnapshots(std::uint32_t position, std::size_t tokens, bool last) {
    const std::span<float> state = m_blocks->state();
    if (state.empty()) {
        return {};
    }
    const bool wanted = tokens > 1 || position - m_snapshots.latest() >= kTokensBetweenSnapshots;
    if (wanted && position != 0 && !m_snapshots.has(position)) {
        std::ranges::copy(state, m_snapshots.place(position, Snapshots::Kind::Passing).begin());
    }
    if (tokens == 1 || !last) {
        return {};
    }
    // Another answer begins by evaluating the last token of the prompt again, because its logits are needed.
    const auto end = static_cast<std::uint32_t>(tokens - 1);
    return {.after = end, .to = m_snapshots.place(position + end, Snapshots::Kind::EndOfPrompt)};
}

std::size_t EngineSession::prepareDrafts(std::size_t tokens) {
    if (m_windows || !m_blocks->state().empty()) {
        tokens = std::min<std::size_t>(tokens, m_options.batch - 1); // a window is only kept for one batch
    }
    const std::uint64_t floats = m_blocks->deferredFloats();
    if (floats == 0) {
        return tokens;
    }
    const std::size_t wanted = std::min<std::uint64_t>(tokens + 1, kDraftBytes / sizeof(float) / floats);
    if (wanted < 2) {
        return 0;
    }
    if (wanted > m_deferrable) {
        replayDeferred(); // what it lags behind is in the memory that is freed
        m_deferrable = 0;
        Memory counted;
        m_blocks->deferUpdates(counted, wanted);
        m_draftMemory = {};
        m_figures.draftBytes = 0;
        auto memory = Memory::reserve(counted);
        if (!memory) {
            return 0;
        }
        m_draftMemory = std::move(*memory);
        m_blocks->deferUpdates(m_draftMemory, wanted);
        m_deferrable = wanted;
        m_figures.draftBytes = m_draftMemory.taken();
    }
    return wanted - 1;
}

void EngineSession::replayDeferred() const {
    if (m_deferredTokens != 0) {
        m_blocks->replay(std::exchange(m_deferredTokens, 0));
    }
}

void EngineSession::goBack(std::size_t count) {
    m_deferredTokens = 0;
    const std::span<float> state = m_blocks->state();
    m_snapshots.forgetAfter(static_cast<std::uint32_t>(count));
    if (state.empty()) {
        const bool possible = count != 0 && m_blocks->holdsWindowOf(static_cast<std::uint32_t>(count));
        if (!possible) {
            m_blocks->reset();
        }
        m_tokens.resize(possible ? count : 0);
        return;
    }
    const auto snapshot = m_snapshots.before(static_cast<std::uint32_t>(count));
    // Positions before the snapshot are known to fewer caches, so there is no use in looking further back.
    if (snapshot && m_blocks->holdsWindowOf(snapshot->position)) {
        std::ranges::copy(snapshot->state, state.begin());
        m_tokens.resize(snapshot->position);
    } else {
        m_blocks->reset();
        m_snapshots.clear();
        m_tokens.clear();
    }
}

std::size_t EngineSession::truncate(std::size_t count) {
    if (count >= m_tokens.size()) {
        return m_tokens.size();
    }
    if (const std::size_t dropped = m_tokens.size() - count; dropped <= m_deferredTokens) {
        m_deferredTokens -= dropped;
        m_tokens.resize(count);
    } else {
        goBack(count);
    }
    return m_tokens.size();
}

Result<> EngineSession::shift(std::size_t keep, std::size_t discard, const JobContext& job) {
    if (keep > m_tokens.size() || discard > m_tokens.size() - keep) {
        return fail(ErrorCode::InvalidArgument, {}, {Argument(Detail::ShiftOutsideContext, {keep + discard})});
    }
    if (discard == 0) {
        return {};
    }
    std::vector<TokenId> left = m_tokens;
    const auto begin = left.begin() + static_cast<std::ptrdiff_t>(keep);
    left.erase(begin, begin + static_cast<std::ptrdiff_t>(discard));
    if (m_blocks->state().empty()) {
        m_blocks->forget(static_cast<std::uint32_t>(keep), static_cast<std::uint32_t>(discard),
                         static_cast<std::uint32_t>(m_tokens.size()));
        m_tokens = std::move(left);
        return {};
    }
    // A recurrent state cannot forget tokens in the middle: what follows them is evaluated again.
    const std::size_t known = truncate(keep);
    return evaluate(std::span(left).subspan(known), Logits::None, job);
}

} // namespace gufo::inference
