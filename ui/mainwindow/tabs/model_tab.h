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
#include <map>

namespace gufo::ui {

class ChangeBar;
class ErrorView;
class NoticeBar;
class OpeningView;
class Sidebar;
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

    // Pages are made when the tab is first shown with a model, one in each turn of the event loop; ready says that all
    // are there.
    [[nodiscard]] bool isReady() const { return m_ready; }
    [[nodiscard]] const std::vector<Page*>& pages() const override { return m_pages; }
    [[nodiscard]] Page* currentPage() const override;
    void showPage(int index) override;
    bool goTo(const Place& place) override;

    void reload() override; // asks first where there are unsaved changes
    void retire() override;
    void checkFiles() override;
    void setCompactSidebar(bool compact) override;
    void setSidebarShown(bool shown) override;

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
    void makePage(std::size_t index);
    void showWantedPage();
    void dropPages();
    void deleteDying();
    void rememberPageStates();
    void pageShown(int index);
    void chatWith(const QString& templateName, bool pictures);
    void showPageStatus();

    std::filesystem::path m_path;
    ModelDocument* m_document = nullptr;
    TabEditing* m_editing = nullptr; // of the document
    bool m_discarded = false;
    std::function<bool(const std::filesystem::path&)> m_isTaken;
    QJsonObject m_pageStates; // by page id
    QString m_pageId;         // of the page shown, or to be shown
    QPointer<Job> m_job;
    QElapsedTimer m_clock;
    qint64 m_openedMs = 0;
    bool m_pagesBegun = false;
    bool m_ready = false;
    FileWatch m_watch;
    std::vector<WatchedFile> m_watched;
    QString m_openedText; // how long it took
    struct Status {
        QString left;
        QStringList right;
    };
    std::map<const Page*, Status> m_pageStatus; // the last that each page said

    std::vector<Page*> m_pages;
    std::vector<Page*> m_dying;                   // out of use, deleted one by one
    std::vector<ModelDocument*> m_dyingDocuments; // of those pages, after them
    bool m_retired = false;
    QStackedWidget* m_states; // opening, error, model
    OpeningView* m_opening;
    ErrorView* m_error;
    QWidget* m_body;
    NoticeBar* m_notice;  // what happened to the file
    NoticeBar* m_draft;   // what an earlier run left
    NoticeBar* m_passing; // what is said in passing
    Sidebar* m_sidebar;
    QStackedWidget* m_stack;
    ChangeBar* m_bar;
};

} // namespace gufo::ui
