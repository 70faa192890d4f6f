#include "ui/pages/inside/inside_export.h"

#include "ui/jobs/job.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/theme/theme.h"

namespace gufo::ui {
namespace {

std::shared_ptr<const inference::Inside> withMap(const InsideLook::Model& model) {
    auto whole = std::make_shared<inference::Inside>(*model.inside);
    if (model.map != nullptr) {
        whole->attention = *model.map;
    }
    return whole;
}

} // namespace

InsideExport::InsideExport(std::function<Shown()> shown, QWidget* parent)
    : QPushButton(tr("Export"), parent)
    , m_shown(std::move(shown)) {
    setIcon(themeIcon(QStringLiteral("export")));
    m_menu.addAction(tr("NumPy array…"), this, [this] { askWhere(false); });
    m_menu.addAction(tr("CSV…"), this, [this] { askWhere(true); });
    setMenu(&m_menu);
    connect(&m_menu, &QMenu::aboutToShow, this, [this] {
        for (const Picture& picture : m_pictures) {
            picture.menu->menu()->menuAction()->setVisible(picture.isShown());
        }
    });
}

void InsideExport::addPicture(QCustomPlot& plot, const QString& name, const QString& fileName,
                              std::function<bool()> isShown, std::function<PictureFrame()> frame) {
    auto* menu = new PictureMenu(plot);
    menu->button()->hide(); // its menu is a part of this one
    menu->menu()->setTitle(name);
    menu->setPlot(plot, fileName, std::move(frame));
    connect(menu, &PictureMenu::message, this, [this](const QString& text) { emit message(text, false); });
    m_menu.addMenu(menu->menu());
    m_pictures.push_back({menu, std::move(isShown)});
}

void InsideExport::setPossible(bool possible) {
    setEnabled(possible);
    setToolTip(possible ? QString() : tr("There is nothing to export yet"));
}

void InsideExport::askWhere(bool csv) {
    const std::string_view view = insideViewName(m_shown().view);
    const QString suffix = csv ? QStringLiteral(".csv") : QStringLiteral(".npy");
    const QString name = QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
    askExportPath(*this, tr("Export"), name + suffix,
                  {{csv ? tr("Comma-separated values (*.csv)") : tr("NumPy array (*.npy)"), suffix}}, 0,
                  [this, csv](const std::filesystem::path& path, std::size_t) { exportTo(path, csv); });
}

void InsideExport::exportTo(const std::filesystem::path& path, bool csv) {
    const Shown shown = m_shown();
    const InsideLook& look = shown.look;
    if (look.a.inside == nullptr) {
        return;
    }
    const bool two = look.isOfTwo() && shown.side != InsideSide::A;
    const bool differs = two && shown.side == InsideSide::Difference;
    const auto has = [&](const InsideLook::Model& model) {
        return shown.view == InsideView::Attention ? model.map != nullptr : hasView(*model.inside, shown.view);
    };
    const auto fits = [&] { // both have as many experts, for example
        return has(look.a) && has(look.b) &&
               (shown.view == InsideView::Attention ||
                hasView(InsidePair{.a = *look.a.inside, .b = *look.b.inside}, shown.view));
    };
    if (differs ? !fits() : !has(two ? look.b : look.a)) {
        emit message(tr("There is nothing to export in this view."), true);
        emit exported();
        return;
    }
    startJob<bool>(
        this,
        [look, two, differs, view = shown.view, path, csv](const JobContext&) -> Result<bool> {
            const auto first = withMap(two && !differs ? look.b : look.a);
            if (differs) {
                const auto second = withMap(look.b);
                const InsidePair pair{.a = *first, .b = *second};
                GUFO_TRY(csv ? writeInsideCsv(pair, view, path) : writeInsideNpy(pair, view, path));
            } else {
                GUFO_TRY(csv ? writeInsideCsv(*first, view, path) : writeInsideNpy(*first, view, path));
            }
            return true;
        },
        [this, path](const Result<bool>& written) {
            emit message(written
                             ? tr("Exported to %1.").arg(fileNameText(path))
                             : tr("%1 cannot be written: %2.").arg(fileNameText(path), errorReason(written.error())),
                         !written);
            emit exported();
        });
}

} // namespace gufo::ui

#include "moc_inside_export.cpp"
