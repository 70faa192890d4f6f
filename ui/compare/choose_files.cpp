#include "ui/compare/choose_files.h"

#include "analysis/compare/match_tensors.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/native_path.h"
#include "ui/shell/settings.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/text_color.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {

ChooseFiles::ChooseFiles(Purpose purpose, QWidget* parent)
    : QDialog(parent) {
    const bool runs = purpose == Purpose::RunSideBySide;
    setWindowTitle(runs ? tr("Run models side by side") : tr("Compare models"));
    m_list = new QListWidget(this);
    m_list->setAccessibleName(runs ? tr("Models to run") : tr("Models to compare"));
    m_list->setMinimumSize(520, 220);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* add = new QPushButton(tr("Add files…"), this);
    auto* addFolder = new QPushButton(tr("Add folder…"), this);
    addFolder->setVisible(!runs); // a folder cannot be run
    addFolder->setToolTip(
        tr("A model in Hugging Face's layout. With one GGUF file, it is compared as the conversion would write it."));
    m_reference = new QComboBox(this);
    m_reference->setAccessibleName(tr("Reference"));
    m_hint = themedLabel({}, TextStyle::Table, Token::Muted, this);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_compare = buttons->addButton(runs ? tr("Run") : tr("Compare"), QDialogButtonBox::AcceptRole);
    m_compare->setProperty("primary", true);
    auto* row = new QHBoxLayout;
    row->addWidget(add);
    row->addWidget(addFolder);
    row->addStretch(1);
    row->addWidget(themedLabel(tr("Reference"), TextStyle::Table, Token::Muted, this));
    row->addWidget(m_reference);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 20, 20, 16);
    column->setSpacing(12);
    column->addWidget(themedLabel(
        runs
            ? tr("Two to %n models that generate text with the same tokens.", nullptr, numerus(kMaxCompared))
            : tr("Two to %n files of one model, quantised differently, or any others.", nullptr, numerus(kMaxCompared)),
        TextStyle::Body, Token::Text, this));
    column->addWidget(m_list, 1);
    column->addLayout(row);
    column->addWidget(m_hint);
    column->addWidget(buttons);
    connect(add, &QPushButton::clicked, this, &ChooseFiles::browse);
    connect(addFolder, &QPushButton::clicked, this, &ChooseFiles::browseFolder);
    connect(m_list, &QListWidget::itemChanged, this, &ChooseFiles::update);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        const auto files = checkedFiles();
        const int reference = m_reference->currentIndex();
        accept();
        emit chosen(files,
                    reference > 0 ? std::optional(files[static_cast<std::size_t>(reference) - 1]) : std::nullopt);
    });
    update();
}

void ChooseFiles::addFile(const hub::ModelPlace& place, bool checked) {
    if (std::ranges::find(m_files, place) != m_files.end()) {
        return;
    }
    m_files.push_back(place);
    auto* item = new QListWidgetItem(QStringLiteral("%1 — %2").arg(modelNameText(place), folderText(place)));
    item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
    item->setCheckState(checked ? Qt::Checked : Qt::Unchecked);
    item->setToolTip(plainToolTip(pathText(place)));
    m_list->addItem(item);
    update();
}

Places ChooseFiles::checkedFiles() const {
    Places files;
    for (int i = 0; i < m_list->count(); ++i) {
        if (m_list->item(i)->checkState() == Qt::Checked) {
            files.push_back(m_files[static_cast<std::size_t>(i)]);
        }
    }
    return files;
}

void ChooseFiles::update() {
    const auto files = checkedFiles();
    const QString before = m_reference->currentText();
    m_reference->clear();
    m_reference->addItem(tr("Most bits per weight"));
    for (const auto& file : files) {
        m_reference->addItem(modelNameText(file));
    }
    m_reference->setCurrentIndex(std::max(0, m_reference->findText(before)));
    m_compare->setEnabled(files.size() >= 2 && files.size() <= kMaxCompared);
    m_hint->setText(files.size() < 2 ? tr("Choose at least two models.")
                    : files.size() > kMaxCompared
                        ? tr("At most %n models can be compared.", nullptr, numerus(kMaxCompared))
                        : tr("%n models", nullptr, numerus(files.size())));
}

void ChooseFiles::browse() {
    QSettings settings;
    auto* dialog = new QFileDialog(this, tr("Models to compare"), settings.value(setting::kOpenFolder).toString(),
                                   openModelFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& names) {
        for (const QString& name : names) {
            addFile(fromQtPath(name), true);
        }
        if (!names.isEmpty()) {
            QSettings().setValue(setting::kOpenFolder, qtPath(fromQtPath(names.first()).parent_path()));
        }
    });
    dialog->open();
}

void ChooseFiles::browseFolder() {
    auto* dialog = new QFileDialog(this, tr("Folder of a model"), QSettings().value(setting::kOpenFolder).toString());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& name) {
        addFile(fromQtPath(name), true);
        QSettings().setValue(setting::kOpenFolder, qtPath(fromQtPath(name).parent_path()));
    });
    dialog->open();
}

} // namespace gufo::ui

#include "moc_choose_files.cpp"
