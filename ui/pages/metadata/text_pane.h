// One long string beside the metadata tree: a chat template, a licence. Can be edited where the model can; what is
// typed goes to the document after a moment, or when the pane is left.
#pragma once

#include "ui/widgets/text_view.h"

#include <QLabel>
#include <QTimer>
#include <QWidget>

#include <expected>
#include <string>

namespace gufo::ui {

class TextPane : public QWidget {
    Q_OBJECT

public:
    explicit TextPane(QWidget* parent = nullptr);
    // Shows the value of a key. `whyNot` says why it cannot be edited; empty: it can.
    void setText(const std::string& key, std::string_view bytes, const QString& whyNot);
    // The same key has another value now, or still this one.
    void follow(std::string_view bytes, const QString& whyNot);
    [[nodiscard]] const std::string& key() const { return m_key; }
    [[nodiscard]] TextView* view() const { return m_view; }
    void commit(); // what was typed, now

signals:
    void edited(const std::string& key, const std::string& bytes);
    void said(const QString& message); // what was typed is no text, and is given up
    void copyRequested();
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showBytes(std::string_view bytes);
    [[nodiscard]] std::expected<std::string, QString> typed() const;

    QLabel* m_title;
    QLabel* m_subtitle;
    QLabel* m_note; // why it cannot be edited, that escapes are used, what is wrong with them
    TextView* m_view;
    QTimer m_soon;
    std::string m_key;
    std::string m_bytes; // of the document, as far as they are shown to be edited
    QString m_whyNot;
    bool m_editable = false;
    bool m_escapes = false;
};

} // namespace gufo::ui
