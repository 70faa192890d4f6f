// The part of MetadataPage that copies and exports.
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/pages/metadata/metadata_export.h"
#include "ui/pages/metadata/metadata_import.h"
#include "ui/pages/metadata/metadata_page.h"
#include "ui/shell/chosen_folder.h"
#include "ui/shell/chosen_models.h"

#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kMaxCopiedElements = 1'000'000;

} // namespace

void MetadataPage::showMenu(QPoint at) {
    QMenu menu(this);
    if (m_document != nullptr) {
        m_edits->addTo(menu);
        menu.addSeparator();
    }
    const bool value = m_keys->entry(m_view->indexAt(at)) != nullptr;
    QAction* copy = menu.addAction(tr("Copy &value"), this, &MetadataPage::copyValue);
    copy->setShortcut(QKeySequence(tr("Ctrl+Alt+V"))); // only displayed: the action itself belongs to the view
    copy->setEnabled(value);
    menu.addAction(tr("Copy &key"), this, [this] {
        QGuiApplication::clipboard()->setText(
            displayText(m_view->currentIndex().data(MetadataModel::PrefixRole).toByteArray().toStdString()));
        emit copied();
    });
    menu.addSeparator();
    menu.addAction(tr("Copy rows as &text"), this, [this] { copyRows(CopyFormat::Text); });
    menu.addAction(tr("Copy rows as TS&V"), this, [this] { copyRows(CopyFormat::Tsv); });
    menu.addAction(tr("Copy rows as &Markdown"), this, [this] { copyRows(CopyFormat::Markdown); });
    menu.exec(m_view->viewport()->mapToGlobal(at));
}

// Copies the exact value of the file off the UI thread, because it may be gigabytes.
void MetadataPage::copyValue() {
    const KeyValue* entry = m_keys->entry(m_view->currentIndex());
    if (entry == nullptr) {
        return;
    }
    Job* job = startJob<QByteArray>(
        this,
        [model = m_model, value = entry->value](const JobContext&) {
            return Result<QByteArray>(verbatim(value, kMaxCopiedElements));
        },
        [this](Result<QByteArray> bytes) {
            auto* mime = new QMimeData; // the clipboard takes ownership
            const QString text = QString::fromUtf8(*bytes);
            const bool isText = text.toUtf8() == *bytes;
            mime->setText(isText ? text : displayText({bytes->data(), static_cast<std::size_t>(bytes->size())}));
            if (!isText) {
                mime->setData(QStringLiteral("application/octet-stream"), *bytes);
            }
            QGuiApplication::clipboard()->setMimeData(mime);
            emit copied();
        });
    m_bar->watch(job, tr("Copying"));
}

void MetadataPage::copyRows(CopyFormat format) {
    QGuiApplication::clipboard()->setText(copyText(format));
    emit copied();
}

void MetadataPage::exportJson() {
    if (!m_model) {
        return;
    }
    const QString stem = displayText(m_model->path().stem().native());
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export metadata"), beginIn(FolderFor::Exports, stem + QStringLiteral(".metadata.json")),
        tr("JSON (*.json)"));
    rememberChosen(FolderFor::Exports, path);
    if (path.isEmpty()) {
        return;
    }
    m_message->clear();
    Job* job = startJob<void>(
        this, [model = m_model, path](const JobContext& context) { return exportMetadataJson(*model, path, context); },
        [this, path](const Result<void>& written) {
            m_message->setText(written ? tr("Written to %1").arg(QFileInfo(path).fileName())
                                       : errorLine(written.error()));
            m_message->setToolTip(m_message->text());
            emit exported(written ? path : QString());
        });
    m_bar->watch(job, tr("Exporting"));
}

void MetadataPage::importKeys() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Import keys from a file"), beginIn(FolderFor::Imports),
                                     tr("Metadata and models (*.json %1);;All files (*)").arg(modelPatterns()));
    rememberChosen(FolderFor::Imports, path);
    if (!path.isEmpty()) {
        importFile(QFile::encodeName(path).toStdString());
    }
}

void MetadataPage::importFile(const std::filesystem::path& path) {
    m_message->clear();
    m_edits->import(displayText(path.filename().native()), MetadataEdits::Ask::Always,
                    [path](const JobContext& job) { return readKeys(path, job); });
}

} // namespace gufo::ui
