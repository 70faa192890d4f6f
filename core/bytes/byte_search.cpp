#include "bytes/byte_search.h"

#include "base/output_file.h"
#include "base/try.h"

#include <algorithm>
#include <functional>

namespace gufo {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{4} << 20U;

// Finds what begins in [from, end).
Result<std::optional<std::uint64_t>> findBetween(const ByteSource& file, Bytes pattern, std::uint64_t from,
                                                 std::uint64_t end, const JobContext& job) {
    const std::boyer_moore_horspool_searcher searcher(pattern.begin(), pattern.end());
    const std::uint64_t size = file.size();
    for (std::uint64_t at = from; at < end;) {
        GUFO_TRY(job.check());
        const std::uint64_t starts = std::min(kPiece, end - at);
        // What begins in the piece may reach beyond it.
        const std::uint64_t length = std::min(starts + pattern.size() - 1, size - at);
        const ByteRange range{at, length};
        const Bytes bytes = GUFO_TRY(file.view(range));
        const auto found = std::search(bytes.begin(), bytes.end(), searcher);
        const auto position = static_cast<std::uint64_t>(found - bytes.begin());
        if (auto damage = file.damage()) {
            return std::unexpected(*std::move(damage));
        }
        if (found != bytes.end() && position < starts) {
            return at + position;
        }
        file.advise({at, starts}, Access::Release);
        job.advance(starts);
        at += starts;
    }
    return std::nullopt;
}

} // namespace

Result<std::optional<std::uint64_t>> findBytes(const ByteSource& file, Bytes pattern, std::uint64_t from, bool wraps,
                                               const JobContext& job) {
    const std::uint64_t size = file.size();
    if (pattern.empty() || pattern.size() > size) {
        return std::nullopt;
    }
    const std::uint64_t end = size - pattern.size() + 1; // one past the last place where it can begin
    from = std::min(from, end);
    job.start(wraps ? end : end - from);
    auto found = GUFO_TRY(findBetween(file, pattern, from, end, job));
    if (!found && wraps) {
        found = GUFO_TRY(findBetween(file, pattern, 0, from, job));
    }
    return found;
}

std::optional<std::vector<std::byte>> bytesOfHex(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
    }
    std::vector<std::byte> bytes;
    std::optional<unsigned> high;
    for (const char c : text) {
        if (c == ' ' && !high) {
            continue;
        }
        const unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                               : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a' + 10)
                               : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A' + 10)
                                                      : 16;
        if (digit == 16) {
            return std::nullopt;
        }
        if (high) {
            bytes.push_back(static_cast<std::byte>(*high * 16 + digit));
            high.reset();
        } else {
            high = digit;
        }
    }
    return bytes.empty() || high ? std::nullopt : std::optional(std::move(bytes));
}

Result<> writeRange(const ByteSource& file, ByteRange range, const std::filesystem::path& path, const JobContext& job) {
    static_cast<void>(GUFO_TRY(file.view(range))); // which reads nothing, but fails if the range is outside
    OutputFile out = GUFO_TRY(OutputFile::create(path));
    job.start(range.length);
    for (std::uint64_t done = 0; done < range.length;) {
        GUFO_TRY(job.check());
        const ByteRange piece{range.offset + done, std::min(kPiece, range.length - done)};
        const Bytes bytes = GUFO_TRY(file.view(piece));
        GUFO_TRY(out.write(bytes));
        if (auto damage = file.damage()) {
            return std::unexpected(*std::move(damage));
        }
        file.advise(piece, Access::Release);
        job.advance(piece.length);
        done += piece.length;
    }
    return out.commit();
}

} // namespace gufo
