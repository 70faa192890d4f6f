#include "ui/pages/template/problem_strip.h"

#include "ui/messages/template_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/marks.h"

#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>

namespace gufo::ui {
namespace {

constexpr int kHeight = 34;
constexpr int kMark = 16;
constexpr int kMargin = 12;

} // namespace

ProblemStrip::ProblemStrip(QWidget* parent)
    : QWidget(parent)
    , m_text(new ElidedLabel(TextStyle::Table, Token::Text, Qt::ElideRight, this))
    , m_fix(new QPushButton(this)) {
    setFixedHeight(kHeight);
    setAccessibleName(tr("Problems of the template"));
    m_fix->setProperty("small", true);
    m_fix->setFont(themeFont(TextStyle::Table));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kMargin + kMark + 8, 0, kMargin, 0);
    layout->setSpacing(8);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_fix);
    connect(m_fix, &QAbstractButton::clicked, this, &ProblemStrip::fixRequested);
    setProblems({});
}

void ProblemStrip::setProblems(const std::vector<text::TemplateProblem>& problems) {
    m_hasProblem = !problems.empty();
    m_fix->hide();
    if (!m_hasProblem) {
        m_text->setText({});
        setAccessibleDescription(tr("Nothing"));
        update();
        return;
    }
    const text::TemplateProblem& problem = problems.front();
    const QString text = templateProblemText(problem);
    m_text->setText(problem.line > 0 ? tr("Line %1, column %2: %3").arg(problem.line).arg(problem.column).arg(text)
                                     : text);
    setAccessibleDescription(m_text->text());
    if (const QString fix = templateProblemFix(problem); !fix.isEmpty()) {
        m_fix->setProperty("fix", fix);
        m_fix->setText(tr("Replace with %1").arg(fix));
        m_fix->show();
    }
    setCursor(problem.line > 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void ProblemStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), themeColor(Token::Base));
    painter.fillRect(0, 0, width(), 1, themeColor(Token::Line));
    if (m_hasProblem) {
        paintMark(painter, QRect(kMargin, (height() - kMark) / 2, kMark, kMark), Mark::Error);
    }
}

void ProblemStrip::mouseReleaseEvent(QMouseEvent* event) {
    if (m_hasProblem && event->button() == Qt::LeftButton) {
        emit placeRequested();
    }
}

} // namespace gufo::ui

#include "moc_problem_strip.cpp"
