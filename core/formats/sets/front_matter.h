// The front matter of a model card: the YAML between two lines "---" at the beginning of README.md. It is parsed by
// libyaml, the parser of Python's yaml.
//
// Values are not typed as in YAML 1.1, where the language code "no" is a boolean: only true and false are booleans.
// Anchors and aliases are followed without copying, so that their number does not matter; the depth is limited.
#pragma once

#include "base/error.h"
#include "model/metadata_builder.h"

#include <optional>

namespace gufo {

struct FrontMatter {
    bool found = false; // the text has front matter
    // Why not all of it was read: BadSyntax, which includes bytes that are not UTF-8 (values with such bytes are left
    // out); NestingTooDeep; LimitExceeded.
    std::optional<Error> problem{};
};

// Adds the names under `prefix`, joined by dots, as texts, numbers, booleans and arrays of texts; null is an empty
// text. A value of any other form becomes its source text. Stops after kMaxCardKeys keys.
inline constexpr std::size_t kMaxCardKeys = 1024;
FrontMatter addFrontMatter(MetadataBuilder& metadata, std::string_view text, const std::string& prefix);

} // namespace gufo
