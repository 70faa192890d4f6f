// The bytes of a model, wherever they are. Every byte that core reads of a model comes through ByteSource.
//
// Threads: all members may be called from any thread at once. A view stays valid as long as its source.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gufo {

using Bytes = std::span<const std::byte>;

struct ByteRange {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    bool operator==(const ByteRange&) const = default;
};

// What is about to happen to a range; a hint that never fails.
enum class Access : std::uint8_t {
    Sequential, // a scan from front to back
    Random,
    WillNeed, // fetch ahead
    Release,  // will not be read again soon: its pages may go
};

class ByteSource {
public:
    virtual ~ByteSource() = default;

    [[nodiscard]] virtual std::uint64_t size() const = 0;

    // The bytes of a range, not copied. Errors: RangeOutsideFile.
    [[nodiscard]] virtual Result<Bytes> view(ByteRange range) const = 0;

    virtual void advise(ByteRange range, Access access) const;

    // The error that has befallen the bytes since opening (FileChangedWhileReading), if any. A view of a file that
    // another process truncates reads as zeros from then on; whoever computed something from it asks here afterwards.
    [[nodiscard]] virtual std::optional<Error> damage() const;

    // Empty for bytes that are not in a file.
    [[nodiscard]] virtual const std::filesystem::path& path() const = 0;
};

// True if [offset, offset + length) lies within size; no overflow.
[[nodiscard]] constexpr bool fits(ByteRange range, std::uint64_t size) {
    return range.offset <= size && range.length <= size - range.offset;
}

// Bytes in memory: tests, fuzzing, files made on the fly.
class MemorySource final : public ByteSource {
public:
    explicit MemorySource(std::vector<std::byte> bytes, std::filesystem::path path = {});
    [[nodiscard]] std::uint64_t size() const override { return m_bytes.size(); }
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override;
    [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }

private:
    std::vector<std::byte> m_bytes;
    std::filesystem::path m_path;
};

// A part of another source, with offsets of its own: a model inside a larger file.
class SubSource final : public ByteSource {
public:
    // The range must lie within the source.
    SubSource(std::shared_ptr<const ByteSource> source, ByteRange range);
    [[nodiscard]] std::uint64_t size() const override { return m_range.length; }
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override;
    void advise(ByteRange range, Access access) const override;
    [[nodiscard]] std::optional<Error> damage() const override { return m_source->damage(); }
    [[nodiscard]] const std::filesystem::path& path() const override { return m_source->path(); }

private:
    std::shared_ptr<const ByteSource> m_source;
    ByteRange m_range;
};

} // namespace gufo
