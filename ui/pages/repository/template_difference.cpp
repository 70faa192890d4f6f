#include "ui/pages/repository/template_difference.h"

#include "ui/messages/catalogue.h"
#include "ui/widgets/diff_view.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr QSize kSize(820, 560);

} // namespace

TemplateDifferenceDialog::TemplateDifferenceDialog(const QString& modelName, TemplateDifference difference,
                                                   QWidget* parent)
    : QDialog(parent)
    , m_summary(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_diff(new DiffView(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Chat template"));
    resize(kSize);
    QLabel* title =
        themedLabel(difference.isBaseModels ? tr("From the base model's template to that of %1").arg(modelName)
                                            : tr("From the template of most files to that of %1").arg(modelName),
                    TextStyle::Section, Token::Text, this);
    title->setTextFormat(Qt::PlainText); // names in repositories could contain HTML
    title->setWordWrap(true);
    m_diff->setFrameShape(QFrame::StyledPanel);
    m_diff->setAccessibleName(tr("Differences of the templates"));
    auto* closeButton = new QPushButton(tr("Close"), this);
    connect(closeButton, &QPushButton::clicked, this, &QDialog::close);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(closeButton);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(8);
    column->addWidget(title);
    column->addWidget(m_summary);
    column->addWidget(m_diff, 1);
    column->addLayout(buttons);
    startJob<FoldedDiff>(
        this,
        [difference = std::move(difference)](const JobContext& job) {
            constexpr std::size_t kContext = 3;
            return foldedDiff(difference.reference, difference.candidate, kContext, job);
        },
        [this](const Result<FoldedDiff>& diff) {
            m_diff->setDiff(*diff);
            m_summary->setText(tr("%n lines removed", nullptr, numerus(diff->removed)) + QStringLiteral(", ") +
                               tr("%n lines added", nullptr, numerus(diff->added)));
        });
}

QString TemplateDifferenceDialog::summary() const { return m_summary->text(); }

} // namespace gufo::ui

#include "moc_template_difference.cpp"
