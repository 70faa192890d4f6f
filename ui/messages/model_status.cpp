#include "ui/messages/model_status.h"

#include "ui/messages/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace gufo::ui {

std::uint64_t presentFiles(const Model& model) {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(model.files, [](const ModelFile& file) { return file.source != nullptr; }));
}

QStringList modelStatus(const Model& model) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("gufo::ui", text); };
    QStringList parts{
        tr("GGUF v%1, %2")
            .arg(model.version)
            .arg(model.byteOrder == ByteOrder::Little ? tr("little-endian") : tr("big-endian")),
        tr("%1 tensors, %2 keys").arg(formatCount(model.tensors.size()), formatCount(model.metadata.size())),
        tr("Alignment %1").arg(model.files.front().alignment)};
    if (const std::uint64_t there = presentFiles(model); there != model.files.size()) {
        parts.prepend(tr("%1 of %2 shards").arg(formatCount(there), formatCount(model.files.size())));
    } else if (there > 1) {
        parts.prepend(tr("%1 shards").arg(formatCount(there)));
    }
    return parts;
}

} // namespace gufo::ui
