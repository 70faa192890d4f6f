// How a heat map folds the weights of a pixel into one value, and the field in which the user chooses it.
#pragma once

#include "analysis/slice.h"

#include <QComboBox>

namespace gufo::ui {

enum class MapFold { Automatic, RootMeanSquare, Mean, LargestMagnitude, Signed };

// "RMS", "mean", "largest |w|", "largest, with sign".
[[nodiscard]] QString foldText(MapFold fold);
// "rms": in settings. Unknown ids are automatic.
[[nodiscard]] QString foldId(MapFold fold);
[[nodiscard]] MapFold foldOfId(const QString& id);
// How core reduces the weights. For LargestMagnitude the sign has to be removed from the result.
[[nodiscard]] SliceReduction reductionOf(MapFold fold);

class FoldField : public QComboBox {
    Q_OBJECT

public:
    explicit FoldField(QWidget* parent = nullptr);
    void setFold(MapFold fold);
    [[nodiscard]] MapFold fold() const;

signals:
    void chosen(gufo::ui::MapFold fold); // by the user
};

} // namespace gufo::ui
