#include "ui/pages/template/rendering_view.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kGutterWidth = 72;
constexpr int kGutterMargin = 8;

} // namespace

class RenderingView::Gutter : public QWidget {
public:
    explicit Gutter(RenderingView* view)
        : QWidget(view)
        , m_view(view) {}

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        m_view->paintGutter(painter);
    }

private:
    RenderingView* m_view;
};

RenderingView::RenderingView(QWidget* parent)
    : TokenEdit(parent)
    , m_gutter(new Gutter(this)) {
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAccessibleName(tr("Rendering"));
    setWhitespaceShown(true);
    setViewportMargins(kGutterWidth, 0, 0, 0);
    connect(this, &QPlainTextEdit::updateRequest, m_gutter, qOverload<>(&QWidget::update));
    connect(&Theme::instance(), &Theme::changed, this, &RenderingView::restyle);
    restyle();
}

void RenderingView::restyle() {
    setFont(themeFont(TextStyle::Mono));
    m_gutter->update();
}

void RenderingView::setWhitespaceShown(bool shown) {
    QTextOption option = document()->defaultTextOption();
    option.setFlags(shown ? QTextOption::ShowTabsAndSpaces | QTextOption::ShowLineAndParagraphSeparators
                          : QTextOption::Flags());
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document()->setDefaultTextOption(option);
}

void RenderingView::setRendering(const text::Rendering& rendering, const QStringList& roles) {
    const QString text = rendering.text.value_or(QString()).left(kMaxShown);
    m_labels.clear();
    // A template may iterate over the messages several times; the last iteration writes them.
    for (auto start = rendering.starts.rbegin(); start != rendering.starts.rend(); ++start) {
        const auto position = static_cast<int>(std::min(start->offset, text.size()));
        const QString role = roles.value(start->message);
        const bool known =
            std::ranges::any_of(m_labels, [&](const Label& label) { return label.position == position; });
        if (!known && position < text.size() && !role.isEmpty()) {
            m_labels.push_back({position, role});
        }
        if (start->message == 0) {
            break;
        }
    }
    std::ranges::reverse(m_labels);
    if (text == toPlainText()) {
        m_gutter->update();
        return;
    }
    const int scroll = verticalScrollBar()->value();
    setPlainText(text);
    verticalScrollBar()->setValue(scroll);
}

QStringList RenderingView::shownRoles() const {
    QStringList roles;
    for (const Label& label : m_labels) {
        roles.append(label.role);
    }
    return roles;
}

void RenderingView::resizeEvent(QResizeEvent* event) {
    TokenEdit::resizeEvent(event);
    placeGutter();
}

void RenderingView::placeGutter() {
    const QRect contents = contentsRect();
    m_gutter->setGeometry(contents.left(), contents.top(), kGutterWidth, contents.height());
}

void RenderingView::paintGutter(QPainter& painter) {
    painter.fillRect(m_gutter->rect(), themeColor(Token::Base));
    painter.fillRect(kGutterWidth - 1, 0, 1, m_gutter->height(), themeColor(Token::Line));
    painter.setFont(themeFont(TextStyle::Axis));
    painter.setPen(themeColor(Token::Muted));
    int last = -1000;
    for (const Label& label : m_labels) {
        const QTextBlock block = document()->findBlock(label.position);
        const QTextLine line = block.layout()->lineForTextPosition(label.position - block.position());
        if (!line.isValid()) {
            continue;
        }
        const int top = static_cast<int>(blockBoundingGeometry(block).translated(contentOffset()).top() + line.y());
        // If several messages begin on one line, only the first is named.
        if (top > m_gutter->height() || top - last < static_cast<int>(line.height())) {
            continue;
        }
        last = top;
        const QRect area(kGutterMargin, top, kGutterWidth - 2 * kGutterMargin, static_cast<int>(line.height()));
        painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(label.role, Qt::ElideRight, area.width()));
    }
}

} // namespace gufo::ui

#include "moc_rendering_view.cpp"
