// What a model tab shows while there is no model: that it is being opened, or why it could not be.
#pragma once

#include "base/error.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace gufo::ui {

// Stays blank for the first moments, so that what opens at once does not flicker.
class OpeningView : public QWidget {
    Q_OBJECT

public:
    explicit OpeningView(const QString& name, QWidget* parent = nullptr);
    void start();
    void setProgress(quint64 done, quint64 total);

signals:
    void cancelRequested();

private:
    QWidget* m_content;
    QProgressBar* m_bar;
};

class ErrorView : public QWidget {
    Q_OBJECT

public:
    explicit ErrorView(QWidget* parent = nullptr);
    void setError(const Error& error, const std::filesystem::path& path);
    [[nodiscard]] QPushButton* retryButton() const { return m_retry; }
    [[nodiscard]] QString text() const; // all of it, for copying

signals:
    void retryRequested();
    void closeRequested();

private:
    QLabel* m_title;
    QLabel* m_path;
    QLabel* m_reason;
    QLabel* m_place;
    QLabel* m_hint;
    QPushButton* m_retry;
};

} // namespace gufo::ui
