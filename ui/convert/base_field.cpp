#include "ui/convert/base_field.h"

#include "ui/messages/figure_text.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/elided_label.h"

#include <QFileDialog>
#include <QHBoxLayout>

namespace gufo::ui {

BaseField::BaseField(QWidget* parent)
    : QWidget(parent)
    , m_name(new ElidedLabel(TextStyle::Body, Token::Muted, Qt::ElideMiddle, this))
    , m_file(new QPushButton(tr("GGUF File…")))
    , m_folder(new QPushButton(tr("Folder…"))) {
    m_file->setAccessibleName(tr("Choose the base model: a GGUF file"));
    m_folder->setAccessibleName(tr("Choose the base model: a folder"));
    m_file->setToolTip(tr("The base model as GGUF. The shapes of the adapter are compared with its tensors."));
    m_folder->setToolTip(tr("A folder with the config.json of the base model. Its weights are not needed."));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_name, 1);
    for (QPushButton* button : {m_file, m_folder}) {
        button->setAutoDefault(false);
        layout->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, button] { choose(button == m_folder); });
    }
    setPath({});
}

void BaseField::setPath(const std::filesystem::path& path) {
    m_path = path;
    m_name->setText(path.empty() ? tr("as the adapter's folder says") : fileNameText(path));
    setToolTip(path.empty() ? QString() : plainToolTip(displayPath(path)));
}

void BaseField::choose(bool folder) {
    auto* dialog = new QFileDialog(window(), tr("Choose the base model"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    dialog->setOption(QFileDialog::ShowDirsOnly, folder);
    if (!folder) {
        dialog->setNameFilters({tr("GGUF models (*.gguf)"), tr("All files (*)")});
    }
    rememberFolder(*dialog, FolderFor::Imports);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        setPath(fromQtPath(file));
        emit changed();
    });
    dialog->open();
}

} // namespace gufo::ui

#include "moc_base_field.cpp"
