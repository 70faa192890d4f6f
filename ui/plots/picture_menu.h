// The Export button of a picture or plot: PNG, SVG, PDF, copying, and its figures as text. It asks for a file name and
// writes in a job.
#pragma once

#include "ui/plots/plot_export.h"

#include <QMenu>
#include <QPushButton>

namespace gufo::ui {

class PictureMenu : public QObject {
    Q_OBJECT

public:
    // The button is a child of `owner`, and dialogs open over the owner's window.
    explicit PictureMenu(QWidget& owner);

    // The beginning of the suggested file names, if there is no picture.
    void setStem(const QString& stem) { m_stem = stem; }
    // `stem` as for setStem().
    void setPicture(std::function<Picture()> picture, const QString& stem);
    // Also adds the menu as the plot's context menu. `frame` is asked when a picture is made.
    void setPlot(QCustomPlot& plot, const QString& stem, std::function<PictureFrame()> frame);
    void addText(const QString& title, const QString& suffix, const QString& filter, std::function<QString()> text);

    [[nodiscard]] QPushButton* button() const { return m_button; }
    [[nodiscard]] QMenu* menu() { return &m_menu; }
    void write(const std::filesystem::path& path, PlotFormat format);

signals:
    void message(const QString& text); // "Written: …", or an error

private:
    void addFormats(const QString& stem);
    [[nodiscard]] std::function<void(Result<>)> whenDone(const std::filesystem::path& path);

    QWidget& m_owner;
    QMenu m_menu;
    QPushButton* m_button;
    QString m_stem;
    std::function<Picture()> m_picture;
    QCustomPlot* m_plot = nullptr;
    std::function<PictureFrame()> m_frame; // of m_plot
};

} // namespace gufo::ui
