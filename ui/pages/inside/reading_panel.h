// What the model reads, at the left of the page Inside: a field for a text, the conversation of Run, the model that is
// compared, and the tokens that have been read. One of them is chosen.
#pragma once

#include "ui/pages/inside/inside_partner.h"
#include "ui/widgets/job_bar.h"

#include <QAbstractScrollArea>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

namespace gufo::ui {

// A text as its tokens, each shaded by a value: how strongly a head looks at it. One token is chosen; those after it
// are muted, because it cannot see them.
//
// A click chooses a token, and so do the arrow keys, Home and End.
class TokenText : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit TokenText(QWidget* parent = nullptr);

    // The texts of the tokens, in which line breaks are real ones. Chooses none.
    void setTokens(QStringList texts);
    void setCurrent(std::size_t token); // does not emit chosen()
    // Weights of the first tokens, which shade them relative to the largest; empty: no token is shaded. Differences of
    // weights shade them in two colours, by their sign.
    void setWeights(std::vector<float> weights, bool areDifferences = false);
    [[nodiscard]] const std::vector<float>& weights() const { return m_weights; }
    [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(m_texts.size()); }
    [[nodiscard]] std::optional<std::size_t> current() const { return m_current; }
    [[nodiscard]] QString textOf(std::size_t token) const { return m_texts.value(static_cast<qsizetype>(token)); }
    [[nodiscard]] std::optional<std::size_t> tokenAt(QPoint point) const; // of the viewport
    [[nodiscard]] QRect placeOf(std::size_t token) const;                 // in the viewport
    [[nodiscard]] QSize sizeHint() const override { return {240, 160}; }

signals:
    void chosen(std::size_t token);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void arrange();
    void choose(std::size_t token);
    // The token in the line above or below that is nearest to the current one.
    [[nodiscard]] std::size_t nextLine(int by) const;

    QStringList m_texts;
    std::vector<float> m_weights;
    float m_largest = 0; // magnitude
    bool m_areDifferences = false;
    std::vector<QRect> m_boxes; // by token, from the top of the content
    std::optional<std::size_t> m_current;
};

class ReadingPanel : public QWidget {
    Q_OBJECT

public:
    static constexpr qsizetype kMaxCharacters = 200'000; // of the field, whose layout would block the window

    explicit ReadingPanel(QWidget* parent = nullptr);

    [[nodiscard]] QPlainTextEdit* field() const { return m_field; }
    [[nodiscard]] QPushButton* readButton() const { return m_read; }
    [[nodiscard]] QPushButton* conversationButton() const { return m_conversation; }
    [[nodiscard]] InsidePartner* partner() const { return m_partner; }
    [[nodiscard]] TokenText* tokens() const { return m_tokens; }
    [[nodiscard]] JobBar* jobBar() const { return m_bar; }
    [[nodiscard]] QString message() const { return m_message->text(); }
    // A line beneath the tokens; empty: none.
    void say(const QString& text, bool isError);
    // Whether a text can be read, and whether the model is being evaluated.
    void setAble(bool isAble, bool isBusy);

signals:
    void readWanted();
    void conversationWanted();
    void textChanged();

private:
    QPlainTextEdit* m_field;
    QPushButton* m_read;
    QPushButton* m_conversation;
    InsidePartner* m_partner;
    TokenText* m_tokens;
    JobBar* m_bar;
    QLabel* m_message;
};

} // namespace gufo::ui
