#include "inference/session/generation.h"

#include "inference/session/hold_tokens.h"

#include <algorithm>
#include <chrono>

namespace gufo::inference {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<TokenId> united(std::vector<TokenId> a, std::span<const TokenId> b) {
    a.insert(a.end(), b.begin(), b.end());
    std::ranges::sort(a);
    a.erase(std::ranges::unique(a).begin(), a.end());
    return a;
}

} // namespace

Generation::Generation(Session& session, std::shared_ptr<const text::Tokenizer> tokenizer, GenerationSettings settings)
    : m_session(session)
    , m_tokenizer(std::move(tokenizer))
    , m_settings(std::move(settings))
    , m_ends(united(m_tokenizer->specials().endOfGeneration, m_settings.ends))
    , m_sampler(m_settings.sampler, m_ends,
                m_settings.sampler.dryMultiplier != 0 ? usualBreakers(*m_tokenizer) : std::vector<TokenId>())
    , m_decoder(m_tokenizer, {.control = false, .atStart = false}) {}

Result<> Generation::start(std::span<const TokenId> prompt, const JobContext& job, std::span<const TokenId> answered) {
    for (const TokenId token : prompt) {
        m_sampler.accept(token);
    }
    for (const TokenId token : answered) {
        (void)decode(token);
        if (m_constraint != nullptr) {
            m_constraint->accept(token);
        }
    }
    return holdTokens(m_session, prompt, Logits::Last, job);
}

// Returns true if the context has room for a token.
Result<bool> Generation::makeRoom(const JobContext& job) {
    const std::size_t used = m_session.tokens().size();
    if (used < m_session.context()) {
        return true;
    }
    if (m_settings.shift && m_shorten) {
        const auto shorter = m_shorten();
        if (!shorter) {
            return std::unexpected(shorter.error());
        }
        if (!shorter->empty()) {
            const auto held = holdTokens(m_session, *shorter, Logits::None, job);
            return held ? Result<bool>(true) : std::unexpected(held.error());
        }
    }
    const std::size_t keep = std::min(m_settings.keep, used);
    const std::size_t discard = (used - keep) / 2;
    if (!m_settings.shift || discard == 0) {
        return false;
    }
    if (auto shifted = m_session.shift(keep, discard, job); !shifted) {
        return std::unexpected(std::move(shifted.error()));
    }
    if (m_shifted) {
        m_shifted(discard);
    }
    return true;
}

Result<> Generation::dropDraft(const JobContext& job) {
    const std::size_t drafted = m_draft.size();
    const std::size_t accepted = m_row;
    const std::size_t rejected = undecided();
    m_draft.clear();
    m_row = 0;
    Result<> done;
    if (rejected != 0) {
        const auto begun = Clock::now();
        const auto all = m_session.tokens();
        const std::vector<TokenId> text(all.begin(), all.end() - static_cast<std::ptrdiff_t>(rejected));
        const std::size_t left = m_session.truncate(text.size());
        if (left < text.size()) {
            if (left + accepted + 1 < text.size()) { // also something before the evaluation of the draft
                m_drafter.reset();
            }
            done = m_session.evaluate(std::span(text).subspan(left), Logits::None, job);
        }
        const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
        m_evaluationSeconds += seconds;
        m_figures.seconds += seconds;
    }
    if (m_evaluationSeconds != 0) {
        m_draftLength.record(drafted, accepted, m_evaluationSeconds);
        m_evaluationSeconds = 0;
    }
    return done;
}

Result<std::vector<TokenId>> Generation::draft(TokenId pending, const JobContext& job) {
    const auto held = m_session.tokens();
    std::size_t maximum = m_drafter != nullptr ? m_draftLength.next() : 0;
    maximum = std::min(maximum, m_session.context() - held.size() - 1);
    if (maximum != 0 && !m_mostDrafted) {
        m_mostDrafted = m_session.prepareDrafts(DraftLength::kMax);
    }
    maximum = std::min(maximum, m_mostDrafted.value_or(maximum));
    if (m_settings.maxTokens != 0) { // the logits of the pending token yield one token themselves
        maximum = std::min<std::size_t>(maximum, m_settings.maxTokens - m_count - 1);
    }
    if (maximum == 0) {
        return std::vector<TokenId>();
    }
    std::vector<TokenId> text(held.begin(), held.end());
    text.push_back(pending);
    auto proposal = m_drafter->propose(text, maximum, job);
    if (proposal) { // the vocabulary of a drafting model may be longer
        const auto unknown =
            std::ranges::find_if(*proposal, [&](TokenId id) { return id.value >= m_session.vocabulary(); });
        proposal->erase(unknown, proposal->end());
    }
    return proposal;
}

Result<bool> Generation::advance(const JobContext& job) {
    const TokenId pending = *m_pending;
    if (undecided() != 0 && m_draft[m_row] == pending) {
        ++m_row;
        ++m_figures.accepted;
        ++m_figures.tokens;
        m_pending.reset();
        return true;
    }
    if (auto dropped = dropDraft(job); !dropped) {
        return std::unexpected(std::move(dropped.error()));
    }
    if (const auto room = makeRoom(job); !room || !*room) {
        return room;
    }
    const auto begun = Clock::now();
    auto proposal = draft(pending, job);
    if (!proposal) {
        return std::unexpected(std::move(proposal.error()));
    }
    std::vector<TokenId> tokens{pending};
    tokens.insert(tokens.end(), proposal->begin(), proposal->end());
    const Logits which = proposal->empty() ? Logits::Last : Logits::All;
    if (auto evaluated = m_session.evaluate(tokens, which, job); !evaluated) {
        return std::unexpected(std::move(evaluated.error()));
    }
    m_draft = std::move(*proposal);
    m_evaluationSeconds = std::chrono::duration<double>(Clock::now() - begun).count();
    m_figures.seconds += m_evaluationSeconds;
    m_figures.drafted += m_draft.size();
    ++m_figures.evaluations;
    ++m_figures.tokens;
    m_pending.reset();
    return true;
}

Result<std::optional<GeneratedToken>> Generation::end(StopReason reason, const JobContext& job) {
    m_ended = true;
    m_reason = reason;
    if (auto dropped = dropDraft(job); !dropped) {
        return std::unexpected(std::move(dropped.error()));
    }
    return std::nullopt;
}

Result<std::optional<GeneratedToken>> Generation::next(const JobContext& job) {
    if (m_ended) {
        return std::nullopt;
    }
    if (m_settings.maxTokens != 0 && m_count == m_settings.maxTokens) {
        return end(StopReason::MaxTokens, job);
    }
    if (m_pending) {
        const auto advanced = advance(job);
        if (!advanced) {
            return std::unexpected(advanced.error());
        }
        if (!*advanced) {
            return end(StopReason::ContextFull, job);
        }
    }
    GeneratedToken token;
    token.choice = m_sampler.draw(m_session.logits(m_row), m_settings.candidates, m_constraint.get());
    const TokenId id = token.choice.token;
    if (m_constraint != nullptr) {
        if (m_constraint->failure()) {
            return std::unexpected(*m_constraint->failure());
        }
        if (!m_sampler.permits(*m_constraint, id)) {
            return end(m_constraint->mayEnd() ? StopReason::EndToken : StopReason::NothingAllowed, job);
        }
    }
    m_sampler.accept(id);
    // With a constraint, ignoreEnd holds only as long as another token may come.
    if (std::ranges::binary_search(m_ends, id) && (!m_settings.sampler.ignoreEnd || m_constraint != nullptr)) {
        return end(StopReason::EndToken, job);
    }
    if (m_constraint != nullptr) {
        m_constraint->accept(id);
    }
    m_pending = id;
    ++m_count;
    token.bytes = decode(id);
    m_held += token.bytes;
    if (!release(token.text)) {
        m_held.clear();
        if (auto ended = end(StopReason::StopText, job); !ended) {
            return ended;
        }
    }
    return token;
}

std::string Generation::decode(TokenId id) {
    const bool isWritten = std::ranges::find(m_settings.written, id) != m_settings.written.end();
    return isWritten ? m_decoder.finish() + m_tokenizer->bytesOf(id) : m_decoder.push(id);
}

bool Generation::release(std::string& text) {
    std::size_t certain = m_held.size();
    for (const std::string& stop : m_settings.stops) {
        if (stop.empty()) {
            continue;
        }
        if (const std::size_t at = m_held.find(stop); at != std::string::npos) {
            text = m_held.substr(0, at);
            return false;
        }
        // Hold back the longest suffix that begins a stop text.
        for (std::size_t length = std::min(stop.size() - 1, m_held.size()); length > 0; --length) {
            if (m_held.ends_with(std::string_view(stop).substr(0, length))) {
                certain = std::min(certain, m_held.size() - length);
                break;
            }
        }
    }
    text = m_held.substr(0, certain);
    m_held.erase(0, certain);
    return true;
}

std::string Generation::rest() {
    std::string rest = std::move(m_held);
    m_held.clear();
    return m_reason == StopReason::StopText && m_ended ? rest : rest + m_decoder.finish();
}

std::vector<TokenId> usualBreakers(const text::Tokenizer& tokenizer) {
    std::vector<TokenId> breakers;
    for (std::size_t i = 0; i < tokenizer.vocabulary().size(); ++i) {
        if (tokenizer.bytesOf(TokenId(i)).find_first_of("\n:\"*") != std::string::npos) {
            breakers.emplace_back(i);
        }
    }
    return breakers;
}

} // namespace gufo::inference
