// Shows one long string beside the metadata tree, such as a chat template or a licence. If the model can be edited,
// typed text is passed to the document after a moment, or when the pane loses the focus.
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
    // Shows the value of a key. `whyNot` says why it cannot be edited; empty if it can.
    void setText(const std::string& key, std::string_view bytes, const QString& whyNot);
    // Updates the value of the same key, which may be unchanged.
    void follow(std::string_view bytes, const QString& whyNot);
    [[nodiscard]] const std::string& key() const { return m_key; }
    [[nodiscard]] TextView* view() const { return m_view; }
    bool commit(); // applies what was typed immediately; returns false if it is not valid

signals:
    void edited(const std::string& key, const std::string& bytes);
    void said(const QString& message); // why typed text is invalid and was discarded
    void copyRequested();
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Input;
    void showBytes(std::string_view bytes);
    [[nodiscard]] std::expected<std::string, QString> typed() const;

    QLabel* m_title;
    QLabel* m_subtitle;
    QLabel* m_note; // why it cannot be edited, a remark about escapes, or an error in them
    TextView* m_view;
    QTimer m_soon;
    Input* m_input;
    std::string m_key;
    std::string m_bytes; // the document's value, as far as it can be edited here
    QString m_whyNot;
    bool m_editable = false;
    bool m_escapes = false;
};

} // namespace gufo::ui
