// The bytes around what the hex view shows, with their fields. They are read by jobs, because a page of a mapped file
// may have to come from a slow disk, and a section of a file may take a while to divide into fields.
//
// Belongs to the UI thread.
#pragma once

#include "bytes/byte_map.h"
#include "ui/jobs/latest_job.h"

#include <QObject>

#include <memory>
#include <vector>

namespace gufo::ui {

class ByteWindow : public QObject {
    Q_OBJECT

public:
    explicit ByteWindow(QObject* parent = nullptr)
        : QObject(parent)
        , m_job(this) {}

    void setMap(std::shared_ptr<const ByteMap> map); // null: there is none
    [[nodiscard]] const std::shared_ptr<const ByteMap>& map() const { return m_map; }
    [[nodiscard]] std::uint64_t size() const { return m_map != nullptr ? m_map->size() : 0; }

    // Reads the range, and as much before and after it, unless they are here. changed() follows.
    void request(ByteRange range);

    // The byte at an offset; nothing if it has not been read yet.
    [[nodiscard]] std::optional<std::byte> byteAt(std::uint64_t offset) const;
    // The field that contains the byte at an offset; null if it has not been read yet.
    [[nodiscard]] const ByteField* fieldAt(std::uint64_t offset) const;
    // The fields that overlap a range and have been read, by offset.
    [[nodiscard]] std::vector<const ByteField*> fieldsIn(ByteRange range) const;
    [[nodiscard]] ByteRange range() const { return m_content.range; } // the bytes that the window holds
    [[nodiscard]] bool isReading() const { return m_job.isRunning(); }

signals:
    void changed();
    void failed(const Error& error);

private:
    struct Content {
        ByteRange range;
        std::vector<std::byte> bytes;
        std::vector<ByteField> fields; // by offset
    };

    std::shared_ptr<const ByteMap> m_map;
    Content m_content;
    ByteRange m_requested;
    LatestJob m_job;
};

} // namespace gufo::ui
