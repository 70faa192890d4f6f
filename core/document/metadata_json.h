// Metadata as JSON, and back (values as in document/value_json.h):
//
//     {"file": "…", "version": 3,
//      "metadata": [
//       {"key": "general.name", "type": "str", "value": "Owl"}, …]}
//
// A plain object of keys is read, too: {"general.name": {"type": "str", "value": "Owl"}, …}.
//
// And one array as JSON (a list) or CSV: one element for each row, in one column; the header row is its name. Bytes
// that are no UTF-8 stand in CSV as they are; arrays of arrays have no CSV.
#pragma once

#include "base/job_context.h"
#include "base/json_text.h"
#include "model/change.h"
#include "model/model.h"

#include <span>

namespace gufo {

// `keys` chooses (the first of each name, in the file's order); empty: all. Progress in bytes of keys. Errors:
// Cancelled, Truncated, those of the sink.
[[nodiscard]] Result<> writeMetadataJson(const Model& model, std::span<const std::string> keys, const ByteSink& sink,
                                         const JobContext& job = {});

// One SetKey for each key, in the order of the text. Errors: BadSyntax, NestingTooDeep, Cancelled.
[[nodiscard]] Result<std::vector<Change>> readMetadataJson(std::string_view text, const JobContext& job = {});

enum class ArrayFormat : std::uint8_t { Json, Csv };
// Errors: Cancelled, Truncated, those of the sink; NotSupported (CSV of arrays of arrays).
[[nodiscard]] Result<> writeArray(const ArrayView& array, std::string_view name, ArrayFormat format,
                                  const ByteSink& sink, const JobContext& job = {});
// An array of those elements. CSV: quoted as RFC 4180 has it, of several columns the last; the first row is skipped
// where it is no element (of strings: where `name` stands in it). Errors: BadSyntax, NotSupported, Cancelled.
[[nodiscard]] Result<OwnedValue> readArray(std::string_view text, ValueType elementType, std::string_view name,
                                           ArrayFormat format, const JobContext& job = {});

} // namespace gufo
