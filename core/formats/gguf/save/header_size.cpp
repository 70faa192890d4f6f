#include "formats/gguf/save/header_size.h"

#include "formats/gguf/save/save.h"
#include "formats/save/planned_file.h"

namespace gufo::gguf {
namespace {

constexpr std::uint64_t kMaxReserved = 2 * kReservedBytes; // more reserved space is released if blocks can be removed

} // namespace

HeaderSize::HeaderSize(const ShardContent& shard, const SaveOptions& options, std::uint64_t unit, bool canShift,
                       bool keeps)
    : m_content(shard.content)
    , m_old(shard.base->files[0].dataOffset)
    , m_bare(m_content.bareHeaderBytes())
    , m_overhead(m_content.reservedOverhead())
    , m_unit(unit)
    , m_canShift(canShift && unit <= saving::kMaxUnit)
    , m_has(shard.keepsReserved && options.reserve == Reserve::Automatic)
    , m_may(!m_content.tensors.empty() && shard.hadReserved == shard.keepsReserved &&
            (m_has || options.mayReserveIn(shard.base->files[0].source->size())))
    , m_unreserved(shard.unreservedOffset)
    , m_keeps(keeps)
    , m_forced(options.strategy) {}

std::optional<std::uint64_t> HeaderSize::inPlace() const {
    const bool shiftAsked = m_forced == SaveStrategy::Shift;
    const std::uint64_t bare = m_content.dataOffset(m_bare);
    if ((hasOriginalSize() && m_forced != SaveStrategy::Patch) || (bare == m_old && !shiftAsked)) {
        return std::nullopt;
    }
    const std::optional<std::uint64_t> room = roomIn(m_old);
    if (room && (*room <= kMaxReserved || !m_canShift) && !shiftAsked) {
        return room;
    }
    const bool copyAsked = m_forced == SaveStrategy::Copy && !m_has;
    if (!m_may || copyAsked || m_unit > saving::kMaxUnit) {
        return std::nullopt;
    }
    if (m_forced == SaveStrategy::Patch) {
        return room; // all the space there is; it may not suffice
    }
    // The smallest size that differs from the old one by a multiple of the unit and leaves space for later edits.
    const std::uint64_t minimum = m_bare + m_overhead + kReservedBytes;
    const std::uint64_t rest = m_old % m_unit;
    std::uint64_t size = rest + (minimum > rest ? (minimum - rest + m_unit - 1) / m_unit * m_unit : 0);
    if (size == m_old) {
        size += m_unit;
    }
    return roomIn(size);
}

std::optional<std::uint64_t> HeaderSize::anew(const ArrayView* before) const {
    return m_has && m_may && before != nullptr ? std::optional(before->length) : std::nullopt;
}

std::optional<std::uint64_t> HeaderSize::roomIn(std::uint64_t size) const {
    const std::uint64_t minimum = m_bare + m_overhead + kReservedMarkBytes;
    return m_may && size >= minimum ? std::optional(size - m_bare - m_overhead) : std::nullopt;
}

} // namespace gufo::gguf
