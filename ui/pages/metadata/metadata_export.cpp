#include "ui/pages/metadata/metadata_export.h"

#include "messages/format.h"
#include "model/array_index.h"

#include <QSaveFile>

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kStep = 512;
constexpr int kMaxDepth = 64; // the reader's own limit is lower

QByteArray jsonString(std::string_view text) {
    const QByteArray bytes(text.data(), static_cast<qsizetype>(text.size()));
    if (QString::fromUtf8(bytes).toUtf8() != bytes) {
        return "{\"hex\": \"" + bytes.toHex() + "\"}";
    }
    QByteArray out = "\"";
    for (const char c : bytes) {
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x20) {
                out += "\\u00" + QByteArray(1, c).toHex();
            } else {
                out += c;
            }
        }
    }
    return out + '"';
}

template<std::floating_point T>
QByteArray real(T value) {
    if (!std::isfinite(value)) {
        return "null";
    }
    std::array<char, 64> buffer{};
    const char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), static_cast<qsizetype>(end - buffer.data())};
}

QByteArray typeName(ValueType type) {
    const std::string_view name = valueTypeInfo(type).name;
    return {name.data(), static_cast<qsizetype>(name.size())};
}

class Writer {
public:
    Writer(QIODevice& to, const JobContext& job)
        : m_to(to)
        , m_job(job) {}

    void put(const QByteArray& text) { m_failed = m_failed || m_to.write(text) != text.size(); }
    [[nodiscard]] bool failed() const { return m_failed; }

    Result<void> value(const Value& value, int depth = 0) {
        if (const auto text = asString(value)) {
            put(jsonString(*text));
        } else if (const ArrayView* array = asArray(value)) {
            return elements(*array, depth);
        } else if (const auto* flag = std::get_if<BoolValue>(&value)) {
            put(*flag ? "true" : "false");
        } else if (const auto* single = std::get_if<float>(&value)) {
            put(real(*single));
        } else if (const auto* twice = std::get_if<double>(&value)) {
            put(real(*twice));
        } else {
            put(formatValue(value).toLatin1());
        }
        return {};
    }

private:
    Result<void> elements(const ArrayView& array, int depth) {
        if (depth == kMaxDepth) {
            return fail(ErrorCode::NestingTooDeep, {}, {std::to_string(kMaxDepth)});
        }
        const auto index = ArrayIndex::build(array, {.stop = m_job.stop});
        if (!index) {
            return std::unexpected(index.error());
        }
        put("[");
        for (std::uint64_t i = 0; i < index->size(); ++i) {
            if (i % kStep == 0 && m_job.stopRequested()) {
                return fail(ErrorCode::Cancelled);
            }
            put(i == 0 ? "" : i % 16 == 0 ? ",\n   " : ", ");
            if (auto written = value(index->at(i), depth + 1); !written) {
                return written;
            }
        }
        put("]");
        return {};
    }

    QIODevice& m_to;
    const JobContext& m_job;
    bool m_failed = false;
};

} // namespace

Result<void> writeMetadataJson(const Model& model, QIODevice& to, const JobContext& job) {
    std::uint64_t bytes = 0;
    for (const KeyValue& entry : model.metadata) {
        bytes += entry.bytes;
    }
    job.start(bytes);
    Writer writer(to, job);
    writer.put("{\"file\": " + jsonString(model.path().native()) +
               ", \"version\": " + QByteArray::number(model.version) + ",\n \"metadata\": [");
    bool first = true;
    for (const KeyValue& entry : model.metadata) {
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        writer.put((first ? "\n  {\"key\": " : ",\n  {\"key\": ") + jsonString(entry.key) + ", \"type\": \"" +
                   typeName(typeOf(entry.value)) + '"');
        if (const ArrayView* array = asArray(entry.value)) {
            writer.put(", \"element_type\": \"" + typeName(array->elementType) +
                       "\", \"length\": " + QByteArray::number(qulonglong{array->length}));
        }
        writer.put(", \"value\": ");
        if (auto written = writer.value(entry.value); !written) {
            return written;
        }
        writer.put("}");
        first = false;
        job.advance(entry.bytes);
    }
    writer.put("\n ]}\n");
    return writer.failed() ? Result<void>(fail(ErrorCode::WriteFailed)) : Result<void>();
}

Result<void> exportMetadataJson(const Model& model, const QString& path, const JobContext& job) {
    QSaveFile file(path);
    const auto failed = [&]() -> Result<void> {
        return std::unexpected(
            Error{ErrorCode::WriteFailed, path.toStdString(), {}, {file.errorString().toStdString()}, 0});
    };
    if (!file.open(QIODevice::WriteOnly)) {
        return failed();
    }
    if (auto written = writeMetadataJson(model, file, job); !written) {
        return written.error().code == ErrorCode::WriteFailed ? failed() : written;
    }
    return file.commit() ? Result<void>() : failed();
}

} // namespace gufo::ui
