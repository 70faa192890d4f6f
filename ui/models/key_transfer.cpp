#include "ui/models/key_transfer.h"

#include "base/detail.h"
#include "document/packed_keys.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kMaxTextKeys = 2'000; // the text is made on the UI thread

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
    const QByteArray bytes = data->data(QString::fromLatin1(kKeysMimeType));
    auto model =
        unpackKeys({reinterpret_cast<const std::byte*>(bytes.constData()), static_cast<std::size_t>(bytes.size())});
    if (!model) {
        return std::unexpected(model.error());
    }
    TransferredKeys keys{std::move(*model), {}};
    for (std::size_t i = 0; i < keys.model->metadata.size(); ++i) {
        keys.keys.emplace_back(i);
    }
    return keys;
}

} // namespace gufo::ui

#include "moc_key_transfer.cpp"
