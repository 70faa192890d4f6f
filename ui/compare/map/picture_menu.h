// The Export button of a picture or plot: PNG, SVG, PDF, copy, and its figures as text. Asks for a name and writes in
// a job.
#pragma once

#include "ui/plots/plot_export.h"

#include <QMenu>
#include <QPushButton>

namespace gufo::ui {

class PictureMenu : public QObject {
    Q_OBJECT

public:
    // Dialogs stand over the window of `owner`; the button is its child.
    explicit PictureMenu(QWidget& owner);

    // `stem` begins the names of files that are proposed.
    void setPicture(std::function<Picture()> picture, const QString& stem);
    // Also as the plot's context menu.
    void setPlot(QCustomPlot& plot, const QString& stem);
    void addText(const QString& title, const QString& suffix, const QString& filter, std::function<QString()> text);

    [[nodiscard]] QPushButton* button() const { return m_button; }
    [[nodiscard]] QMenu* menu() { return &m_menu; }
    void write(const std::filesystem::path& path, PlotFormat format);

signals:
    void message(const QString& text); // "Written: …", or what went wrong

private:
    void addFormats(const QString& stem);
    void ask(const QString& filter, const QString& fileName, std::function<void(const std::filesystem::path&)> then);
    [[nodiscard]] std::function<void(Result<>)> whenDone(const std::filesystem::path& path);

    QWidget& m_owner;
    QMenu m_menu;
    QPushButton* m_button;
    QString m_stem;
    std::function<Picture()> m_picture;
    QCustomPlot* m_plot = nullptr;
};

} // namespace gufo::ui
