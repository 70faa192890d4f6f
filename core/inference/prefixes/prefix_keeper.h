// Keeps the states of one session in a PrefixStore, and brings the session to the state from which the fewest tokens of
// a prompt are left to evaluate.
//
// States of a session that can be cut anywhere are saved before tokens are dropped. A recurrent state, or a sliding
// window, is useful only at the very end of its tokens, so such states are saved where other prompts are likely to
// diverge: at the end of the system prompt, and before the last token of a prompt.
//
// Thread contract: as for the session.
#pragma once

#include "inference/interface/session.h"
#include "inference/prefixes/prefix_store.h"

#include <string>

namespace gufo::inference {

class PrefixKeeper {
public:
    // A null store keeps nothing. Both outlive this object.
    PrefixKeeper(PrefixStore* store, std::string key, Session& session)
        : m_store(store)
        , m_key(std::move(key))
        , m_session(session) {}

    // Brings the session to a prefix of the prompt, and evaluates the prompt up to the places where a state is saved;
    // the caller evaluates the rest. `common` is the length of the prefix that prompts of other conversations are
    // likely to share; 0: none. States on the disk that cannot be used are added to `refused`. Errors: the errors of
    // Session::evaluate.
    [[nodiscard]] Result<> prepare(std::span<const TokenId> prompt, std::size_t common, std::string_view conversation,
                                   const JobContext& job, std::vector<Error>& refused);
    // The session has dropped tokens after the first `kept`, but what follows was computed with them: such a state is
    // never saved.
    void noteShift(std::size_t kept) { m_pure = std::min(m_pure, kept); }
    // Saves the state that the session has, before it ends, and writes to the disk if the store has a folder.
    void release();

    // Fewer tokens than this are not worth a copy of the state.
    static constexpr std::size_t kWorthKeeping = 16;

private:
    void save();

    PrefixStore* m_store;
    std::string m_key;
    Session& m_session;
    std::string m_conversation;    // of the tokens that the session holds
    std::size_t m_pure = SIZE_MAX; // number of tokens at the beginning whose state may be saved
};

// The key under which states of sessions are kept (prefix_store.h): a digest of the model and of the options that
// change what a session computes or how it stores it.

// `engine` is a name of the engine. The model is identified by its metadata, except arrays of texts, by the names,
// types, shapes and offsets of its tensors, and by samples of the weights: reading all of a model would take longer
// than evaluating most prompts. Models whose sampled weights are equal but others are not have the same key.
[[nodiscard]] std::string prefixKey(const Model& model, std::string_view engine, const SessionOptions& options);

} // namespace gufo::inference
