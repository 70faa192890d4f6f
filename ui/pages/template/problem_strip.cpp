#include "ui/pages/template/problem_strip.h"

#include "ui/messages/finding_text.h"
#include "ui/messages/template_text.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>

namespace gufo::ui {
namespace {

constexpr int kMark = 16;
constexpr int kMargin = 12;

} // namespace

ProblemStrip::ProblemStrip(QWidget* parent)
    : QWidget(parent)
    , m_text(new ElidedLabel(TextStyle::Table, Token::Text, Qt::ElideRight, this))
    , m_fix(new QPushButton(this)) {
    setFixedHeight(kProblemStripHeight);
    setAccessibleName(tr("Problems of the template"));
    m_fix->setProperty("small", true);
    m_fix->setFont(themeFont(TextStyle::Table));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kMargin + kMark + 8, 0, kMargin, 0);
    layout->setSpacing(8);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_fix);
    connect(m_fix, &QAbstractButton::clicked, this, &ProblemStrip::fixRequested);
    setProblems({}, {});
}

void ProblemStrip::setProblems(const std::vector<text::TemplateProblem>& problems,
                               const std::vector<TemplateRemark>& remarks) {
    m_fix->hide();
    m_fix->setToolTip({});
    bool hasPlace = false;
    if (!problems.empty()) {
        const text::TemplateProblem& problem = problems.front();
        const QString text = templateProblemText(problem);
        m_mark = Mark::Error;
        hasPlace = problem.line > 0;
        m_text->setText(hasPlace ? tr("Line %1, column %2: %3").arg(problem.line).arg(problem.column).arg(text) : text);
        if (const QString fix = templateProblemFix(problem); !fix.isEmpty()) {
            m_fix->setProperty("fix", fix);
            m_fix->setText(tr("Replace with %1").arg(fix));
            m_fix->show();
        }
    } else if (!remarks.empty()) {
        const TemplateRemark& remark = remarks.front();
        m_mark = markOf(remark.finding.severity());
        hasPlace = remark.end > remark.begin;
        m_text->setText(findingTitle(remark.finding) + QStringLiteral(": ") + findingMessage(remark.finding));
        m_fix->setVisible(!remark.fix.empty());
        m_fix->setText(fixLabel(remark.finding.code));
        m_fix->setToolTip(plainToolTip(fixConsequence(remark.finding.code)));
    } else {
        m_mark.reset();
        m_text->setText({});
    }
    setAccessibleDescription(m_mark ? m_text->text() : tr("Nothing"));
    setCursor(hasPlace ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void ProblemStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), themeColor(Token::Base));
    painter.fillRect(0, 0, width(), 1, themeColor(Token::Line));
    if (m_mark) {
        paintMark(painter, QRect(kMargin, (height() - kMark) / 2, kMark, kMark), *m_mark);
    }
}

void ProblemStrip::mouseReleaseEvent(QMouseEvent* event) {
    if (m_mark && event->button() == Qt::LeftButton) {
        emit placeRequested();
    }
}

} // namespace gufo::ui

#include "moc_problem_strip.cpp"
