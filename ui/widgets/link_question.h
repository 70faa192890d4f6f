// Asks before a page of the web is opened whose address a model's file or a model's answer names. Nothing else of the
// program opens such an address.
//
// The address is shown whole and in the form in which the browser gets it: characters outside of ASCII, and those that
// turn the direction of writing or are not seen, are percent-encoded, and the host is in the form that is looked up.
#pragma once

#include <QDialog>
#include <QUrl>

#include <optional>

class QPlainTextEdit;
class QPushButton;

namespace gufo::ui {

// The address if it may be opened: http or https, with a host, of a length that browsers take.
[[nodiscard]] std::optional<QUrl> webAddress(const QString& text);
[[nodiscard]] QString addressText(const QUrl& url);
// Of any address, also one that may not be opened; what is too long is cut.
[[nodiscard]] QString shownAddress(const QString& address);

class LinkQuestion : public QDialog {
    Q_OBJECT

public:
    // Shows the question and returns; it deletes itself. `origin` is a sentence that says who wrote the address. One
    // that may not be opened is shown without a way to open it.
    static void ask(QWidget* parent, const QString& address, const QString& origin);

    [[nodiscard]] QString addressShown() const;
    [[nodiscard]] QPushButton* openButton() const { return m_open; } // null if it may not be opened

private:
    LinkQuestion(QWidget* parent, const QString& address, const QString& origin);

    QPlainTextEdit* m_address;
    QPushButton* m_open = nullptr;
};

} // namespace gufo::ui
