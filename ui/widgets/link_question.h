// Asks before opening a web address from a model's file or a model's answer. No other part of the program opens such an
// address.
//
// The address is shown in full and in the form in which the browser receives it: non-ASCII, invisible and
// direction-changing characters are percent-encoded, and the host is in its ASCII form.
#pragma once

#include <QDialog>
#include <QUrl>

#include <optional>

class QPushButton;

namespace gufo::ui {

// The address if it may be opened: http or https, with a host, and not longer than browsers accept.
[[nodiscard]] std::optional<QUrl> webAddress(const QString& text);
[[nodiscard]] QString addressText(const QUrl& url);
// Formats any address, also one that may not be opened. Long addresses are truncated.
[[nodiscard]] QString shownAddress(const QString& address);

class LinkQuestion : public QDialog {
    Q_OBJECT

public:
    // Shows the question without blocking; it deletes itself. `origin` is a sentence that says who wrote the address.
    // An address that may not be opened is shown without an open button.
    static void ask(QWidget* parent, const QString& address, const QString& origin);

    [[nodiscard]] QPushButton* openButton() const { return m_open; } // null if the address may not be opened

private:
    LinkQuestion(QWidget* parent, const QString& address, const QString& origin);

    QPushButton* m_open = nullptr;
};

} // namespace gufo::ui
