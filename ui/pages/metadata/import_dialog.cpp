#include "ui/pages/metadata/import_dialog.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/job_dialog.h"
#include "ui/widgets/text_color.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kRowHeight = 24;

} // namespace

ImportDialog::ImportDialog(std::shared_ptr<const Model> model, std::vector<ImportRow> rows, const QString& from,
                           QWidget* parent)
    : QDialog(parent)
    , m_keys(new ImportModel(std::move(model), std::move(rows), this))
    , m_view(new QTableView(this)) {
    setWindowTitle(tr("Import keys"));
    resizeOverWindow(*this, {880, 480});
    m_view->setModel(m_keys);
    m_view->setAccessibleName(tr("Keys to import"));
    m_view->setShowGrid(false);
    m_view->setFont(themeFont(TextStyle::Table));
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setWordWrap(false);
    m_view->setTabKeyNavigation(false);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->setColumnWidth(ImportModel::Key, 290);
    m_view->setColumnWidth(ImportModel::Status, 80);
    m_view->setColumnWidth(ImportModel::Now, 240);
    auto* all = new QPushButton(tr("&All"), this);
    auto* none = new QPushButton(tr("&None"), this);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_take = buttons->addButton(QString(), QDialogButtonBox::AcceptRole);
    m_take->setDefault(true);
    auto* bottom = new QHBoxLayout;
    bottom->addWidget(all);
    bottom->addWidget(none);
    bottom->addWidget(buttons, 1);
    auto* layout = new QVBoxLayout(this);
    QLabel* summary = themedLabel(tr("From %1: %2 new, %3 with another value, %4 the same.")
                                      .arg(from, formatCount(m_keys->count(ImportRow::Status::New)),
                                           formatCount(m_keys->count(ImportRow::Status::Changed)),
                                           formatCount(m_keys->count(ImportRow::Status::Same))),
                                  TextStyle::Body, Token::Text, this);
    summary->setWordWrap(true);
    layout->addWidget(summary);
    layout->addWidget(m_view, 1);
    layout->addLayout(bottom);
    connect(all, &QPushButton::clicked, this, [this] { m_keys->takeAll(true); });
    connect(none, &QPushButton::clicked, this, [this] { m_keys->takeAll(false); });
    connect(m_keys, &QAbstractItemModel::dataChanged, this, &ImportDialog::count);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    count();
}

void ImportDialog::count() {
    const std::size_t taken = m_keys->taken();
    m_take->setText(tr("Import %n keys", nullptr, numerus(taken)));
    m_take->setEnabled(taken != 0);
}

} // namespace gufo::ui

#include "moc_import_dialog.cpp"
