// The editing actions of the metadata page: adding, deleting, renaming, moving and reverting keys, changing types,
// picking tokens, copying and pasting. Each is an action of the view with a shortcut. All changes go through the
// document and can be undone.
#pragma once

#include "ui/jobs/job.h"
#include "ui/pages/metadata/models/import_model.h"
#include "ui/vocabulary/token_arrays.h"

#include <QAction>

#include <functional>

class QMenu;
class QMimeData;
class QModelIndex;

namespace gufo::ui {

class JobBar;
class MetadataModel;
class MetadataView;
class ModelDocument;

class MetadataEdits : public QObject {
    Q_OBJECT

public:
    MetadataEdits(QWidget* page, MetadataView* view, MetadataModel* keys, JobBar* bar);
    void setDocument(ModelDocument* document);
    void setVocabulary(std::shared_ptr<const TokenArrays> vocabulary);
    // Whether rows are in file order, so that they can be moved.
    void setFileOrder(bool inFileOrder);
    // Call when the possible actions for the selection may have changed.
    void update();
    void addTo(QMenu& menu) const;
    [[nodiscard]] QAction* addAction() const { return m_add; }

    void changeType(const QModelIndex& index, ValueType type);
    void pickToken(const QModelIndex& index);
    void revert(const QModelIndex& index);
    void copyKeys();
    void pasteKeys();
    void take(const QMimeData* data); // imports keys of another model
    // Imports keys that a job reads. Previews the changes first, unless all keys are new and `ask` allows it.
    enum class Ask { Always, BeforeOverwriting };
    void import(const QString& from, Ask ask, std::function<Result<std::vector<ImportedKey>>(const JobContext&)> read);

signals:
    void keyWanted(const QByteArray& key);         // select this key: it was added or renamed
    void textPaneWanted(const QModelIndex& index); // edit this value in the text pane
    void said(const QString& message);             // a result, or why something was not done

private:
    QAction* action(const QString& text, const QString& shortcut, void (MetadataEdits::*slot)());
    [[nodiscard]] QModelIndex current() const;
    [[nodiscard]] bool editable() const;
    [[nodiscard]] std::vector<KvIndex> selected() const;
    void editCurrent();
    void addKey();
    void renameCurrent();
    void pickForCurrent();
    void moveUp() { move(-1); }
    void moveDown() { move(1); }
    void move(int by);
    void revertSelected();
    void deleteSelected();
    void loadFromFile();
    void convertInJob(const std::string& key, ValueType type);
    void offer(const QString& from, Ask ask, std::vector<ImportRow> rows);

    QWidget* m_page;
    MetadataView* m_view;
    MetadataModel* m_keys;
    JobBar* m_bar;
    ModelDocument* m_document = nullptr;
    std::shared_ptr<const TokenArrays> m_vocabulary;
    bool m_fileOrder = false;
    QAction* m_add;
    QAction* m_edit;
    QAction* m_rename;
    QAction* m_pick;
    QAction* m_up;
    QAction* m_down;
    QAction* m_load;
    QAction* m_revert;
    QAction* m_delete;
    QAction* m_paste;
};

} // namespace gufo::ui
