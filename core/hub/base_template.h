// The chat template that the authors of a model published beside its weights, to be compared with that of a GGUF file.
//
// Threads: blocks, so it must not be called on the UI thread.
#pragma once

#include "hub/model_name.h"
#include "net/http.h"

#include <optional>

namespace gufo::hub {

// Fetches the template from chat_template.jinja, or else the default template from tokenizer_config.json. `repository`
// is "owner/repo" on the hub. Nothing if neither has one. Errors: those of Client::send and requireSuccess, except of
// status 404; ReplyUnusable (Detail::ReplyNotJson).
[[nodiscard]] Result<std::optional<std::string>>
publishedTemplate(net::Client& client, net::Hub hub, const std::string& repository, const JobContext& job = {});

} // namespace gufo::hub
