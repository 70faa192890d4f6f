#include "ui/compare/comparison_frame.h"

#include "ui/shell/native_path.h"

#include <QCoreApplication>

namespace gufo::ui {
namespace {

class FrameWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::ComparisonFrame)
};

QString named(const ComparedFile& file) {
    const QString name = fileNameText(file.path);
    return name == file.label ? name : QStringLiteral("%1 (%2)").arg(file.label, name);
}

} // namespace

PictureFrame comparisonFrame(const Comparison& comparison, const QString& title, const std::vector<std::size_t>& files,
                             const QString& subject) {
    QStringList names;
    for (const std::size_t file : files) {
        if (file != comparison.reference()) {
            names << named(comparison.files()[file]);
        }
    }
    PictureFrame frame{.title = title, .lines = {}};
    if (!subject.isEmpty()) {
        frame.lines << subject;
    }
    if (!names.isEmpty()) {
        frame.lines << names.join(QStringLiteral(", "));
    }
    if (comparison.reference() < comparison.files().size()) {
        frame.lines << FrameWords::tr("Reference: %1").arg(named(comparison.files()[comparison.reference()]));
    }
    return frame;
}

std::vector<PictureKey> fileKeys(const Comparison& comparison, const std::vector<std::size_t>& files) {
    std::vector<PictureKey> keys;
    for (const std::size_t file : files) {
        keys.push_back(seriesKey(comparison.files()[file].label, comparison.files()[file].series));
    }
    return keys;
}

} // namespace gufo::ui
