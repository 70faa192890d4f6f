#include "ui/widgets/filter_field.h"

#include "ui/theme/theme.h"

#include <QAction>
#include <QKeyEvent>

#include <utility>

namespace gufo::ui {
namespace {

constexpr int kDelayMs = 150;

// Leaves the keys for undoing and redoing to the page if nothing can be undone in the field, which would otherwise take
// them and do nothing.
class UndoFilter final : public QObject {
public:
    explicit UndoFilter(QLineEdit* field)
        : QObject(field)
        , m_field(field) {
        field->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched != m_field || event->type() != QEvent::ShortcutOverride) {
            return false;
        }
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isIdle = (key->matches(QKeySequence::Undo) && !m_field->isUndoAvailable()) ||
                            (key->matches(QKeySequence::Redo) && !m_field->isRedoAvailable());
        if (isIdle) {
            event->ignore();
        }
        return isIdle;
    }

private:
    QLineEdit* m_field;
};

// Says what the field is for in one word where the whole placeholder does not fit.
class PlaceholderFitter final : public QObject {
public:
    PlaceholderFitter(QLineEdit* field, QString brief)
        : QObject(field)
        , m_field(field)
        , m_whole(field->placeholderText())
        , m_brief(std::move(brief)) {
        field->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == m_field && (event->type() == QEvent::Resize || event->type() == QEvent::FontChange)) {
            const QMargins margins = m_field->textMargins();
            constexpr int kFrame = 12; // the frame, and the space that Qt leaves on both sides of the text
            const int room = m_field->width() - margins.left() - margins.right() - kFrame - kMagnifier;
            const bool fits = m_field->fontMetrics().horizontalAdvance(m_whole) <= room;
            m_field->setPlaceholderText(fits ? m_whole : m_brief);
        }
        return false;
    }

private:
    static constexpr int kMagnifier = 24;
    QLineEdit* m_field;
    QString m_whole;
    QString m_brief;
};

} // namespace

FilterField::FilterField(const QString& placeholder, QWidget* parent)
    : QLineEdit(parent) {
    setPlaceholderText(placeholder);
    setAccessibleName(placeholder);
    setClearButtonEnabled(true);
    QAction* magnifier = addAction(themeIcon(QStringLiteral("search"), Token::Muted), LeadingPosition);
    connect(&Theme::instance(), &Theme::changed, magnifier,
            [magnifier] { magnifier->setIcon(themeIcon(QStringLiteral("search"), Token::Muted)); });
    new UndoFilter(this);
    new PlaceholderFitter(this, tr("Filter"));
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &FilterField::announce);
    connect(this, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty()) {
            announce();
        } else {
            m_delay.start();
        }
    });
}

void FilterField::announce() {
    m_delay.stop();
    if (text() != m_announced) {
        m_announced = text();
        emit filterChanged(m_announced);
    }
}

void FilterField::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        if (!text().isEmpty()) {
            clear();
            return;
        }
        break;
    case Qt::Key_Down:
        emit leftDownwards();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        announce();
        emit leftDownwards();
        return;
    default:
        break;
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace gufo::ui

#include "moc_filter_field.cpp"
