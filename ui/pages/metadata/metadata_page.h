// The metadata of a model: a tree or list on the left, the selected array or long text on the right. Edited in place.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/pages/metadata/metadata_bar.h"
#include "ui/pages/metadata/metadata_edits.h"
#include "ui/pages/metadata/metadata_view.h"
#include "ui/pages/metadata/models/metadata_model.h"
#include "ui/pages/metadata/value_pane.h"
#include "ui/shell/page.h"
#include "ui/widgets/empty_state.h"

#include <QSplitter>
#include <QStackedWidget>

namespace gufo {
struct TouchedParts;
}

namespace gufo::ui {

class ModelDocument;
class KeptWidth;

class MetadataPage : public Page {
    Q_OBJECT

public:
    explicit MetadataPage(QWidget* parent = nullptr);
    ~MetadataPage() override;

    [[nodiscard]] QString title() const override { return tr("Metadata"); }
    [[nodiscard]] QString iconName() const override { return QStringLiteral("metadata"); }
    [[nodiscard]] QString badge() const override;
    void setModel(std::shared_ptr<const Model> model) override;
    void setDocument(ModelDocument* document) override;
    bool goTo(const Place& place) override;
    void activate() override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] QString copyText(CopyFormat format) const override;
    // Previews what importing the keys of a file would change, and imports the keys that the user selects.
    void importFile(const std::filesystem::path& path);
    [[nodiscard]] QWidget* filterField() const override { return m_bar->filter(); }

    [[nodiscard]] MetadataView* view() const { return m_view; }
    [[nodiscard]] MetadataModel* keys() const { return m_keys; }
    [[nodiscard]] MetadataEdits* edits() const { return m_edits; }

signals:
    void listed();                      // the tree matches the filter
    void copied();                      // the requested text is on the clipboard
    void exported(const QString& path); // empty if it failed

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectBar();
    void connectView();
    void filter(); // applies the filter fields
    void list();
    void showTree(std::shared_ptr<const KeyTree> tree);
    void follow(const TouchedParts& touched);
    void followEditable();
    void loadVocabulary();
    void select(KvIndex kv);
    // Shows the value of the current row beside the tree. `asked` reopens a pane that the user has closed.
    void showDetail(bool asked);
    void showStatus();
    void showMenu(QPoint at);
    void copyValue();
    void showBytes();
    void copyRows(CopyFormat format);
    void exportJson();
    void importKeys();

    std::shared_ptr<const Model> m_model;
    MetadataBar* m_bar;
    QSplitter* m_splitter;
    KeptWidth* m_paneWidth;
    QStackedWidget* m_lists; // the tree, or an explanation why it is empty
    MetadataModel* m_keys;
    MetadataView* m_view;
    EmptyState* m_empty;
    MetadataEdits* m_edits;
    ValuePane* m_value;
    ModelDocument* m_document = nullptr; // null if the model cannot be edited
    LatestJob m_listing{this};
    LatestJob m_vocabularyJob{this};
    bool m_following = false;               // a new snapshot is being listed, not a new filter
    std::vector<std::string> m_touched;     // keys touched by the edits that are being listed
    std::optional<std::string> m_wantedKey; // to be selected once it is listed
    std::optional<Place> m_wanted;          // to be shown once the list is ready
    KeyQuery::SortBy m_sortBy = KeyQuery::SortBy::FileOrder;
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

} // namespace gufo::ui
