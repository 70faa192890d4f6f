#include "ui/tools/file_field.h"

#include "ui/messages/figure_text.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/elided_label.h"

#include <QFileDialog>
#include <QHBoxLayout>

namespace gufo::ui {

FileField::FileField(const QString& what, QStringList filters, Needs needs, QWidget* parent)
    : QWidget(parent)
    , m_what(what)
    , m_filters(std::move(filters))
    , m_name(new ElidedLabel(TextStyle::Body, Token::Muted, Qt::ElideMiddle, this))
    , m_choose(new QPushButton(tr("Choose…"), this)) {
    m_choose->setAccessibleName(tr("Choose: %1").arg(what));
    m_choose->setAutoDefault(false);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_name, 1);
    row->addWidget(m_choose);
    if (needs == Needs::FileOrNothing) {
        m_clear = new QPushButton(tr("None"), this);
        m_clear->setAccessibleName(tr("None: %1").arg(what));
        m_clear->setAutoDefault(false);
        row->addWidget(m_clear);
        connect(m_clear, &QPushButton::clicked, this, [this] { setPath({}); });
    }
    setFocusProxy(m_choose);
    connect(m_choose, &QPushButton::clicked, this, &FileField::choose);
    setPath({});
}

void FileField::setPath(const std::filesystem::path& path) {
    m_path = path;
    m_name->setText(!path.empty() ? fileNameText(path) : m_clear != nullptr ? tr("none") : tr("not chosen yet"));
    setToolTip(path.empty() ? QString() : plainToolTip(displayPath(path)));
    if (m_clear != nullptr) {
        m_clear->setEnabled(!path.empty());
    }
    emit changed();
}

void FileField::choose() {
    auto* dialog = new QFileDialog(window(), tr("Choose: %1").arg(m_what));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    dialog->setNameFilters(m_filters);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { setPath(fromQtPath(file)); });
    dialog->open();
}

QStringList textFilters() { return {FileField::tr("Texts (*.txt *.md *.raw *.text)"), FileField::tr("All files (*)")}; }

} // namespace gufo::ui

#include "moc_file_field.cpp"
