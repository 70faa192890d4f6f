// The views of a model tab without a model: the model is being opened, or could not be.
#pragma once

#include "base/error.h"
#include "hub/model_place.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace gufo::ui {

// Stays blank at first, so that a model which opens quickly causes no flicker.
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
    void setError(const Error& error, const hub::ModelPlace& place);
    [[nodiscard]] QString text() const; // the full text, for copying

signals:
    void retryRequested();
    void recoveryRequested();            // of a copied file (isMovedCopy)
    void bytesRequested(quint64 offset); // of the file, where the error is
    void closeRequested();

private:
    QLabel* m_title;
    QLabel* m_path;
    QLabel* m_reason;
    QLabel* m_place;
    QLabel* m_hint;
    QPushButton* m_retry;
    QPushButton* m_recover; // in place of m_retry
    QPushButton* m_bytes;
    quint64 m_offset = 0; // of the error
};

} // namespace gufo::ui
