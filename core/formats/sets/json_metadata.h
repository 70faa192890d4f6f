// JSON as metadata: members become keys, joined by dots ("config.rope_scaling.factor").
//
// Python's dialect of JSON is read. Integers become i64 (u64 if they need it), other numbers f64, and a list whose
// elements are all of one of these kinds, strings or booleans becomes an array. All other values become their JSON
// text: null, empty objects, other lists, objects below the fourth level, and objects of more than 64 members, which
// are tables rather than settings.
#pragma once

#include "base/json_reader.h"
#include "model/metadata_builder.h"

#include <functional>

namespace gufo {

// Adds the members of the JSON object `text` under `prefix`. `skipped`, if set, names members of the outermost object
// that are left out. Repeated members are added again; `repeated` is called with their keys. Errors: BadSyntax,
// NestingTooDeep, LimitExceeded (more than kMaxJsonKeys keys). After an error, some keys may have been added.
inline constexpr std::size_t kMaxJsonKeys = 16'384;
struct JsonMetadataOptions {
    std::function<bool(std::string_view member)> skipped{};
    std::function<void(const std::string& key)> repeated{};
};
[[nodiscard]] Result<> addJsonMetadata(MetadataBuilder& metadata, std::string_view text, const std::string& prefix,
                                       const JsonMetadataOptions& options = {});

} // namespace gufo
