// Resolves what the user typed to the files that it means: names are looked up on their hub, other addresses are files.
//
// Threads: blocks, so it must not be called on the UI thread.
#pragma once

#include "hub/repository_models.h"

namespace gufo::hub {

struct ResolvedModel {
    // Of the name; for an address of another server, it has no files.
    Repository repository;
    ModelFiles model; // for an address of another server, one file of unknown size
};

// `text` is a name (parseShortName) or an address. Errors: AddressRefused (it is neither; Detail::AddressMalformed),
// those of listRepository and chooseModel; NotSupported (Detail::RemoteShardsMissing).
[[nodiscard]] Result<ResolvedModel> resolveModel(net::Client& client, std::string_view text,
                                                 const JobContext& job = {});

} // namespace gufo::hub
