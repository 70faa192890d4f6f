// The key under which states of sessions are kept (prefix_store.h): a digest of the model and of the options that
// change what a session computes or how it stores it.
//
// Thread contract: pure function. It reads a page of some tensors, so it must not be called on the UI thread.
#pragma once

#include "inference/interface/session.h"

#include <string>

namespace gufo::inference {

// `engine` is a name of the engine. The model is identified by its metadata, except arrays of texts, by the names,
// types, shapes and offsets of its tensors, and by samples of the weights: reading all of a model would take longer
// than evaluating most prompts. Models whose sampled weights are equal but others are not have the same key.
[[nodiscard]] std::string prefixKey(const Model& model, std::string_view engine, const SessionOptions& options);

} // namespace gufo::inference
