#include "ui/mainwindow/model_tools.h"

#include "base/output_file.h"
#include "ui/convert/convert_dialog.h"
#include "ui/hub/origin_check_dialog.h"
#include "ui/jobs/job.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/opener.h"
#include "ui/mainwindow/start/recent_files.h"
#include "ui/mainwindow/status_strip.h"
#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/mainwindow/tabs/window_tabs.h"
#include "ui/messages/error_text.h"
#include "ui/pages/overview/publish_dialog.h"
#include "ui/quantize/quantize_dialog.h"
#include "ui/saving/tab_editing.h"
#include "ui/tools/apply_dialog.h"
#include "ui/tools/copy_report.h"
#include "ui/tools/imatrix_dialog.h"
#include "ui/tools/merge_set_dialog.h"
#include "ui/tools/pairing_dialog.h"
#include "ui/tools/perplexity_dialog.h"
#include "ui/tools/size_dialog.h"
#include "ui/tools/split_dialog.h"
#include "ui/tools/surgery_dialog.h"

#include <QPointer>

namespace gufo::ui {
namespace {

// Null if there is no tab or its model is on a server.
const std::filesystem::path* fileOf(const ModelTab* tab) { return tab != nullptr ? tab->place().localPath() : nullptr; }

// Closes a dialog with the document that it shows, which ends with its tab and when the file is read again.
void closeWith(const ModelTab* tab, QDialog* dialog) {
    QObject::connect(tab, &QObject::destroyed, dialog, &QDialog::close);
    QObject::connect(tab->document(), &QObject::destroyed, dialog, &QDialog::close);
}

} // namespace

ModelTools::ModelTools(MainWindow* window, WindowTabs* tabs, StatusStrip* status, Opener* opener, RecentFiles* recent)
    : QObject(window)
    , m_window(window)
    , m_tabs(tabs)
    , m_status(status)
    , m_opener(opener)
    , m_recent(recent) {}

ModelTab* ModelTools::editedTab() const {
    ModelTab* tab = m_window->currentModelTab();
    return tab != nullptr && tab->document() != nullptr ? tab : nullptr;
}

std::shared_ptr<const Model> ModelTools::model() const { return m_window->currentModelTab()->model(); }

void ModelTools::review(ModelTab* tab) {
    m_tabs->show(tab);
    if (tab->editing() != nullptr) {
        tab->editing()->review();
    }
}

void ModelTools::compare(const std::filesystem::path& original, const std::filesystem::path& written) {
    m_opener->openComparison({original, written});
}

void ModelTools::say(const QString& text) { m_status->say(text); }

void ModelTools::download() {
    if (const ModelTab* tab = m_window->currentModelTab()) {
        m_opener->download(tab->place(), std::nullopt);
    }
}

void ModelTools::verifyAgainstOriginal() {
    ModelTab* tab = editedTab();
    if (fileOf(tab) == nullptr) {
        return;
    }
    auto* dialog = new OriginCheckDialog(*fileOf(tab), tab->document(), m_window);
    connect(dialog, &OriginCheckDialog::reviewRequested, tab, [this, tab] { review(tab); });
    connect(tab, &QObject::destroyed, dialog, &QDialog::close); // there is nothing left to compare or to change
    dialog->show();
}

void ModelTools::surgery() {
    ModelTab* tab = editedTab();
    if (tab == nullptr) {
        return;
    }
    auto* dialog = new SurgeryDialog(tab->document(), m_window);
    connect(dialog, &SurgeryDialog::reviewRequested, tab, [this, tab] { review(tab); });
    closeWith(tab, dialog);
    dialog->show();
}

void ModelTools::auditTemplate() {
    if (ModelTab* tab = m_window->currentModelTab()) {
        tab->auditTemplate();
    }
}

void ModelTools::publish() {
    ModelTab* tab = editedTab();
    if (fileOf(tab) == nullptr) {
        return;
    }
    auto* dialog = new PublishDialog(*fileOf(tab), tab->document(), m_window);
    connect(dialog, &PublishDialog::reviewRequested, tab, [this, tab] { review(tab); });
    connect(dialog, &PublishDialog::placeRequested, tab, [this, tab](const Place& place) {
        m_tabs->show(tab);
        tab->goTo(place);
    });
    connect(dialog, &PublishDialog::renameRequested, tab,
            [this, tab](const std::filesystem::path& fileName) { rename(tab, fileName); });
    closeWith(tab, dialog);
    dialog->show();
}

void ModelTools::rename(ModelTab* tab, const std::filesystem::path& fileName) {
    const std::filesystem::path before = *fileOf(tab);
    const std::filesystem::path after = before.parent_path() / fileName;
    startJob<void>(
        this, [before, fileName](const JobContext&) { return renameFile(before, fileName); },
        [this, tab = QPointer(tab), before, after](const Result<>& renamed) {
            if (!renamed) {
                say(errorLine(renamed.error()));
                return;
            }
            m_recent->remove(before);
            m_opener->openPlaces({after});
            if (tab != nullptr) {
                m_tabs->closeNow(tab);
            }
        });
}

void ModelTools::copyReport() {
    if (const ModelTab* tab = m_window->currentModelTab(); tab != nullptr && tab->model() != nullptr) {
        say(MainWindow::tr("Checking …"));
        ui::copyReport(m_window, tab->model(), [this](const QString& text) { say(text); });
    }
}

void ModelTools::checkPairing() {
    std::vector<std::filesystem::path> open;
    for (const ModelTab* tab : m_window->modelTabs()) {
        if (const auto* file = fileOf(tab)) { // the current one first
            open.insert(tab == m_window->currentModelTab() ? open.begin() : open.end(), *file);
        }
    }
    (new PairingDialog(open, m_window))->show();
}

void ModelTools::quantise() {
    auto* dialog = new QuantizeDialog(model(), m_window);
    connect(dialog, &QuantizeDialog::compareRequested, this, &ModelTools::compare);
    dialog->show();
}

void ModelTools::quantiseForSize() {
    std::vector<std::filesystem::path> others;
    for (const ModelTab* tab : m_window->modelTabs()) {
        if (const auto* file = fileOf(tab); file != nullptr && tab != m_window->currentModelTab()) {
            others.push_back(*file);
        }
    }
    (new SizeDialog(model(), others, m_window))->show();
}

void ModelTools::convert() {
    const auto* file = fileOf(m_window->currentModelTab());
    if (file == nullptr) {
        return;
    }
    auto* dialog = new ConvertDialog(*file, m_window);
    connect(dialog, &ConvertDialog::compareRequested, this, &ModelTools::compare);
    dialog->show();
}

void ModelTools::split() { (new SplitDialog(model(), m_window))->show(); }

void ModelTools::mergeSet() { (new MergeSetDialog(model(), m_window))->show(); }

void ModelTools::mergeAdapters() { (new ApplyDialog(model(), m_window))->show(); }

void ModelTools::measureImportance() { (new ImatrixDialog(model(), m_window))->show(); }

void ModelTools::measurePerplexity() { (new PerplexityDialog(model(), m_window))->show(); }

} // namespace gufo::ui

#include "moc_model_tools.cpp"
