#include "ui/messages/model_status.h"

#include "formats/container/container.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::ModelStatus)
};

} // namespace

std::uint64_t presentFiles(const Model& model) {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(model.files, [](const ModelFile& file) { return file.source != nullptr; }));
}

QString shareSizeText(const Model::TypeShare& share, const std::map<std::string, std::uint64_t>& present) {
    const std::uint64_t bytes = present.at(share.name);
    return bytes == share.bytes ? formatBytes(bytes)
                                : Words::tr("%1 of %2").arg(formatBytes(bytes), formatBytes(share.bytes));
}

QStringList modelStatus(const Model& model) {
    const std::string_view name = containerName(model);
    const QString container = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    QStringList parts{Words::tr("%1, %2").arg(
                          model.version != 0 ? Words::tr("%1 v%2").arg(container).arg(model.version) : container,
                          model.byteOrder == ByteOrder::Little ? Words::tr("little-endian") : Words::tr("big-endian")),
                      Words::tr("%n tensors", nullptr, numerus(model.tensors.size())) + QStringLiteral(", ") +
                          Words::tr("%n keys", nullptr, numerus(model.metadata.size()))};
    if (const std::uint32_t alignment = model.files.front().alignment; alignment != 0) {
        parts << Words::tr("Alignment %1").arg(alignment);
    }
    if (const std::uint64_t there = presentFiles(model); there != model.files.size()) {
        parts.prepend(Words::tr("%1 of %n shards", nullptr, numerus(model.files.size())).arg(formatCount(there)));
    } else if (there > 1) {
        parts.prepend(Words::tr("%n shards", nullptr, numerus(there)));
    }
    return parts;
}

} // namespace gufo::ui
