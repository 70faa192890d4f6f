#include "ui/plots/picture_menu.h"

#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/plots/picture_options_dialog.h"
#include "ui/shell/file_dialogs.h"

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

void PictureMenu::setPlot(QCustomPlot& plot, const QString& stem, std::function<PictureFrame()> frame) {
    m_plot = &plot;
    m_frame = std::move(frame);
    addFormats(stem);
    plot.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&plot, &QWidget::customContextMenuRequested, this,
            [this, &plot](QPoint at) { m_menu.popup(plot.mapToGlobal(at)); });
}

void PictureMenu::addFormats(const QString& stem) {
    m_stem = stem;
    for (std::size_t i = 0; i < plotFormats().size(); ++i) {
        connect(m_menu.addAction(plotFormatText(plotFormats()[i].title)), &QAction::triggered, this, [this, i] {
            std::vector<ExportKind> kinds;
            for (const PlotFormatRow& row : plotFormats()) {
                kinds.push_back({plotFormatText(row.filter), QLatin1String(row.suffix)});
            }
            askExportPath(m_owner, tr("Export"), m_stem + kinds[i].suffix, kinds, i,
                          [this](const std::filesystem::path& path, std::size_t kind) {
                              write(path, plotFormats()[kind].format);
                          });
        });
    }
    connect(m_menu.addAction(tr("&Copy as picture")), &QAction::triggered, this, [this] {
        if (m_plot != nullptr) {
            copyPlot(*m_plot, m_frame(), pictureOptions());
        } else {
            copyPicture(m_picture(), pictureOptions());
        }
        emit message(tr("Copied"));
    });
    connect(m_menu.addAction(tr("Picture &options…")), &QAction::triggered, this,
            [this] { PictureOptionsDialog::openFor(m_owner); });
}

void PictureMenu::addText(const QString& title, const QString& suffix, const QString& filter,
                          std::function<QString()> text) {
    connect(m_menu.addAction(title), &QAction::triggered, this, [this, suffix, filter, text = std::move(text)] {
        askExportPath(m_owner, tr("Export"), m_stem + suffix, {{filter, suffix}}, 0,
                      [this, text](const std::filesystem::path& path, std::size_t) {
                          exportText(this, text(), path, whenDone(path));
                      });
    });
}

void PictureMenu::write(const std::filesystem::path& path, PlotFormat format) {
    if (m_plot != nullptr) {
        exportPlot(this, *m_plot, m_frame(), pictureOptions(), path, format, whenDone(path));
    } else {
        exportPicture(this, m_picture(), pictureOptions(), path, format, whenDone(path));
    }
}

std::function<void(Result<>)> PictureMenu::whenDone(const std::filesystem::path& path) {
    return [this, path](const Result<>& result) {
        emit message(result ? tr("Written: %1").arg(displayPath(path)) : errorLine(result.error()));
    };
}

} // namespace gufo::ui

#include "moc_picture_menu.cpp"
