#include "ui/models/key_transfer.h"

#include "base/detail.h"
#include "formats/gguf/read/reader.h"
#include "formats/gguf/write/writer.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kMaxTextKeys = 2'000; // the text is made on the UI thread

// The keys as a GGUF file without tensors, which preserves every type and value; nothing if a key cannot be written to
// a file: a duplicate, an invalid alignment, an array whose file has changed.
std::optional<std::vector<std::byte>> packKeys(const Model& model, std::span<const KvIndex> keys) {
    gguf::Writer writer;
    for (const KvIndex kv : keys) {
        const KeyValue& entry = model.metadata[kv];
        if (!writer.add(entry.key, entry.value)) {
            return std::nullopt;
        }
    }
    return writer.header();
}

// A model with these keys only. Errors: the errors of the GGUF reader, because the bytes may come from anywhere.
Result<std::shared_ptr<const Model>> unpackKeys(const QByteArray& bytes) {
    const auto* begin = reinterpret_cast<const std::byte*>(bytes.constData());
    return gguf::read(std::make_shared<MemorySource>(std::vector<std::byte>(begin, begin + bytes.size())));
}

} // namespace

KeyMimeData::KeyMimeData(std::shared_ptr<const Model> model, std::vector<KvIndex> keys)
    : m_model(std::move(model))
    , m_keys(std::move(keys)) {
    for (std::size_t i = 0; i < std::min(m_keys.size(), kMaxTextKeys); ++i) {
        const KeyValue& entry = m_model->metadata[m_keys[i]];
        m_text += QStringLiteral("%1 = %2\n")
                      .arg(displayText(entry.key), valueText(entry.key, entry.value, m_model->metadata.architecture()));
    }
}

QStringList KeyMimeData::formats() const { return {QString::fromLatin1(kKeysMimeType), QStringLiteral("text/plain")}; }

bool KeyMimeData::hasFormat(const QString& type) const { return formats().contains(type); }

QVariant KeyMimeData::retrieveData(const QString& type, QMetaType wanted) const {
    if (type == QLatin1String("text/plain")) {
        return m_text;
    }
    if (type != QLatin1String(kKeysMimeType)) {
        return QMimeData::retrieveData(type, wanted);
    }
    const auto packed = packKeys(*m_model, m_keys);
    return packed ? QByteArray(reinterpret_cast<const char*>(packed->data()), static_cast<qsizetype>(packed->size()))
                  : QVariant();
}

bool carriesKeys(const QMimeData* data) {
    return data != nullptr && data->hasFormat(QString::fromLatin1(kKeysMimeType));
}

Result<TransferredKeys> keysOf(const QMimeData* data) {
    if (const auto* keys = qobject_cast<const KeyMimeData*>(data)) {
        return TransferredKeys{keys->model(), keys->keys()};
    }
    if (!carriesKeys(data)) {
        return fail(ErrorCode::NotSupported, {}, {Detail::KeyObject});
    }
    TransferredKeys keys{GUFO_TRY(unpackKeys(data->data(QString::fromLatin1(kKeysMimeType)))), {}};
    for (std::size_t i = 0; i < keys.model->metadata.size(); ++i) {
        keys.keys.emplace_back(i);
    }
    return keys;
}

} // namespace gufo::ui

#include "moc_key_transfer.cpp"
