#include "ui/models/model_status.h"

#include "messages/format.h"

#include <QCoreApplication>

namespace gufo::ui {

QStringList modelStatus(const Model& model) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("gufo::ui", text); };
    QStringList parts{
        tr("GGUF v%1, %2")
            .arg(model.version)
            .arg(model.byteOrder == ByteOrder::Little ? tr("little-endian") : tr("big-endian")),
        tr("%1 tensors, %2 keys").arg(formatCount(model.tensors.size()), formatCount(model.metadata.size())),
        tr("Alignment %1").arg(model.files.front().alignment)};
    if (model.files.size() > 1) {
        parts.prepend(tr("%1 shards").arg(model.files.size()));
    }
    return parts;
}

} // namespace gufo::ui
