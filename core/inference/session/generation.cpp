#include "inference/session/generation.h"

#include <algorithm>

namespace gufo::inference {
namespace {

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

Result<> Generation::place(std::span<const TokenId> tokens, Logits which, const JobContext& job) {
    const auto [end, knownEnd] = std::ranges::mismatch(tokens, m_session.tokens());
    auto common = static_cast<std::size_t>(end - tokens.begin());
    common = std::min(common, tokens.size() - 1); // the logits of the last token are needed
    common = m_session.truncate(common);
    return m_session.evaluate(tokens.subspan(common), which, job);
}

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
    return place(prompt, Logits::Last, job);
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
            const auto placed = place(*shorter, Logits::None, job);
            return placed ? Result<bool>(true) : std::unexpected(placed.error());
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

Result<std::optional<GeneratedToken>> Generation::next(const JobContext& job) {
    const auto end = [&](StopReason reason) {
        m_ended = true;
        m_reason = reason;
        return std::nullopt;
    };
    if (m_ended) {
        return std::nullopt;
    }
    if (m_settings.maxTokens != 0 && m_count == m_settings.maxTokens) {
        return end(StopReason::MostTokens);
    }
    if (m_pending) {
        const auto room = makeRoom(job);
        if (!room) {
            return std::unexpected(room.error());
        }
        if (!*room) {
            return end(StopReason::ContextFull);
        }
        if (auto ok = m_session.evaluate({&*m_pending, 1}, Logits::Last, job); !ok) {
            return std::unexpected(std::move(ok.error()));
        }
        m_pending.reset();
    }
    GeneratedToken token;
    token.choice = m_sampler.draw(m_session.logits(0), m_settings.candidates, m_constraint.get());
    const TokenId id = token.choice.token;
    if (m_constraint != nullptr) {
        if (m_constraint->failure()) {
            return std::unexpected(*m_constraint->failure());
        }
        if (!m_sampler.permits(*m_constraint, id)) {
            return end(m_constraint->mayEnd() ? StopReason::EndToken : StopReason::NothingAllowed);
        }
    }
    m_sampler.accept(id);
    // With a constraint, ignoreEnd holds only as long as another token may come.
    if (std::ranges::binary_search(m_ends, id) && (!m_settings.sampler.ignoreEnd || m_constraint != nullptr)) {
        return end(StopReason::EndToken);
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
        end(StopReason::StopText);
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
