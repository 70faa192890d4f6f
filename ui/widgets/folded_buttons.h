// Rarely used buttons of a strip, which move into a menu while the strip is too narrow for all of them. Words of other
// languages are up to twice as long as English ones, so no strip is wide enough for each language.
#pragma once

#include <QObject>

#include <vector>

class QAbstractButton;
class QHBoxLayout;
class QToolButton;

namespace gufo::ui {

class FoldedButtons : public QObject {
    Q_OBJECT

public:
    // `buttons` are in the layout of the strip, which is horizontal. They fold in this order. The menu belongs to
    // `more`, where they precede the entries that it has, or to a button of its own at the end of the strip, which is
    // shown while something is folded. A page may still show, hide and enable each button.
    FoldedButtons(QWidget* strip, const std::vector<QAbstractButton*>& buttons, QToolButton* more = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Button {
        QAbstractButton* button = nullptr;
        QWidget* holder = nullptr; // is hidden while the button is folded, which itself is shown and hidden by its page
        bool folded = false;
    };
    void arrange();
    void fillMenu();

    QWidget* m_strip;
    QHBoxLayout* m_row;
    std::vector<Button> m_buttons;
    QToolButton* m_more;
    bool m_ownsMore;
};

} // namespace gufo::ui
