// A responder on top of a Session, for every engine that yields logits of token ids. Gufo applies the chat template,
// tokenizes the prompt, samples the answer and enforces grammars.
//
// Thread contract: as for Responder.
#pragma once

#include "inference/interface/responder.h"

namespace gufo::inference {

// Starts a session and reads the tokenizer. Errors: the errors of LoadedModel::startSession, and Cancelled.
[[nodiscard]] Result<std::unique_ptr<Responder>> openSessionResponder(const EngineCapabilities& capabilities,
                                                                      std::shared_ptr<const LoadedModel> loaded,
                                                                      const SessionOptions& options,
                                                                      const JobContext& job);

} // namespace gufo::inference
