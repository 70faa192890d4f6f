// Keys with typed values on the clipboard and in drag and drop. Within the process they are passed by reference; other
// processes receive them as the header of a GGUF file without tensors.
#pragma once

#include "model/model.h"

#include <QMimeData>

#include <memory>
#include <vector>

namespace gufo::ui {

inline constexpr char kKeysMimeType[] = "application/x-gufo-metadata";

class KeyMimeData : public QMimeData {
    Q_OBJECT

public:
    KeyMimeData(std::shared_ptr<const Model> model, std::vector<KvIndex> keys);

    [[nodiscard]] const std::shared_ptr<const Model>& model() const { return m_model; }
    [[nodiscard]] const std::vector<KvIndex>& keys() const { return m_keys; }

    [[nodiscard]] QStringList formats() const override;
    [[nodiscard]] bool hasFormat(const QString& type) const override;

protected:
    [[nodiscard]] QVariant retrieveData(const QString& type, QMetaType wanted) const override;

private:
    std::shared_ptr<const Model> m_model;
    std::vector<KvIndex> m_keys;
    QString m_text; // one line "key = value" per key
};

struct TransferredKeys {
    std::shared_ptr<const Model> model;
    std::vector<KvIndex> keys;
};

[[nodiscard]] bool carriesKeys(const QMimeData* data);
// Errors: NotSupported if the data contains no keys; otherwise see the GGUF reader.
[[nodiscard]] Result<TransferredKeys> keysOf(const QMimeData* data);

} // namespace gufo::ui
