// Metadata as JSON and back (values as in document/value_json.h):
//
//     {"file": "…", "version": 3,
//      "metadata": [
//       {"key": "general.name", "type": "str", "value": "Owl"}, …]}
//
// A plain object of keys can be read too: {"general.name": {"type": "str", "value": "Owl"}, …}.
//
// A single array is written as a JSON list or as CSV with one element in each row, in a column whose header is the
// array's name. Bytes that are not UTF-8 are written to CSV verbatim. Arrays of arrays have no CSV form.
//
// Threads: all functions are thread-safe; the sink is called on the calling thread.
#pragma once

#include "base/job_context.h"
#include "base/json_text.h"
#include "model/change.h"
#include "model/model.h"

#include <span>

namespace gufo {

// Writes the named keys (of each name the first, in file order), or all if `keys` is empty. Progress counts bytes of
// keys. Errors: Cancelled, Truncated, the errors of the sink.
[[nodiscard]] Result<> writeMetadataJson(const Model& model, std::span<const std::string> keys, const ByteSink& sink,
                                         const JobContext& job = {});

// Returns one SetKey for each key, in text order. Errors: BadSyntax, NestingTooDeep, Cancelled.
[[nodiscard]] Result<std::vector<Change>> readMetadataJson(std::string_view text, const JobContext& job = {});

enum class ArrayFormat : std::uint8_t { Json, Csv };
// Errors: Cancelled, Truncated, the errors of the sink; NotSupported (CSV of arrays of arrays).
[[nodiscard]] Result<> writeArray(const ArrayView& array, std::string_view name, ArrayFormat format,
                                  const ByteSink& sink, const JobContext& job = {});
// Reads an array whose elements have that type. CSV is quoted as in RFC 4180; if it has several columns, the last one
// is read. The first row is skipped if it is not an element (for strings: if it equals `name`). Errors: BadSyntax,
// NotSupported, Cancelled.
[[nodiscard]] Result<OwnedValue> readArray(std::string_view text, ValueType elementType, std::string_view name,
                                           ArrayFormat format, const JobContext& job = {});

} // namespace gufo
