// Saves a document in jobs: plans the save, performs it, and opens the result. Has no user interface.
#pragma once

#include "formats/save/saving.h"
#include "ui/document/model_document.h"
#include "ui/jobs/latest_job.h"
#include "ui/shell/chosen_models.h"

#include <QTimer>

#include <chrono>
#include <functional>
#include <mutex>

namespace gufo::ui {

class Saver : public QObject {
    Q_OBJECT

public:
    // What to save. An empty path means in place.
    struct Request {
        std::filesystem::path path{};
        SaveOptions options{};
    };
    struct Saved {
        std::filesystem::path path; // the path of the model from now on
        SaveReport report;
        Result<OpenedModel> opened; // the model as saved
    };

    // The document must outlive this object.
    explicit Saver(ModelDocument* document, QObject* parent = nullptr);
    ~Saver() override;

    // Sets the options of plan() and of Save.
    void setOptions(const SaveOptions& options);
    [[nodiscard]] const SaveOptions& options() const { return m_options; }
    // What saving in place would do now. Empty while that is being computed, or if there are no changes. It is worked
    // out again from time to time while it depends on what other programs do.
    [[nodiscard]] const std::optional<Result<SavePlan>>& plan() const { return m_plan; }

    [[nodiscard]] bool isSaving() const { return m_saving; }
    // One save at a time. `done` is called on the UI thread, also after cancel(): with Cancelled, or with the result if
    // the save was already complete. Views of the old snapshots stay valid; readers of tensor data must stop at
    // aboutToSave().
    void save(const Request& request, std::function<void(Result<Saved>)> done);
    void cancel();

signals:
    void planned();
    void aboutToSave();
    void progressed(quint64 done, quint64 total);
    // The running save writes a file by a costlier strategy than planned; `file` says which, and why.
    void costsMore(const FilePlan& file);

private:
    // What a running save reports from its thread.
    struct Told {
        std::mutex mutex;
        std::optional<FilePlan> costsMore;
    };
    void makePlan();
    void schedulePlanning(std::chrono::steady_clock::duration planning);

    ModelDocument* m_document;
    SaveOptions m_options;
    std::optional<Result<SavePlan>> m_plan;
    QTimer m_planSoon;
    LatestJob m_planJob{this};
    std::stop_source m_stop; // of the save: a cancelled job would not report how it ended
    bool m_saving = false;
};

} // namespace gufo::ui
