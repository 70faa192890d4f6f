// The tab of one model: a sidebar with its pages, or its progress or error while there is no model.
#pragma once

#include "hub/model_place.h"
#include "model/model.h"
#include "ui/document/model_document.h"
#include "ui/jobs/latest_job.h"
#include "ui/saving/saver.h"
#include "ui/shell/file_watch.h"
#include "ui/shell/window_tab.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QStackedWidget>

#include <functional>

namespace gufo::ui {

class ChangeBar;
class ArrivingHeader;
class BytesPage;
class ErrorView;
class FetchingView;
class NoticeBar;
class OpeningView;
class ServerStrip;
class TabEditing;
class WaitingView;

class ModelTab : public WindowTab {
    Q_OBJECT

public:
    // Opening starts at once, but a restored tab of a model on a server waits until the user asks for it. `state` is
    // the result of an earlier saveState(); empty for a new tab.
    explicit ModelTab(hub::ModelPlace place, const QJsonObject& state = {}, QWidget* parent = nullptr);
    ~ModelTab() override;

    [[nodiscard]] const hub::ModelPlace& place() const { return m_place; }
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString description() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("file"); }
    // The model as edited; null until it has been read.
    [[nodiscard]] std::shared_ptr<const Model> model() const {
        return m_document != nullptr ? m_document->current() : nullptr;
    }
    [[nodiscard]] ModelDocument* document() const { return m_document; } // null until the model has been read
    [[nodiscard]] TabEditing* editing() const { return m_editing; }      // null until the model has been read
    // Whether there are unsaved changes that have not been discarded.
    [[nodiscard]] bool isModified() const;
    [[nodiscard]] bool isSaving() const;
    // `done` is called with whether the model was saved.
    void save(std::function<void(bool)> done = {});
    // Commits what was typed into the pages. Returns false if something cannot be committed; it has the focus and says
    // why.
    [[nodiscard]] bool commitTyped();
    [[nodiscard]] bool hasTyped() const;
    [[nodiscard]] QString typedProblem() const; // why it cannot be committed
    void discardTyped();
    void showTyped(); // goes back to what cannot be committed
    // Closing will not ask about the changes, and no draft is kept.
    void discardChanges();
    // Reads the file again and reapplies the changes.
    void keepChangesOnFile();
    // `isTaken` says whether a path is open in another tab; such files are never overwritten.
    void setTakenPaths(std::function<bool(const std::filesystem::path&)> isTaken) { m_isTaken = std::move(isTaken); }
    [[nodiscard]] bool isRemote() const { return !m_place.isLocal(); } // the model is on a server
    // Nothing has been sent to the server yet; reload() contacts it.
    [[nodiscard]] bool isWaiting() const;
    // Tells why a model on a server cannot be saved, and offers to download it.
    void explainSaving();
    void auditTemplate(); // shows it, too
    [[nodiscard]] bool hasFailed() const override;
    [[nodiscard]] QString errorText() const override;

    void reload() override; // asks first if there are unsaved changes
    void retire() override;
    void checkFiles() override;

    // The place of the model, the current page, and the state of each page.
    [[nodiscard]] QJsonObject saveState() const override;
    [[nodiscard]] static std::optional<hub::ModelPlace> placeOfState(const QJsonObject& state);

signals:
    void wanted(); // the tab must be shown, because something typed in it cannot be committed
    void compareRequested();
    void convertRequested();
    void downloadRequested();
    void edited(); // the document was edited, or its editability or modified state changed

protected:
    void showEvent(QShowEvent* event) override;
    // Dragging keys over another page's entry shows that page, so that they can be dropped there.
    void dragEnterEvent(QDragEnterEvent* event) override;

private:
    void makeRemoteStates();
    void open(MovedFile moved = MovedFile::Refuse);
    void fetch();
    void takeModel(OpenedModel opened);
    void tellRecovery(Recovery recovery);
    void openAgain();
    void makeDocument(std::shared_ptr<const Model> model);
    void stopReaders();
    void watch(std::vector<WatchedFile> files);
    void watchAgain();
    void fileChanged(const std::filesystem::path& file, FileChange change);
    void showChange(const std::filesystem::path& file, FileChange change);
    void takeSaved(const Saver::Saved& saved);
    void fail(const Error& error);
    void showBytesOfFile(quint64 offset); // that could not be opened
    void makePages();
    void prepare(Page& page);
    void dropModel();
    void deleteDyingDocuments();
    void chatWith(const QString& templateName, bool pictures);
    // Shows the conversation of the page Run on the page Inside, at one of its tokens or the last one.
    void lookInside(std::optional<std::size_t> token);
    void showPageStatus();

    hub::ModelPlace m_place;
    ModelDocument* m_document = nullptr;
    TabEditing* m_editing = nullptr; // edits the document
    bool m_discarded = false;
    std::function<bool(const std::filesystem::path&)> m_isTaken;
    LatestJob m_job{this};
    LatestJob m_readingAgain{this}; // after another program wrote into the file
    QElapsedTimer m_clock;
    qint64 m_openedMs = 0;
    FileWatch m_watch;
    std::vector<WatchedFile> m_watched;
    bool m_keepsDescription = true; // OpenedModel::keepsDescription
    QString m_openedText;           // how long opening took

    std::vector<ModelDocument*> m_dyingDocuments; // of dropped pages, deleted after them
    bool m_retired = false;
    QStackedWidget* m_states; // waiting, opening, error, or model
    OpeningView* m_opening;
    // Null unless the model is on a server.
    WaitingView* m_waiting = nullptr;
    FetchingView* m_fetching = nullptr;
    ErrorView* m_error;
    BytesPage* m_bytes = nullptr; // of a file that could not be opened; null unless the user asked for it
    ServerStrip* m_server;        // shown if the model is on a server
    NoticeBar* m_notice;          // changes of the file
    NoticeBar* m_draft;           // the draft of an earlier run
    NoticeBar* m_passing;         // notices that hide by themselves
    ChangeBar* m_bar;
};

} // namespace gufo::ui
