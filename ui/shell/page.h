// The base class of the pages of a tab, which shows a model, a repository or a comparison.
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

    [[nodiscard]] virtual QString title() const = 0;           // shown in the sidebar, translated
    [[nodiscard]] virtual QString iconName() const = 0;        // name in resources/icons, for themeIcon()
    [[nodiscard]] virtual QString badge() const { return {}; } // a count shown to the right of the title
    [[nodiscard]] virtual bool badgeIsWarning() const { return false; }

    // Called once on the UI thread when the model has been read. It must be cheap: tables load their data lazily, and
    // long work runs in jobs.
    virtual void setModel(std::shared_ptr<const Model> model) = 0;

    // Called once before setModel(), if the model can be edited or its document can say why not. The document outlives
    // the page. The page must connect to ModelDocument::edited itself.
    virtual void setDocument(ModelDocument* document) { Q_UNUSED(document); }

    // Shows a place on this page. Returns false if the place is not on this page.
    virtual bool goTo(const Place& place) {
        Q_UNUSED(place);
        return false;
    }

    // Called when the page is shown in its tab. Pages start their jobs when they are first shown.
    virtual void activate() {}

    // Splitters, columns and filters. The state is kept per page in QSettings and restored before the model is set.
    // State that belongs to this model only (a filter's text, the selection) goes into a nested object "model", which
    // is restored with the session or after a reload, but not for another file.
    [[nodiscard]] virtual QJsonObject saveState() const { return {}; }
    virtual void restoreState(const QJsonObject& state) { Q_UNUSED(state); }

    // The text for Edit > Copy as text / TSV / Markdown: the selection, or everything shown. Empty if there is nothing.
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
