// Evaluates a text block by block with weights that may be exchanged in between, so that runs with different weights
// share all blocks before the first one that differs.
//
// Thread contract: as for Session.
#pragma once

#include "inference/engine/engine_session.h"

#include <memory>
#include <span>
#include <vector>

namespace gufo::inference {

class LayeredRun {
public:
    // Makes a session with the weights of the first model, and buffers for the weights of all of them; they must be
    // swappable (model/swapped_model.h). A text has to fit into one batch, so the context takes the place of the batch
    // of `options`. Errors: the errors of loadForInference() and LoadedModel::startSession().
    [[nodiscard]] static Result<std::unique_ptr<LayeredRun>> open(std::span<const std::shared_ptr<const Model>> models,
                                                                  const SessionOptions& options);

    // Replaces all weights by the weights of a model whose tensors come from the models of open(). Factors of rotary
    // positions are read when a session begins, so they stay (see isReadAtBegin()). Errors: the errors of
    // bindWeights().
    [[nodiscard]] Result<> use(const std::shared_ptr<const Model>& model);
    // Whether a tensor determines something of a session that use() does not replace.
    [[nodiscard]] static bool isReadAtBegin(std::string_view tensor);

    // Whether no block reads keys and values of an earlier block, so that several texts can take turns from any block
    // on.
    [[nodiscard]] bool keepsOwnKeys() const;
    [[nodiscard]] std::size_t blocks() const { return m_session->blocks(); }
    [[nodiscard]] EngineSession& session() { return *m_session; }

private:
    explicit LayeredRun(std::shared_ptr<BoundModel> bound)
        : m_bound(std::move(bound)) {}

    std::shared_ptr<BoundModel> m_bound; // used by the session
    std::unique_ptr<EngineSession> m_session;
};

} // namespace gufo::inference
