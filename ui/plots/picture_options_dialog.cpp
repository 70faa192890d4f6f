#include "ui/plots/picture_options_dialog.h"

#include "ui/widgets/number_box.h"

#include <QDialogButtonBox>
#include <QFormLayout>

namespace gufo::ui {
namespace {

constexpr QSize kProposedSize(1200, 800);

} // namespace

PictureOptionsDialog::PictureOptionsDialog(QWidget* parent)
    : QDialog(parent)
    , m_asShown(new QCheckBox(tr("As large as in the window")))
    , m_width(new CountBox)
    , m_height(new CountBox)
    , m_scale(new CountBox)
    , m_theme(new QComboBox) {
    m_theme->setObjectName(QStringLiteral("themeField"));
    m_scale->setObjectName(QStringLiteral("scaleField"));
    m_height->setObjectName(QStringLiteral("heightField"));
    m_width->setObjectName(QStringLiteral("widthField"));
    m_asShown->setObjectName(QStringLiteral("asShownBox"));
    setWindowTitle(tr("Picture Options"));
    const PictureOptions options = pictureOptions();
    const QSize size = options.size.isEmpty() ? kProposedSize : options.size;
    for (const auto& [field, value] : {std::pair(m_width, size.width()), std::pair(m_height, size.height())}) {
        field->setRange(PictureOptions::kMinimum, PictureOptions::kMaximum);
        field->setValue(value);
        field->setSuffix(tr(" px"));
    }
    m_scale->setRange(1, PictureOptions::kMaxScale);
    m_scale->setValue(options.scale);
    m_scale->setToolTip(tr("Pixels of a PNG picture for each pixel of its size. SVG and PDF have no pixels."));
    m_theme->addItems({tr("As in the window"), tr("Light"), tr("Dark")});
    m_theme->setCurrentIndex(static_cast<int>(options.theme));
    auto* form = new QFormLayout(this);
    form->addRow(m_asShown);
    form->addRow(tr("&Width"), m_width);
    form->addRow(tr("&Height"), m_height);
    form->addRow(tr("PNG &resolution"), m_scale);
    form->addRow(tr("&Colours"), m_theme);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_asShown, &QCheckBox::toggled, m_width, &QWidget::setDisabled);
    connect(m_asShown, &QCheckBox::toggled, m_height, &QWidget::setDisabled);
    m_asShown->setChecked(options.size.isEmpty());
}

PictureOptions PictureOptionsDialog::options() const {
    return {.size = m_asShown->isChecked() ? QSize() : QSize(m_width->value(), m_height->value()),
            .scale = m_scale->value(),
            .theme = static_cast<PictureTheme>(m_theme->currentIndex())};
}

void PictureOptionsDialog::openFor(QWidget& widget) {
    auto* dialog = new PictureOptionsDialog(widget.window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, dialog, [dialog] { savePictureOptions(dialog->options()); });
    dialog->open();
}

} // namespace gufo::ui

#include "moc_picture_options_dialog.cpp"
