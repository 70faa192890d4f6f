// Several files that were one file, mapped into memory one after another: a ByteSource of the whole that copies
// nothing.
//
// A file can only be mapped to the start of a page. If the files before one do not fill whole pages, it is read into
// memory instead, as long as it is small.
//
// Threads: as for ByteSource.
#pragma once

#include "base/byte_source.h"
#include "base/kept_pages.h"
#include "base/mapping_guard.h"

#include <span>

namespace gufo {

class JoinedFile final : public ByteSource, public PageKeeper {
public:
    // At most this many bytes are read into memory.
    static constexpr std::uint64_t kMaxCopied = std::uint64_t{256} << 20U;

    // Joins files in this order. `whole` is the path that the source states, of a file that need not exist. Errors:
    // the errors of MappedFile::open; NotSupported with Detail::PiecesNotPages.
    [[nodiscard]] static Result<std::shared_ptr<const JoinedFile>> open(std::span<const std::filesystem::path> pieces,
                                                                        std::filesystem::path whole);

    ~JoinedFile() override;
    JoinedFile(const JoinedFile&) = delete;
    JoinedFile& operator=(const JoinedFile&) = delete;

    [[nodiscard]] std::uint64_t size() const override { return m_size; }
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override;
    [[nodiscard]] std::optional<Error> damage() const override;
    [[nodiscard]] std::optional<std::uint64_t> keep(std::span<const Bytes> views,
                                                    std::uint64_t maxBytes) const override {
        return keepPages(m_data, m_size, views, maxBytes);
    }
    [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }

private:
    JoinedFile() = default;

    std::filesystem::path m_path;
    std::byte* m_data = nullptr;
    std::uint64_t m_size = 0;
    std::optional<MappingGuard> m_guard;
    std::vector<std::pair<std::filesystem::path, Identity>> m_pieces;
};

} // namespace gufo
