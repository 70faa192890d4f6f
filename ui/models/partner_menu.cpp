#include "ui/models/partner_menu.h"

#include "ui/document/model_document.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"

#include <QFileDialog>

namespace gufo::ui {
namespace {

QString withoutMnemonic(QString text) { return text.replace(u'&', QStringLiteral("&&")); }

} // namespace

PartnerMenu::PartnerMenu(QWidget* parent)
    : QMenu(parent) {
    connect(this, &QMenu::aboutToShow, this, &PartnerMenu::fill);
}

QString PartnerMenu::buttonText(const QString& name, const QFont& font) {
    constexpr int kLongestName = 24; // characters
    const QFontMetrics metrics(font);
    return withoutMnemonic(metrics.elidedText(name, Qt::ElideMiddle, metrics.averageCharWidth() * kLongestName));
}

void PartnerMenu::fill() {
    clear();
    if (m_stops) {
        addAction(tr("&Stop comparing"), this, &PartnerMenu::stopChosen);
        addSeparator();
    }
    const auto before = actions().size();
    for (const ModelDocument* document : openDocuments()) {
        const auto& other = document->current();
        if (other != nullptr && other != m_model && !other->files.empty() && fileKind(*other) == m_wanted) {
            addAction(withoutMnemonic(fileNameText(other->path())), this, [this, other] { emit modelChosen(other); });
        }
    }
    if (actions().size() != before) {
        addSeparator();
    }
    addAction(tr("&File…"), this, &PartnerMenu::askForFile);
}

void PartnerMenu::askForFile() {
    const bool isModel = m_wanted == FileKind::Model;
    auto* dialog = new QFileDialog(parentWidget() != nullptr ? parentWidget()->window() : nullptr,
                                   isModel ? tr("Choose a model") : tr("Choose an importance matrix"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    dialog->setNameFilters(
        {isModel ? openModelFilter() : tr("Importance matrices (*.gguf *.dat *.imatrix)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { emit fileChosen(fromQtPath(file)); });
    dialog->open();
}

} // namespace gufo::ui

#include "moc_partner_menu.cpp"
