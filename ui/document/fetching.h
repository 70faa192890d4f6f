// What showing a model on a server would fetch. All functions are thread-safe and never wait for the network.
#pragma once

#include "model/model.h"

#include <QString>

namespace gufo::ui {

[[nodiscard]] bool isOnServer(const Model& model);
// The host that the user named; empty if the model is on this computer.
[[nodiscard]] QString serverOf(const Model& model);

// The bytes of weights that are not here yet; 0 for a model on this computer.
[[nodiscard]] std::uint64_t bytesToFetch(const Model& model, const TensorInfo& tensor);
[[nodiscard]] std::uint64_t bytesToFetch(const Model& model); // of all tensors, each byte once

// The bytes of the model's files that have been received so far, including bytes that were not kept.
[[nodiscard]] std::uint64_t bytesFetched(const Model& model);
// The host to which the server redirects, such as a content delivery network; empty if it does not redirect.
[[nodiscard]] QString redirectedHostOf(const Model& model);

} // namespace gufo::ui
