// How the tests of sessions start them.
#pragma once

#include "support/fixture_models.h"

#include <QtGlobal>

#include <memory>

namespace gufo::test {

inline constexpr std::uint32_t kContext = 128;

// Null after an error, which is shown.
inline std::unique_ptr<inference::Session> start(const inference::LoadedModel& model,
                                                 inference::SessionOptions options) {
    auto session = model.startSession(options);
    if (!session) {
        qWarning("%s", std::string(errorName(session.error().code)).c_str());
    }
    return session ? std::move(*session) : nullptr;
}

// With a KV cache of floats, so that results can be compared exactly.
inline inference::SessionOptions exactly(std::uint32_t context, std::uint32_t batch) {
    return {.context = context, .batch = batch, .keys = KvCacheType::F32, .values = KvCacheType::F32, .threads = 2};
}

} // namespace gufo::test
