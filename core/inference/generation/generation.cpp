#include "inference/generation/generation.h"

#include "inference/interface/session.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace gufo::inference {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<TokenId> united(std::vector<TokenId> a, std::span<const TokenId> b) {
    a.insert(a.end(), b.begin(), b.end());
    std::ranges::sort(a);
    a.erase(std::ranges::unique(a).begin(), a.end());
    return a;
}

double logProbabilityOf(std::span<const float> logits, TokenId token) {
    const double highest = *std::ranges::max_element(logits);
    double sum = 0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit) - highest);
    }
    return static_cast<double>(logits[token.value]) - highest - std::log(sum);
}

std::vector<TokenId> difference(std::span<const TokenId> a, std::span<const TokenId> b) {
    std::vector<TokenId> left;
    std::ranges::set_difference(a, b, std::back_inserter(left));
    return left;
}

} // namespace

Generation::Generation(Session& session, std::shared_ptr<const text::Tokenizer> tokenizer, GenerationSettings settings)
    : m_session(session)
    , m_tokenizer(std::move(tokenizer))
    , m_settings(std::move(settings))
    , m_ends(difference(united(m_tokenizer->specials().endOfGeneration, m_settings.ends),
                        united(m_settings.innerEnds, {})))
    , m_innerEnds(united(m_settings.innerEnds, {}))
    , m_sampler(m_settings.sampler, m_ends,
                m_settings.sampler.dryMultiplier != 0 ? usualBreakers(*m_tokenizer) : std::vector<TokenId>())
    , m_decoder(m_tokenizer, {.control = false, .atStart = false}) {}

Result<> Generation::start(std::span<const TokenId> prompt, const JobContext& job, std::span<const TokenId> answered) {
    for (const TokenId token : prompt) {
        m_sampler.accept(token);
    }
    for (const TokenId token : answered) {
        const std::string text = decode(token);
        if (m_parser != nullptr) {
            (void)m_parser->push(text);
        }
        if (m_constraint != nullptr) {
            m_constraint->accept(token);
        }
    }
    return evaluateTo(m_session, prompt, Logits::Last, job);
}

// Returns true if the context has room for a token.
Result<bool> Generation::makeRoom(const JobContext& job) {
    const std::size_t used = m_session.tokens().size();
    if (used < m_session.context()) {
        return true;
    }
    if (m_settings.shift && m_shorten) {
        const auto shorter = GUFO_TRY(m_shorten());
        if (!shorter.empty()) {
            GUFO_TRY(evaluateTo(m_session, shorter, Logits::None, job));
            return true;
        }
    }
    const std::size_t keep = std::min(m_settings.keep, used);
    const std::size_t discard = (used - keep) / 2;
    if (!m_settings.shift || discard == 0) {
        return false;
    }
    GUFO_TRY(m_session.shift(keep, discard, job));
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
    GUFO_TRY(dropDraft(job));
    if (const auto room = makeRoom(job); !room || !*room) {
        return room;
    }
    const auto begun = Clock::now();
    auto proposal = GUFO_TRY(draft(pending, job));
    std::vector<TokenId> tokens{pending};
    tokens.insert(tokens.end(), proposal.begin(), proposal.end());
    const Logits which = proposal.empty() ? Logits::Last : Logits::All;
    GUFO_TRY(m_session.evaluate(tokens, which, job));
    m_draft = std::move(proposal);
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
    GUFO_TRY(dropDraft(job));
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
        const auto advanced = GUFO_TRY(advance(job));
        if (!advanced) {
            return end(StopReason::ContextFull, job);
        }
    }
    GeneratedToken token;
    const std::optional<TokenId> forced = nextForced();
    const std::span<const float> logits = m_session.logits(m_row);
    token.choice = m_sampler.draw(logits, m_settings.candidates, forced ? nullptr : m_constraint.get());
    if (forced) {
        token.choice.token = *forced;
        token.choice.logProbability = logProbabilityOf(logits, *forced);
    }
    const TokenId id = token.choice.token;
    if (m_constraint != nullptr && !forced) {
        if (m_constraint->failure()) {
            return std::unexpected(*m_constraint->failure());
        }
        if (!m_sampler.permits(*m_constraint, id)) {
            return end(m_constraint->mayEnd() ? StopReason::EndToken : StopReason::NothingAllowed, job);
        }
    }
    m_sampler.accept(id);
    // With a constraint, ignoreEnd holds only as long as another token may come.
    if (endsGeneration(id) && (!m_settings.sampler.ignoreEnd || m_constraint != nullptr)) {
        return end(StopReason::EndToken, job);
    }
    m_pending = id;
    ++m_count;
    token.bytes = decode(id);
    if (m_parser != nullptr) {
        m_thoughtTokens += m_parser->isThinking() && !forced ? 1 : 0;
        (void)m_parser->push(token.bytes);
    }
    if (m_constraint != nullptr) {
        m_constraint->accept(id);
    }
    m_held += token.bytes;
    if (!release(token.text)) {
        m_held.clear();
        GUFO_TRY(end(StopReason::StopText, job));
    }
    return token;
}

std::optional<TokenId> Generation::nextForced() {
    const bool isTooLong = m_settings.thoughtTokens && m_parser != nullptr && m_parser->isThinking() &&
                           m_thoughtTokens >= *m_settings.thoughtTokens;
    if (m_forced.empty() && isTooLong) {
        const auto end = m_tokenizer->encode(
            m_parser->thoughtEnd(), {.addBos = false, .addEos = false, .parseSpecial = true, .continues = true});
        if (end) {
            m_forced.assign(end->ids.begin(), end->ids.end());
        }
    }
    if (m_forced.empty()) {
        return std::nullopt;
    }
    const TokenId next = m_forced.front();
    m_forced.pop_front();
    return next;
}

bool Generation::endsGeneration(TokenId id) const {
    return std::ranges::binary_search(m_ends, id) ||
           (std::ranges::binary_search(m_innerEnds, id) && (m_parser == nullptr || m_parser->isContent()));
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
