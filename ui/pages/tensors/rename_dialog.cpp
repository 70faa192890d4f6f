#include "ui/pages/tensors/rename_dialog.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/job_dialog.h"
#include "ui/widgets/text_color.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kRenameRowHeight = 22;

} // namespace

RenameDialog::RenameDialog(std::shared_ptr<const Model> model, std::vector<TensorIndex> selected, QWidget* parent)
    : QDialog(parent)
    , m_model(std::move(model))
    , m_selected(std::move(selected))
    , m_pattern(new QLineEdit(this))
    , m_replacement(new QLineEdit(this))
    , m_scope(new QComboBox(this))
    , m_expression(new QCheckBox(tr("Regular &expression"), this))
    , m_summary(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_preview(new RenamingModel(m_model, this)) {
    setWindowTitle(tr("Rename tensors"));
    resizeOverWindow(*this, {780, 520});
    m_pattern->setFont(themeFont(TextStyle::Mono));
    m_pattern->setPlaceholderText(QStringLiteral("^model\\.layers\\.(\\d+)\\."));
    m_pattern->setAccessibleName(tr("Find"));
    m_replacement->setFont(themeFont(TextStyle::Mono));
    m_replacement->setPlaceholderText(QStringLiteral("blk.\\1."));
    m_replacement->setToolTip(tr("\\1 to \\9 stand for the groups of the expression"));
    m_replacement->setAccessibleName(tr("Replace with"));
    m_expression->setChecked(true);
    if (!m_selected.empty()) {
        m_scope->addItem(m_selected.size() == 1 ? tr("The selected tensor")
                                                : tr("The %n selected tensors", nullptr, numerus(m_selected.size())),
                         true);
    }
    m_scope->addItem(tr("All %n tensors", nullptr, numerus(m_model->tensors.size())), false);
    m_scope->setCurrentIndex(m_selected.size() > 1 ? 0 : m_scope->count() - 1);
    m_scope->setAccessibleName(tr("Which tensors"));
    auto* view = new QTableView(this);
    view->setModel(m_preview);
    view->setAccessibleName(tr("New names"));
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->setFont(themeFont(TextStyle::Table));
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setTabKeyNavigation(false);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(kRenameRowHeight);
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setStretchLastSection(true);
    view->setColumnWidth(RenamingModel::Before, 270);
    view->setColumnWidth(RenamingModel::After, 270);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_rename = buttons->addButton(tr("Rename"), QDialogButtonBox::AcceptRole);
    auto* form = new QFormLayout;
    form->addRow(tr("&Find"), m_pattern);
    form->addRow(QString(), m_expression);
    form->addRow(tr("&Replace with"), m_replacement);
    form->addRow(tr("&In"), m_scope);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(view, 1);
    layout->addWidget(m_summary);
    layout->addWidget(buttons);
    connect(m_pattern, &QLineEdit::textChanged, this, &RenameDialog::update);
    connect(m_replacement, &QLineEdit::textChanged, this, &RenameDialog::update);
    connect(m_expression, &QCheckBox::toggled, this, &RenameDialog::update);
    connect(m_scope, &QComboBox::currentIndexChanged, this, &RenameDialog::update);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    update();
}

void RenameDialog::update() {
    const bool plain = !m_expression->isChecked();
    const QRegularExpression expression(plain ? QRegularExpression::escape(m_pattern->text()) : m_pattern->text());
    std::vector<TensorRenaming> renamings;
    if (expression.isValid() && !m_pattern->text().isEmpty()) {
        std::vector<TensorIndex> tensors;
        if (m_scope->currentData().toBool()) {
            tensors = m_selected;
        } else {
            for (std::size_t i = 0; i < m_model->tensors.size(); ++i) {
                tensors.emplace_back(i);
            }
        }
        QString replacement = m_replacement->text();
        if (plain) {
            replacement.replace(u'\\', QStringLiteral("\\\\"));
        }
        renamings = renameTensors(*m_model, tensors, expression, replacement);
    }
    m_preview->setRenamings(std::move(renamings));
    const std::size_t conflicts = m_preview->conflicts();
    const auto count = static_cast<std::uint64_t>(m_preview->rowCount());
    m_rename->setEnabled(count != 0 && conflicts == 0);
    setTextColor(m_summary, expression.isValid() && conflicts == 0 ? Token::Muted : Token::ErrorText);
    m_summary->setText(
        !expression.isValid() ? tr("This is not a regular expression: %1.").arg(expression.errorString())
        : conflicts != 0
            ? tr("%1 of %n new names are not possible.", nullptr, numerus(count)).arg(formatCount(conflicts))
            : tr("%n tensors will be renamed.", nullptr, numerus(count)));
}

std::vector<Change> RenameDialog::changes() const { return changesOfRenaming(*m_model, m_preview->renamings()); }

} // namespace gufo::ui

#include "moc_rename_dialog.cpp"
