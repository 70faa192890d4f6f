#include "ui/compare/map/picture_menu.h"

#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/chosen_folder.h"
#include "ui/shell/native_path.h"

#include <QFileDialog>

namespace gufo::ui {

PictureMenu::PictureMenu(QWidget& owner)
    : QObject(&owner)
    , m_owner(owner)
    , m_button(new QPushButton(&owner)) {
    m_button->setText(tr("Export"));
    m_button->setIcon(themeIcon(QStringLiteral("export")));
    m_button->setMenu(&m_menu);
}

void PictureMenu::setPicture(std::function<Picture()> picture, const QString& stem) {
    m_picture = std::move(picture);
    addFormats(stem);
}

void PictureMenu::setPlot(QCustomPlot& plot, const QString& stem) {
    m_plot = &plot;
    addFormats(stem);
    plot.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&plot, &QWidget::customContextMenuRequested, this,
            [this, &plot](QPoint at) { m_menu.popup(plot.mapToGlobal(at)); });
}

void PictureMenu::addFormats(const QString& stem) {
    m_stem = stem;
    for (const PlotFormatRow& row : plotFormats()) {
        connect(m_menu.addAction(plotFormatText(row.title)), &QAction::triggered, this, [this, row] {
            ask(plotFormatText(row.filter), m_stem + QLatin1String(row.suffix),
                [this, row](const std::filesystem::path& path) { write(path, row.format); });
        });
    }
    connect(m_menu.addAction(tr("&Copy as picture")), &QAction::triggered, this, [this] {
        if (m_plot != nullptr) {
            copyPlot(*m_plot);
        } else {
            copyPicture(m_picture());
        }
        emit message(tr("Copied"));
    });
}

void PictureMenu::addText(const QString& title, const QString& suffix, const QString& filter,
                          std::function<QString()> text) {
    connect(m_menu.addAction(title), &QAction::triggered, this, [this, suffix, filter, text = std::move(text)] {
        ask(filter, m_stem + suffix,
            [this, text](const std::filesystem::path& path) { exportText(this, text(), path, whenDone(path)); });
    });
}

void PictureMenu::write(const std::filesystem::path& path, PlotFormat format) {
    if (m_plot != nullptr) {
        exportPlot(this, *m_plot, path, format, whenDone(path));
    } else {
        exportPicture(this, m_picture(), path, format, whenDone(path));
    }
}

void PictureMenu::ask(const QString& filter, const QString& fileName,
                      std::function<void(const std::filesystem::path&)> then) {
    auto* dialog = new QFileDialog(m_owner.window(), tr("Export"), {}, filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    rememberFolder(*dialog, FolderFor::Exports);
    dialog->selectFile(QString(fileName).replace(u'/', u'_'));
    connect(dialog, &QFileDialog::fileSelected, this,
            [then = std::move(then)](const QString& file) { then(fromQtPath(file)); });
    dialog->open();
}

std::function<void(Result<>)> PictureMenu::whenDone(const std::filesystem::path& path) {
    return [this, path](const Result<>& result) {
        emit message(result ? tr("Written: %1").arg(displayPath(path)) : errorLine(result.error()));
    };
}

} // namespace gufo::ui

#include "moc_picture_menu.cpp"
