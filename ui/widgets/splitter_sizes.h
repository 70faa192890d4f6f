// Saves and restores the sizes of a two-part splitter in a page's state.
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

// Ignores the sizes of a splitter that was never shown or has another number of parts.
inline void restoreSplitter(QSplitter& splitter, const QJsonArray& sizes) {
    if (sizes.size() == 2 && sizes[0].toInt() + sizes[1].toInt() > 0) {
        splitter.setSizes({sizes[0].toInt(), sizes[1].toInt()});
    }
}

} // namespace gufo::ui
