// The sizes of a splitter of two parts, in the state of a page.
#pragma once

#include <QJsonArray>
#include <QSplitter>

namespace gufo::ui {

[[nodiscard]] inline QJsonArray splitterSizes(const QSplitter& splitter) {
    QJsonArray sizes;
    for (const int size : splitter.sizes()) {
        sizes.append(size);
    }
    return sizes;
}

// Does nothing with those of a splitter that was never shown, or of another one.
inline void restoreSplitter(QSplitter& splitter, const QJsonArray& sizes) {
    if (sizes.size() == 2 && sizes[0].toInt() + sizes[1].toInt() > 0) {
        splitter.setSizes({sizes[0].toInt(), sizes[1].toInt()});
    }
}

} // namespace gufo::ui
