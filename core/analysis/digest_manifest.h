// A manifest: the digests of a model as text, one line "digest  kind  name" each, which a later check compares with the
// model as it is then.
//
//   5d41…  file     model.gguf
//   07c3…  header   model.gguf
//   91aa…  weights  model.gguf
//   e4d9…  tensor   blk.0.attn_q.weight
//
// In names, a backslash and control characters are written as \\ and \xNN, so that every name fits a line.
#pragma once

#include "analysis/model_digests.h"

#include <expected>
#include <string>
#include <vector>

namespace gufo {

struct ManifestLine {
    enum class Kind : std::uint8_t { File, Header, Weights, Tensor };
    std::string digest; // 64 lower-case hexadecimal digits
    Kind kind = Kind::File;
    std::string name;
    bool operator==(const ManifestLine&) const = default;
};

[[nodiscard]] std::string_view manifestKindName(ManifestLine::Kind kind);

// The lines of a model: files, headers, weights, tensors. What has no digest has no line.
[[nodiscard]] std::vector<ManifestLine> manifestOf(const Model& model, const ModelDigests& digests);
[[nodiscard]] std::string manifestText(const std::vector<ManifestLine>& lines);

// Empty lines and lines that begin with # are skipped. The error is the number of the first line, from 1, that is no
// line of a manifest.
[[nodiscard]] std::expected<std::vector<ManifestLine>, std::size_t> readManifest(std::string_view text);

struct ManifestDifference {
    ManifestLine::Kind kind;
    std::string name;
    std::string expected; // empty: the manifest has no such line
    std::string found;    // empty: the model has nothing of that name
};
// The names of files do not matter if there is one file on both sides, because a copy may have another name.
[[nodiscard]] std::vector<ManifestDifference> compareManifests(std::vector<ManifestLine> expected,
                                                               std::vector<ManifestLine> found);

} // namespace gufo
