#include "ui/quantize/imatrix_field.h"

#include "ui/messages/figure_text.h"
#include "ui/shell/file_dialogs.h"
#include "ui/widgets/elided_label.h"

#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>

namespace gufo::ui {

ImatrixField::ImatrixField(QWidget* parent)
    : QWidget(parent)
    , m_name(new ElidedLabel(TextStyle::Body, Token::Muted, Qt::ElideMiddle, this))
    , m_choose(new QPushButton(tr("Choose…")))
    , m_clear(new QPushButton(tr("None"))) {
    m_choose->setAccessibleName(tr("Choose an importance matrix"));
    m_choose->setToolTip(
        tr("A file that llama-imatrix wrote for this model: GGUF or .dat. It reduces errors where they matter most."));
    m_clear->setAccessibleName(tr("No importance matrix"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_name, 1);
    layout->addWidget(m_choose);
    layout->addWidget(m_clear);
    connect(m_choose, &QPushButton::clicked, this, &ImatrixField::choose);
    connect(m_clear, &QPushButton::clicked, this, [this] {
        m_job.cancel();
        set(nullptr);
        emit changed();
    });
    show();
}

void ImatrixField::set(std::shared_ptr<const Imatrix> imatrix) {
    m_imatrix = std::move(imatrix);
    show();
}

void ImatrixField::show() {
    if (m_imatrix == nullptr) {
        m_name->setText(tr("none"));
    } else {
        const QString name = displayText(m_imatrix->path().filename().native());
        m_name->setText(tr("%1, %n tensors", nullptr, static_cast<int>(m_imatrix->entries())).arg(name));
    }
    setToolTip(m_imatrix == nullptr ? QString() : plainToolTip(displayPath(m_imatrix->path())));
    m_clear->setEnabled(m_imatrix != nullptr);
}

void ImatrixField::choose() {
    auto* dialog = new QFileDialog(window(), tr("Choose an importance matrix"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    dialog->setNameFilters({tr("Importance matrices (*.gguf *.dat *.imatrix)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { load(std::filesystem::path(QFile::encodeName(file).toStdString())); });
    dialog->open();
}

void ImatrixField::load(const std::filesystem::path& path) {
    m_job.start<std::shared_ptr<const Imatrix>>(
        [path](const JobContext& context) { return Imatrix::open(path, context); },
        [this](Result<std::shared_ptr<const Imatrix>> result) {
            if (!result) {
                emit failed(result.error());
                return;
            }
            set(std::move(*result));
            emit changed();
        });
}

} // namespace gufo::ui

#include "moc_imatrix_field.cpp"
