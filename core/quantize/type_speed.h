// How fast this machine multiplies a vector by weights of each type, with the kernels of the engine. Plans can prefer
// fast types by it.
//
// Threads: any but the UI thread: it computes for about a tenth of a second for each type.
#pragma once

#include "base/error.h"
#include "base/job_context.h"

#include <cstdint>
#include <map>
#include <vector>

namespace gufo {

using TypeSeconds = std::map<std::uint32_t, double>; // per weight, of one thread, with weights from the cache

// Types for which there is no kernel are left out. Progress counts types. Errors: Cancelled; the errors of encode().
[[nodiscard]] Result<TypeSeconds> measureTypes(const std::vector<std::uint32_t>& types, const JobContext& job);

} // namespace gufo
