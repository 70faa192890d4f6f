// Finding bytes in a file, and writing a range of a file to another one, in pieces, so that files of any size need
// little memory.
//
// Threads: thread-safe. Both read the file, so they are not for the UI thread.
#pragma once

#include "base/byte_source.h"
#include "base/job_context.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace gufo {

// The offset of the first occurrence that begins at `from` or later and, if `wraps`, before it after the end. Nothing
// if there is none, or `pattern` is empty. Progress is in bytes. Errors: Cancelled; the errors of the source, also
// FileChangedWhileReading.
[[nodiscard]] Result<std::optional<std::uint64_t>> findBytes(const ByteSource& file, Bytes pattern, std::uint64_t from,
                                                             bool wraps, const JobContext& job = {});

// The bytes that a text in hexadecimal digits stands for: "47 47 55 46", "0x47475546"; nothing if it is not such a
// text.
[[nodiscard]] std::optional<std::vector<std::byte>> bytesOfHex(std::string_view text);

// Errors: Cancelled (nothing is written then); the errors of the source and of OutputFile.
[[nodiscard]] Result<> writeRange(const ByteSource& file, ByteRange range, const std::filesystem::path& path,
                                  const JobContext& job = {});

} // namespace gufo
