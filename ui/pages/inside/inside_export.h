// The button that exports what the page Inside shows: the array of the view for other programs, and pictures.
#pragma once

#include "ui/pages/inside/inside_look.h"
#include "ui/plots/picture_menu.h"
#include "ui/report/inside_report.h"

#include <QMenu>
#include <QPushButton>

#include <filesystem>
#include <functional>
#include <vector>

namespace gufo::ui {

class InsideExport : public QPushButton {
    Q_OBJECT

public:
    // What is shown when something is exported.
    struct Shown {
        InsideLook look; // nothing: there is nothing to export yet
        InsideSide side = InsideSide::A;
        InsideView view = InsideView::Attention;
    };

    explicit InsideExport(std::function<Shown()> shown, QWidget* parent = nullptr);

    // A picture of a plot, in a menu that is there while the plot is shown.
    void addPicture(QCustomPlot& plot, const QString& name, const QString& fileName, std::function<bool()> isShown,
                    std::function<PictureFrame()> frame);
    void exportTo(const std::filesystem::path& path, bool csv); // emits exported() at the end
    void setPossible(bool possible);

signals:
    void message(const QString& text, bool isError);
    void exported();

private:
    void askWhere(bool csv);

    struct Picture {
        PictureMenu* menu;
        std::function<bool()> isShown;
    };
    std::function<Shown()> m_shown;
    QMenu m_menu;
    std::vector<Picture> m_pictures;
};

} // namespace gufo::ui
