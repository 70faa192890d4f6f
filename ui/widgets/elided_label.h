// A line of text that is elided if it does not fit. Its tooltip shows the full text.
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

namespace gufo::ui {

// A tooltip that shows `text` literally, even if it looks like HTML.
[[nodiscard]] QString plainToolTip(const QString& text);

class ElidedLabel : public QWidget {
    Q_OBJECT

public:
    ElidedLabel(TextStyle style, Token token, Qt::TextElideMode mode, QWidget* parent = nullptr);
    void setText(const QString& text);
    [[nodiscard]] QString text() const { return m_text; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void updateToolTip();

    QString m_text;
    Token m_token;
    Qt::TextElideMode m_mode;
};

} // namespace gufo::ui
