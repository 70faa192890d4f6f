#include "base/byte_source.h"

#include <cassert>
#include <utility>

namespace gufo {
namespace {

std::unexpected<Error> outside(ByteRange range, std::uint64_t size, const std::filesystem::path& path) {
    auto error = fail(ErrorCode::RangeOutsideFile, Place::atOffset(range.offset), {range.offset, range.length, size});
    error.error().file = path;
    return error;
}

} // namespace

void ByteSource::advise(ByteRange, Access) const {}

std::optional<Error> ByteSource::damage() const { return std::nullopt; }

std::optional<ByteSource::Identity> ByteSource::identity() const { return std::nullopt; }

std::shared_ptr<const void> ByteSource::hold() const { return nullptr; }

bool ByteSource::isHeld() const { return false; }

MemorySource::MemorySource(std::vector<std::byte> bytes, std::filesystem::path path)
    : m_bytes(std::move(bytes))
    , m_path(std::move(path)) {}

Result<Bytes> MemorySource::view(ByteRange range) const {
    if (!fits(range, m_bytes.size())) {
        return outside(range, m_bytes.size(), m_path);
    }
    return Bytes(m_bytes).subspan(range.offset, range.length);
}

SubSource::SubSource(std::shared_ptr<const ByteSource> source, ByteRange range)
    : m_source(std::move(source))
    , m_range(range) {
    assert(fits(m_range, m_source->size()));
}

Result<Bytes> SubSource::view(ByteRange range) const {
    if (!fits(range, m_range.length)) {
        return outside(range, m_range.length, path());
    }
    return m_source->view({m_range.offset + range.offset, range.length});
}

void SubSource::advise(ByteRange range, Access access) const {
    if (fits(range, m_range.length)) {
        m_source->advise({m_range.offset + range.offset, range.length}, access);
    }
}

} // namespace gufo
