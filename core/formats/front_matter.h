// The front matter of a model card: the YAML between two lines "---" at the beginning of README.md.
//
// Only the part of YAML that model cards use is read: names with scalars, lists (in brackets or with dashes) of
// scalars, and nested names. A value of any other form becomes its text.
#pragma once

#include "model/metadata_builder.h"

namespace gufo {

// Adds the names under `prefix`, joined by dots, as texts, numbers, booleans and arrays of texts. Returns false if the
// text has no front matter. Stops after kMaxCardKeys keys.
inline constexpr std::size_t kMaxCardKeys = 1024;
bool addFrontMatter(MetadataBuilder& metadata, std::string_view text, const std::string& prefix);

} // namespace gufo
