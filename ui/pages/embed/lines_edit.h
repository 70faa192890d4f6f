// A field for one text per line. A large paste does not enter it, because laying out megabytes would block the window:
// it is passed on as a whole.
#pragma once

#include <QPlainTextEdit>

namespace gufo::ui {

class LinesEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    static constexpr qsizetype kMaxCharacters = 200'000;
    static constexpr qsizetype kLongestLine = 20'000;

    explicit LinesEdit(QWidget* parent = nullptr);
    // Whether a text may enter the field.
    [[nodiscard]] static bool fits(QStringView text);
    void showLine(std::size_t number); // counted from 1

signals:
    void largePaste(const QString& text);
    void submitted(); // Ctrl+Return

protected:
    void insertFromMimeData(const QMimeData* source) override;
    void keyPressEvent(QKeyEvent* event) override;
};

} // namespace gufo::ui
