#include "inference/prefixes/prefix_keeper.h"

#include <algorithm>
#include <array>
#include <new>

namespace gufo::inference {

void PrefixKeeper::save() {
    const auto held = m_session.tokens();
    if (held.size() < kWorthKeeping || held.size() > m_pure || m_store->has(m_key, held)) {
        return;
    }
    const bool cuts = m_session.cutsAnywhere();
    if (cuts && held.size() * m_session.figures().cacheBytesPerPosition > m_store->limit()) {
        return; // it would not be kept
    }
    try {
        m_store->add({.key = m_key,
                      .conversation = m_conversation,
                      .tokens = {held.begin(), held.end()},
                      .cutsAnywhere = cuts,
                      .state = m_session.saveState()});
    } catch (const std::bad_alloc&) {
        return; // the prompt is evaluated again
    }
}

Result<> PrefixKeeper::prepare(std::span<const TokenId> prompt, std::size_t common, std::string_view conversation,
                               const JobContext& job, std::vector<Error>& refused) {
    if (m_store == nullptr || prompt.empty()) {
        return {};
    }
    const auto held = m_session.tokens();
    const auto differs = std::ranges::mismatch(prompt, held).in1;
    const std::size_t last = prompt.size() - 1;
    std::size_t kept = std::min(last, static_cast<std::size_t>(differs - prompt.begin()));
    const bool cuts = m_session.cutsAnywhere();
    if (cuts && held.size() - kept >= kWorthKeeping) {
        save();
    }
    kept = m_session.truncate(kept);
    if (kept <= m_pure) {
        m_pure = SIZE_MAX;
    }
    while (const auto found = m_store->find(m_key, prompt, kept + kWorthKeeping, refused)) {
        if (m_session.restoreState(found->state) && std::ranges::equal(m_session.tokens(), found->tokens)) {
            kept = m_session.truncate(found->usableFor(prompt));
            m_pure = SIZE_MAX;
            break;
        }
        m_store->drop(found); // it belongs to another version of the program
    }
    m_conversation = conversation;
    if (cuts) {
        return {};
    }
    for (const std::size_t place : std::array{std::min(common, last), last}) {
        if (place < kept + kWorthKeeping) {
            continue;
        }
        GUFO_TRY(m_session.evaluate(prompt.subspan(kept, place - kept), Logits::None, job));
        kept = place;
        save();
    }
    return {};
}

void PrefixKeeper::release() {
    if (m_store != nullptr) {
        save();
        (void)m_store->flush(m_key); // nothing can report this error any more; what is missing is evaluated again
    }
}

} // namespace gufo::inference
