#include "ui/pages/bytes/byte_window.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kMostBytes = 64U << 10U; // shown at once, and much more than any screen has

std::uint64_t endOf(ByteRange range) { return range.offset + range.length; }

bool contains(ByteRange outer, ByteRange inner) { return inner.offset >= outer.offset && endOf(inner) <= endOf(outer); }

} // namespace

void ByteWindow::setMap(std::shared_ptr<const ByteMap> map) {
    m_job.cancel();
    m_map = std::move(map);
    m_content = {};
    m_requested = {};
    emit changed();
}

void ByteWindow::request(ByteRange range) {
    if (m_map == nullptr || m_map->size() == 0) {
        return;
    }
    const std::uint64_t size = m_map->size();
    range.offset = std::min(range.offset, size);
    range.length = std::min({range.length, size - range.offset, kMostBytes});
    if (contains(m_content.range, range) || (m_job.isRunning() && contains(m_requested, range))) {
        return;
    }
    const std::uint64_t before = std::min(range.length, range.offset);
    ByteRange wide{range.offset - before, 0};
    wide.length = std::min(before + 2 * range.length, size - wide.offset);
    m_requested = wide;
    m_job.start<Content>(
        [map = m_map, wide](const JobContext&) -> Result<Content> {
            Content content{.range = wide};
            const Bytes bytes = GUFO_TRY(map->file()->view(wide));
            content.bytes.assign(bytes.begin(), bytes.end());
            content.fields = GUFO_TRY(map->fields(wide, wide.length));
            if (auto damage = map->file()->damage()) {
                return std::unexpected(*std::move(damage));
            }
            return content;
        },
        [this](Result<Content> content) {
            if (content) {
                m_content = *std::move(content);
                emit changed();
            } else {
                emit failed(content.error());
            }
        });
}

std::optional<std::byte> ByteWindow::byteAt(std::uint64_t offset) const {
    if (offset < m_content.range.offset || offset >= endOf(m_content.range)) {
        return std::nullopt;
    }
    return m_content.bytes[offset - m_content.range.offset];
}

const ByteField* ByteWindow::fieldAt(std::uint64_t offset) const {
    const auto after = std::ranges::upper_bound(m_content.fields, offset, {},
                                                [](const ByteField& field) { return field.range.offset; });
    if (after == m_content.fields.begin()) {
        return nullptr;
    }
    const ByteField& field = *std::prev(after);
    return offset < endOf(field.range) ? &field : nullptr;
}

std::vector<const ByteField*> ByteWindow::fieldsIn(ByteRange range) const {
    std::vector<const ByteField*> fields;
    for (const ByteField& field : m_content.fields) {
        if (field.range.offset >= endOf(range)) {
            break;
        }
        if (endOf(field.range) > range.offset) {
            fields.push_back(&field);
        }
    }
    return fields;
}

} // namespace gufo::ui

#include "moc_byte_window.cpp"
