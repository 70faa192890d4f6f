// The sizes of splitters with two parts: saved and restored in a page's state, and kept when a page was narrow.
#pragma once

#include <QEvent>
#include <QJsonArray>
#include <QSplitter>

#include <algorithm>

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

// Keeps the width of one part of a horizontal splitter: what it has at first, or what the user gives to it. A splitter
// by itself makes this part narrow in a narrow page, and gives the room of a wider one only to the other part, so that
// the first never gets its width back.
class KeptWidth : public QObject {
public:
    // Belongs to the splitter, which has both of its parts.
    KeptWidth(QSplitter* splitter, int part, int width)
        : QObject(splitter)
        , m_splitter(splitter)
        , m_part(part)
        , m_width(width) {
        splitter->installEventFilter(this);
        connect(splitter, &QSplitter::splitterMoved, this, [this] { m_width = m_splitter->sizes().at(m_part); });
        fit();
    }
    // What it is where there is room for it.
    [[nodiscard]] int width() const { return m_width; }
    // Ignores numbers that are not widths.
    void setWidth(int width) {
        if (width > 0) {
            m_width = width;
            fit();
        }
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Resize) {
            return QObject::eventFilter(watched, event);
        }
        watched->event(event); // lays the parts out, which is corrected then
        fit();
        return true;
    }

private:
    void fit() {
        const auto least = [this](int part) {
            const QWidget* widget = m_splitter->widget(part);
            return widget->minimumWidth() > 0 ? widget->minimumWidth() : widget->minimumSizeHint().width();
        };
        const int room = m_splitter->width() - m_splitter->handleWidth();
        const int kept = std::max(std::min(m_width, room - least(1 - m_part)), least(m_part));
        const int other = std::max(room - kept, least(1 - m_part));
        m_splitter->setSizes(m_part == 0 ? QList<int>{kept, other} : QList<int>{other, kept});
    }

    QSplitter* m_splitter;
    int m_part;
    int m_width;
};

} // namespace gufo::ui
