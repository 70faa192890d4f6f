// Opens models on servers, singly or many at a time. At first, only their headers are fetched.
//
// Threads: all functions block, so they must not be called on the UI thread.
#pragma once

#include "formats/gguf/read/growing.h"
#include "hub/repository_models.h"
#include "model/model.h"
#include "net/remote_source.h"

#include <functional>
#include <memory>
#include <span>

namespace gufo::hub {

// What is reported while a model is opened. All functions may be null; they are called on the opening thread.
struct OpeningWatch {
    std::function<void(const std::shared_ptr<const net::RemoteSource>& source)> source{}; // has just been opened
    gguf::HeaderSoFar header{};
};

// `address` is the address of the file, or of the first shard. Pages are kept in the user's cache. Errors: the errors
// of RemoteSource::open and readFetchedModel.
[[nodiscard]] Result<std::shared_ptr<const Model>> openRemoteModel(const std::shared_ptr<net::Client>& client,
                                                                   const std::string& address,
                                                                   const JobContext& job = {},
                                                                   const OpeningWatch& watch = {});

// The most connections that reading many headers opens at the same time.
inline constexpr unsigned kHeaderConnections = 8;

// Receives each model, or why it could not be opened; `index` is its place in the list. Called on several threads, but
// never on two at the same time.
using HeaderReceiver = std::function<void(std::size_t index, Result<std::shared_ptr<const Model>> model)>;

// Opens the models side by side. The progress counts models. Errors: Cancelled.
[[nodiscard]] Result<> readHeaders(const std::shared_ptr<net::Client>& client, std::span<const ModelFiles> models,
                                   const HeaderReceiver& receiver, const JobContext& job = {});

} // namespace gufo::hub
