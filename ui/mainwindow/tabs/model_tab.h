// The tab of one model: a sidebar and its pages, or, while there is no model, what is being done or what went wrong.
#pragma once

#include "model/model.h"
#include "ui/document/model_document.h"
#include "ui/jobs/job.h"
#include "ui/saving/saver.h"
#include "ui/shell/file_watch.h"
#include "ui/shell/window_tab.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QStackedWidget>

#include <functional>

namespace gufo::ui {

class ChangeBar;
class ErrorView;
class NoticeBar;
class OpeningView;
class TabEditing;

class ModelTab : public WindowTab {
    Q_OBJECT

public:
    // `state` is what saveState() gave; empty for a fresh tab. Opening starts at once.
    explicit ModelTab(std::filesystem::path path, const QJsonObject& state = {}, QWidget* parent = nullptr);
    ~ModelTab() override;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString description() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("file"); }
    // As edited; null until read.
    [[nodiscard]] std::shared_ptr<const Model> model() const {
        return m_document != nullptr ? m_document->current() : nullptr;
    }
    [[nodiscard]] ModelDocument* document() const { return m_document; } // null until read
    [[nodiscard]] TabEditing* editing() const { return m_editing; }      // null until read
    [[nodiscard]] ChangeBar* changeBar() const { return m_bar; }
    // Unsaved changes that have not been given up.
    [[nodiscard]] bool isModified() const;
    [[nodiscard]] bool isSaving() const;
    // `done` says whether it was saved, when that is known.
    void save(std::function<void(bool)> done = {});
    // Closing will not ask, and no draft is kept.
    void discardChanges();
    // Reads the file again and puts the changes on top.
    void keepChangesOnFile();
    void setTakenPaths(std::function<bool(const std::filesystem::path&)> isTaken) { m_isTaken = std::move(isTaken); }
    [[nodiscard]] bool hasFailed() const override;
    [[nodiscard]] QString errorText() const override;

    void reload() override; // asks first where there are unsaved changes
    void retire() override;
    void checkFiles() override;

    // Path, page, and the state of each page.
    [[nodiscard]] QJsonObject saveState() const override;
    [[nodiscard]] static std::filesystem::path pathOfState(const QJsonObject& state);

signals:
    void edited(); // its document, or whether it can be, or whether it differs from the file

protected:
    void showEvent(QShowEvent* event) override;
    // Keys that are dragged over another page bring up the one that they can be dropped on.
    void dragEnterEvent(QDragEnterEvent* event) override;

private:
    void open();
    void takeModel(OpenedModel opened);
    void tellRecovery(gguf::Recovery recovery);
    void openAgain();
    void makeDocument(std::shared_ptr<const Model> model);
    void stopReaders();
    void watch(std::vector<WatchedFile> files);
    void watchAgain();
    void fileChanged(const std::filesystem::path& file, bool gone);
    void takeSaved(const Saver::Saved& saved);
    void fail(const Error& error);
    void makePages();
    void prepare(Page& page);
    void dropModel();
    void deleteDyingDocuments();
    void chatWith(const QString& templateName, bool pictures);
    void showPageStatus();

    std::filesystem::path m_path;
    ModelDocument* m_document = nullptr;
    TabEditing* m_editing = nullptr; // of the document
    bool m_discarded = false;
    std::function<bool(const std::filesystem::path&)> m_isTaken;
    QPointer<Job> m_job;
    QElapsedTimer m_clock;
    qint64 m_openedMs = 0;
    FileWatch m_watch;
    std::vector<WatchedFile> m_watched;
    QString m_openedText; // how long it took

    std::vector<ModelDocument*> m_dyingDocuments; // of dropped pages, deleted after them
    bool m_retired = false;
    QStackedWidget* m_states; // opening, error, model
    OpeningView* m_opening;
    ErrorView* m_error;
    NoticeBar* m_notice;  // what happened to the file
    NoticeBar* m_draft;   // what an earlier run left
    NoticeBar* m_passing; // what is said in passing
    ChangeBar* m_bar;
};

} // namespace gufo::ui
