#include "ui/hub/downloads_dialog.h"

#include "ui/shell/native_path.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/rows_table.h"

#include <QDesktopServices>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QUrl>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr QSize kListSize{860, 380};
constexpr int kListRowHeight = 26;

} // namespace

DownloadsDialog::DownloadsDialog(QWidget* parent)
    : QDialog(parent)
    , m_table(makeRowsTable(tr("Downloads"), &Downloads::instance(), kListRowHeight, this))
    , m_empty(new EmptyState(this))
    , m_act(new QPushButton(this))
    , m_folder(new QPushButton(tr("Open &Folder"), this))
    , m_stop(new QPushButton(tr("&Stop"), this))
    , m_remove(new QPushButton(tr("&Remove from List"), this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Downloads"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    QHeaderView* header = m_table->horizontalHeader();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setSectionResizeMode(Downloads::Name, QHeaderView::Stretch);
    header->setSectionResizeMode(Downloads::Host, QHeaderView::ResizeToContents);
    header->setSectionResizeMode(Downloads::Begun, QHeaderView::ResizeToContents);
    header->resizeSection(Downloads::State, 210);
    header->resizeSection(Downloads::Folder, 170);
    m_act->setProperty(kPrimaryProperty, true);
    auto* closeButton = new QPushButton(tr("Close"), this);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (QPushButton* button : {m_act, m_folder, m_stop, m_remove}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    closeButton->setAutoDefault(false);
    buttons->addStretch();
    buttons->addWidget(closeButton);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(12);
    m_empty->setTexts(tr("No downloads"),
                      tr("Models that you download from a server appear here, also after a restart."));
    column->addWidget(m_table, 1);
    column->addWidget(m_empty, 1);
    column->addLayout(buttons);
    resize(kListSize);

    Downloads& downloads = Downloads::instance();
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &DownloadsDialog::showActions);
    connect(&downloads, &Downloads::dataChanged, this, &DownloadsDialog::showActions);
    connect(&downloads, &Downloads::rowsRemoved, this, &DownloadsDialog::showActions);
    connect(&downloads, &Downloads::rowsInserted, this, &DownloadsDialog::showActions);
    connect(&downloads, &Downloads::modelReset, this, &DownloadsDialog::showActions);
    connect(m_table, &QTableView::activated, this, &DownloadsDialog::act);
    connect(m_act, &QPushButton::clicked, this, &DownloadsDialog::act);
    connect(m_folder, &QPushButton::clicked, this, [this] {
        QDesktopServices::openUrl(
            QUrl::fromEncoded("file://" + pathBytes(Downloads::instance().at(row()).folder).toPercentEncoding("/")));
    });
    connect(m_stop, &QPushButton::clicked, this, [this] {
        Downloads& list = Downloads::instance();
        emit list.stopRequested(list.at(row()).id);
    });
    connect(m_remove, &QPushButton::clicked, this, [this] { Downloads::instance().remove(row()); });
    connect(closeButton, &QPushButton::clicked, this, &QDialog::close);
    if (downloads.rowCount() > 0) {
        m_table->selectRow(0);
    }
    m_table->setFocus();
    showActions();
}

int DownloadsDialog::row() const {
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? current.row() : -1;
}

void DownloadsDialog::showActions() {
    const bool isEmpty = Downloads::instance().rowCount() == 0;
    m_table->setVisible(!isEmpty);
    m_empty->setVisible(isEmpty);
    const Download* download = row() >= 0 ? &Downloads::instance().at(row()) : nullptr;
    const bool runs = download != nullptr && download->state == DownloadState::Running;
    m_act->setText(download == nullptr || download->state == DownloadState::Complete ? tr("&Open")
                   : runs                                                            ? tr("S&how")
                                                                                     : tr("&Continue…"));
    m_act->setEnabled(download != nullptr);
    m_folder->setEnabled(download != nullptr);
    m_stop->setEnabled(runs);
    m_remove->setEnabled(download != nullptr && !runs);
    m_remove->setToolTip(tr("The files are kept"));
}

void DownloadsDialog::act() {
    if (row() < 0) {
        return;
    }
    const Download download = Downloads::instance().at(row());
    switch (download.state) {
    case DownloadState::Running:
        emit Downloads::instance().showRequested(download.id);
        return;
    case DownloadState::Complete:
        emit openRequested(download.file);
        return;
    case DownloadState::Stopped:
    case DownloadState::Failed:
        emit continueRequested(download.address, download.folder);
        return;
    }
}

} // namespace gufo::ui

#include "moc_downloads_dialog.cpp"
