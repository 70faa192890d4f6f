// ByteSource gives access to the bytes of a model, wherever they are stored. Core reads model bytes only through it.
//
// All members are thread-safe. A view stays valid as long as its source.
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

// Tells the source how a range is about to be used. It is a hint and never fails.
enum class Access : std::uint8_t {
    Sequential, // a scan from front to back
    Random,
    WillNeed, // prefetch
    Release,  // the range will not be read again soon, so its pages may be dropped
};

class ByteSource {
public:
    virtual ~ByteSource() = default;

    [[nodiscard]] virtual std::uint64_t size() const = 0;

    // Returns the bytes of a range without copying them. Errors: RangeOutsideFile.
    [[nodiscard]] virtual Result<Bytes> view(ByteRange range) const = 0;

    virtual void advise(ByteRange range, Access access) const;

    // The error that has damaged the bytes since the source was opened (FileChangedWhileReading), if any. When another
    // process truncates a file, its views read as zeros from then on, so code that computes a result from a view checks
    // damage() afterwards.
    [[nodiscard]] virtual std::optional<Error> damage() const;

    // Empty if the bytes do not come from a file.
    [[nodiscard]] virtual const std::filesystem::path& path() const = 0;

    // Distinguishes a file from every other file, and from itself after a change. `modified` is in nanoseconds.
    struct Identity {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::uint64_t size = 0;
        std::int64_t modified = 0;
        bool operator==(const Identity&) const = default;
    };
    // The identity of the file when it was opened. Returns nothing unless the bytes are a whole file on a local disk,
    // because otherwise they cannot be recognised later.
    [[nodiscard]] virtual std::optional<Identity> identity() const;

    // Keeps the bytes readable for as long as the result lives. A running model holds its file: a save in place, which
    // would unmap the file for a moment, then writes a copy instead. Returns null if the bytes can never be taken away.
    // May block for some milliseconds.
    [[nodiscard]] virtual std::shared_ptr<const void> hold() const;
    [[nodiscard]] virtual bool isHeld() const; // by any holder in this process
};

// Whether [offset, offset + length) lies within `size`. The check cannot overflow.
[[nodiscard]] constexpr bool fits(ByteRange range, std::uint64_t size) {
    return range.offset <= size && range.length <= size - range.offset;
}

// Bytes in memory, for tests, fuzzing and files that are made on the fly.
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

// A range of another source, with offsets relative to that range: a model inside a larger file.
class SubSource final : public ByteSource {
public:
    // The range must lie within the source.
    SubSource(std::shared_ptr<const ByteSource> source, ByteRange range);
    [[nodiscard]] std::uint64_t size() const override { return m_range.length; }
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override;
    void advise(ByteRange range, Access access) const override;
    [[nodiscard]] std::optional<Error> damage() const override { return m_source->damage(); }
    [[nodiscard]] const std::filesystem::path& path() const override { return m_source->path(); }
    [[nodiscard]] std::shared_ptr<const void> hold() const override { return m_source->hold(); }
    [[nodiscard]] bool isHeld() const override { return m_source->isHeld(); }

private:
    std::shared_ptr<const ByteSource> m_source;
    ByteRange m_range;
};

} // namespace gufo
