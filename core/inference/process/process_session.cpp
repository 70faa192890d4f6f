#include "inference/process/process_session.h"

#include "base/checked.h"
#include "base/detail.h"
#include "inference/interface/session.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <new>
#include <utility>

namespace gufo::inference {
namespace {

constexpr std::array<channel::Rows, 3> kRows{channel::Rows::None, channel::Rows::Last, channel::Rows::All};

bool nothing(const channel::Reply&) { return false; } // for requests without replies before the last

// The head of a saved state; the tokens and the process's bytes follow.
struct StateHead {
    std::uint32_t tokens = 0;
    std::uint32_t vocabulary = 0;
};

// Without the ends of lines.
std::string oneLine(std::string words) {
    while (words.ends_with('\n')) {
        words.pop_back();
    }
    std::ranges::replace(words, '\n', ' ');
    return words;
}

} // namespace

Error errorOf(const channel::Failed& failed) {
    using channel::Failure;
    const auto because = [&](Detail detail) {
        return Error{ErrorCode::NotRunnable, {}, {}, {Argument(detail, {oneLine(failed.words)})}, 0};
    };
    switch (failed.why) {
    case Failure::Cancelled:
        return Error{ErrorCode::Cancelled, {}, {}, {}, 0};
    case Failure::NotLoaded:
        return because(Detail::EngineModelRefused);
    case Failure::NoRpc:
        return Error{ErrorCode::NotRunnable, {}, {}, {Detail::EngineWithoutRpc}, 0};
    case Failure::NoMemory:
        return because(Detail::EngineOutOfMemory);
    case Failure::NotRestored:
        return Error{ErrorCode::InvalidArgument, {}, {}, {Detail::StateUnusable}, 0};
    case Failure::NotHeld:
    case Failure::NotEvaluated:
    case Failure::CannotShift:
    case Failure::BadRequest:
        break;
    }
    return because(Detail::EngineEvaluationFailed);
}

ProcessSession::ProcessSession(std::unique_ptr<EngineProcess> process, const channel::Loaded& loaded)
    : m_process(std::move(process))
    , m_context(loaded.context)
    , m_vocabulary(loaded.vocabulary)
    , m_threads(loaded.threads) {}

std::span<const float> ProcessSession::logits(std::size_t row) const {
    return std::span(m_rows).subspan(row * m_vocabulary, m_vocabulary);
}

Result<> ProcessSession::checkTokens(std::span<const TokenId> tokens) const {
    for (const TokenId token : tokens) {
        if (token.value >= m_vocabulary) {
            return fail(ErrorCode::NoSuchToken, Place::token(token.value), {m_vocabulary});
        }
    }
    if (tokens.size() > m_context - m_tokens.size()) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::ContextTokens, m_tokens.size() + tokens.size(), m_context});
    }
    return {};
}

Result<> ProcessSession::provideRows(std::size_t rows) {
    const auto floats = checkedMultiply(rows, m_vocabulary);
    try {
        if (floats) {
            m_rows.resize(*floats);
            return {};
        }
    } catch (const std::bad_alloc&) { // reported below
    }
    return fail(ErrorCode::NotRunnable, {}, {Argument(Detail::EngineOutOfMemory, {std::string()})});
}

Result<channel::Reply> ProcessSession::request(std::size_t keep, std::span<const TokenId> tokens, Logits which,
                                               const JobContext& job) {
    channel::Evaluate evaluate{
        .keep = static_cast<std::uint32_t>(keep), .rows = kRows[static_cast<std::size_t>(which)], .tokens = {}};
    evaluate.tokens.reserve(tokens.size());
    for (const TokenId token : tokens) {
        evaluate.tokens.push_back(static_cast<std::uint32_t>(token.value));
    }
    const std::size_t rows = which == Logits::None ? 0 : which == Logits::Last ? 1 : tokens.size();
    std::size_t row = 0;
    std::size_t held = keep;
    auto reply = m_process->ask(
        evaluate,
        [&](channel::Reply& part) {
            if (const auto* progress = std::get_if<channel::Progress>(&part)) {
                if (progress->held < held || progress->held > keep + tokens.size()) {
                    return false;
                }
                job.advance(progress->held - held);
                held = progress->held;
                return true;
            }
            const auto* made = std::get_if<channel::Row>(&part);
            if (made == nullptr || row == rows || made->index != row || made->logits.size() != m_vocabulary) {
                return false;
            }
            std::ranges::copy(made->logits, m_rows.begin() + static_cast<std::ptrdiff_t>(row * m_vocabulary));
            ++row;
            return true;
        },
        job);
    const auto* done = reply ? std::get_if<channel::Done>(&*reply) : nullptr;
    if (done != nullptr && (done->held != keep + tokens.size() || row != rows)) {
        return std::unexpected(m_process->endForBrokenProtocol());
    }
    return reply;
}

Result<> ProcessSession::evaluate(std::span<const TokenId> tokens, Logits which, const JobContext& job) {
    GUFO_TRY(checkTokens(tokens));
    GUFO_TRY(provideRows(which == Logits::None ? 0 : which == Logits::Last ? 1 : tokens.size()));
    if (tokens.empty()) {
        return {};
    }
    job.start(tokens.size());
    const auto begun = std::chrono::steady_clock::now();
    const std::size_t before = m_tokens.size();
    auto reply = request(before, tokens, which, job);
    const auto* refused = reply ? std::get_if<channel::Failed>(&*reply) : nullptr;
    if (refused != nullptr && refused->why == channel::Failure::NotHeld) {
        // The state could not go back to where it was before a cancelled evaluation.
        auto again = request(0, m_tokens, Logits::None, {.stop = job.stop});
        if (again && std::holds_alternative<channel::Done>(*again)) {
            again = request(before, tokens, which, job);
        }
        reply = std::move(again);
    }
    const channel::Reply answer = GUFO_TRY(std::move(reply));
    if (const auto* failed = std::get_if<channel::Failed>(&answer)) {
        if (failed->held > before && failed->held <= before + tokens.size()) { // whole batches that came before
            m_tokens.insert(m_tokens.end(), tokens.begin(),
                            tokens.begin() + static_cast<std::ptrdiff_t>(failed->held - before));
        }
        return std::unexpected(errorOf(*failed));
    }
    m_tokens.insert(m_tokens.end(), tokens.begin(), tokens.end());
    (tokens.size() == 1 ? m_figures.generatedTokens : m_figures.promptTokens) += tokens.size();
    (tokens.size() == 1 ? m_figures.generationSeconds : m_figures.promptSeconds) += secondsSince(begun);
    if (!std::ranges::all_of(m_rows, [](float logit) { return !std::isnan(logit); })) {
        return fail(ErrorCode::NotRunnable, {}, {Detail::EngineLogitsInvalid});
    }
    return {};
}

std::size_t ProcessSession::truncate(std::size_t count) {
    if (count >= m_tokens.size()) {
        return m_tokens.size();
    }
    const auto reply = m_process->ask(channel::Truncate{static_cast<std::uint32_t>(count)}, nothing, {});
    const auto* done = reply ? std::get_if<channel::Done>(&*reply) : nullptr;
    m_tokens.resize(done != nullptr ? std::min<std::size_t>(done->held, count) : 0);
    return m_tokens.size();
}

Result<> ProcessSession::shift(std::size_t keep, std::size_t discard, const JobContext& job) {
    if (keep > m_tokens.size() || discard > m_tokens.size() - keep) {
        return fail(ErrorCode::InvalidArgument, {}, {Argument(Detail::ShiftOutsideContext, {keep + discard})});
    }
    if (discard == 0) {
        return {};
    }
    std::vector<TokenId> left = m_tokens;
    const auto begin = left.begin() + static_cast<std::ptrdiff_t>(keep);
    left.erase(begin, begin + static_cast<std::ptrdiff_t>(discard));
    const auto reply = GUFO_TRY(m_process->ask(
        channel::Shift{static_cast<std::uint32_t>(keep), static_cast<std::uint32_t>(discard)}, nothing, job));
    if (std::holds_alternative<channel::Done>(reply)) {
        m_tokens = std::move(left);
        return {};
    }
    // Where positions cannot be moved, what follows is evaluated again.
    const std::size_t known = truncate(keep);
    return evaluate(std::span(left).subspan(known), Logits::None, job);
}

std::vector<std::byte> ProcessSession::saveState() const {
    std::vector<std::byte> bytes;
    const auto append = [&](std::span<const std::byte> part) { bytes.insert(bytes.end(), part.begin(), part.end()); };
    const StateHead head{static_cast<std::uint32_t>(m_tokens.size()), m_vocabulary};
    append(std::as_bytes(std::span(&head, 1)));
    append(std::as_bytes(std::span(m_tokens)));
    std::uint64_t announced = 0;
    const std::size_t begin = bytes.size();
    const auto reply =
        m_process->ask(channel::SaveState{head.tokens},
                       [&](channel::Reply& part) {
                           if (const auto* begins = std::get_if<channel::StateBegins>(&part)) {
                               announced = begins->bytes;
                               return true;
                           }
                           const auto* more = std::get_if<channel::StatePart>(&part);
                           if (more == nullptr || bytes.size() - begin + more->bytes.size() > announced) {
                               return false;
                           }
                           append(more->bytes);
                           return true;
                       },
                       {});
    const bool isWhole = reply && std::holds_alternative<channel::Done>(*reply) && bytes.size() - begin == announced;
    return isWhole ? bytes : std::vector<std::byte>();
}

Result<> ProcessSession::restoreState(std::span<const std::byte> state) {
    const auto refuse = [] { return fail(ErrorCode::InvalidArgument, {}, {Detail::StateUnusable}); };
    StateHead head;
    if (state.size() < sizeof head) {
        return refuse();
    }
    std::memcpy(&head, state.data(), sizeof head);
    state = state.subspan(sizeof head);
    if (head.vocabulary != m_vocabulary || head.tokens > m_context || state.size() / sizeof(TokenId) < head.tokens) {
        return refuse();
    }
    std::vector<TokenId> tokens(head.tokens);
    std::ranges::copy(state.first(head.tokens * sizeof(TokenId)), std::as_writable_bytes(std::span(tokens)).begin());
    state = state.subspan(head.tokens * sizeof(TokenId));
    if (!std::ranges::all_of(tokens, [&](TokenId token) { return token.value < m_vocabulary; })) {
        return refuse();
    }
    const auto reply = GUFO_TRY(m_process->askWithState({.tokens = head.tokens, .bytes = state.size()}, state));
    if (const auto* failed = std::get_if<channel::Failed>(&reply)) {
        m_tokens.clear(); // the state before is lost
        return std::unexpected(errorOf(*failed));
    }
    m_tokens = std::move(tokens);
    return {};
}

} // namespace gufo::inference
