// What the pages of a model tab have in common. One folder under pages/ for each.
#pragma once

#include "base/place.h"
#include "model/model.h"
#include "ui/widgets/table_text.h"

#include <QIcon>
#include <QJsonObject>
#include <QWidget>

#include <memory>

namespace gufo::ui {

class ModelDocument;

class Page : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    [[nodiscard]] virtual QString title() const = 0;           // in the sidebar, translated
    [[nodiscard]] virtual QString iconName() const = 0;        // of resources/icons, for themeIcon()
    [[nodiscard]] virtual QString badge() const { return {}; } // right of the title: a count
    [[nodiscard]] virtual bool badgeIsWarning() const { return false; }

    // Called once, on the UI thread, when the model has been read. Costs little: tables fill themselves lazily, and
    // what takes long is a job.
    virtual void setModel(std::shared_ptr<const Model> model) = 0;

    // Called once, before setModel, where the model can be edited or its document can say why not; the document lives
    // longer than the page. The page follows ModelDocument::edited by itself.
    virtual void setDocument(ModelDocument* document) { Q_UNUSED(document); }

    // Shows a place on this page; false if the place is not on this page.
    virtual bool goTo(const Place& place) {
        Q_UNUSED(place);
        return false;
    }

    // Called when the page is shown or hidden in its tab: pages start their jobs when first shown.
    virtual void activate() {}

    // Splitters, columns, filters; kept per page in QSettings and restored before the model is set. What belongs to
    // this one model (a filter's text, the selection) goes into a nested object "model": it comes back with the session
    // or a reload, but not in another file's tab.
    [[nodiscard]] virtual QJsonObject saveState() const { return {}; }
    virtual void restoreState(const QJsonObject& state) { Q_UNUSED(state); }

    // What Edit > Copy as text / TSV / Markdown copies: the selection, or all that is shown. Empty if nothing.
    [[nodiscard]] virtual QString copyText(CopyFormat format) const {
        Q_UNUSED(format);
        return {};
    }

    // The widget that Ctrl+F focuses; null if the page has none.
    [[nodiscard]] virtual QWidget* filterField() const { return nullptr; }

signals:
    void badgeChanged();
    void statusChanged(const QString& left, const QStringList& right); // the status bar
    void placeRequested(const Place& place);                           // a link to something on another page
};

} // namespace gufo::ui
