#include "ui/plots/map_fold.h"

#include <array>

namespace gufo::ui {
namespace {

struct FoldRow {
    const char* id;
    const char* title; // in the field
    const char* text;  // in a sentence
    const char* tip;
};
constexpr std::array<FoldRow, 5> kFolds{{
    {"auto", QT_TRANSLATE_NOOP("gufo::ui::FoldField", "Fold: automatic"), "",
     QT_TRANSLATE_NOOP("gufo::ui::FoldField", "RMS where a pixel stands for many weights, otherwise the largest")},
    {"rms", QT_TRANSLATE_NOOP("gufo::ui::FoldField", "RMS"), QT_TRANSLATE_NOOP("gufo::ui::FoldField", "RMS"),
     QT_TRANSLATE_NOOP("gufo::ui::FoldField", "Root mean square: which rows and columns are strong")},
    {"mean", QT_TRANSLATE_NOOP("gufo::ui::FoldField", "Mean"), QT_TRANSLATE_NOOP("gufo::ui::FoldField", "mean"),
     QT_TRANSLATE_NOOP("gufo::ui::FoldField", "Mean with sign: which rows and columns are biased")},
    {"max", QT_TRANSLATE_NOOP("gufo::ui::FoldField", "Largest |w|"),
     QT_TRANSLATE_NOOP("gufo::ui::FoldField", "largest |w|"),
     QT_TRANSLATE_NOOP("gufo::ui::FoldField", "Largest magnitude: where the outliers are")},
    {"signed", QT_TRANSLATE_NOOP("gufo::ui::FoldField", "Largest, signed"),
     QT_TRANSLATE_NOOP("gufo::ui::FoldField", "signed maximum"),
     QT_TRANSLATE_NOOP("gufo::ui::FoldField", "The weight of the largest magnitude, with its sign")},
}};

const FoldRow& rowOf(MapFold fold) { return kFolds[static_cast<std::size_t>(fold)]; }

} // namespace

QString foldText(MapFold fold) { return FoldField::tr(rowOf(fold).text); }

QString foldId(MapFold fold) { return QLatin1String(rowOf(fold).id); }

MapFold foldOfId(const QString& id) {
    for (std::size_t i = 0; i < kFolds.size(); ++i) {
        if (id == QLatin1String(kFolds[i].id)) {
            return static_cast<MapFold>(i);
        }
    }
    return MapFold::Automatic;
}

SliceReduction reductionOf(MapFold fold) {
    return fold == MapFold::RootMeanSquare ? SliceReduction::RootMeanSquare
           : fold == MapFold::Mean         ? SliceReduction::Mean
                                           : SliceReduction::LargestMagnitude;
}

FoldField::FoldField(QWidget* parent)
    : QComboBox(parent) {
    for (const FoldRow& row : kFolds) {
        addItem(tr(row.title));
        setItemData(count() - 1, tr(row.tip), Qt::ToolTipRole);
    }
    setAccessibleName(tr("What the colour of a pixel shows"));
    setToolTip(tr("What the colour of a pixel shows if it stands for several weights"));
    connect(this, &QComboBox::activated, this, [this](int index) { emit chosen(static_cast<MapFold>(index)); });
}

void FoldField::setFold(MapFold fold) { setCurrentIndex(static_cast<int>(fold)); }

MapFold FoldField::fold() const { return static_cast<MapFold>(currentIndex()); }

} // namespace gufo::ui

#include "moc_map_fold.cpp"
