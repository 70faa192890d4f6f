// Saves a document, as jobs: says what a save would do, does it, and opens what was written. Shows nothing.
#pragma once

#include "formats/gguf/save/save.h"
#include "ui/document/model_document.h"
#include "ui/jobs/job.h"
#include "ui/shell/model_files.h"

#include <QTimer>

#include <functional>

namespace gufo::ui {

class Saver : public QObject {
    Q_OBJECT

public:
    // What is asked for; without a path: in place.
    struct Request {
        std::filesystem::path path{};
        gguf::SaveOptions options{};
    };
    struct Saved {
        std::filesystem::path path; // of the model from now on
        gguf::SaveReport report;
        Result<OpenedModel> opened; // what is there now
    };

    // The document lives longer.
    explicit Saver(ModelDocument* document, QObject* parent = nullptr);
    ~Saver() override;

    // Options of plan(), and what Save takes.
    void setOptions(const gguf::SaveOptions& options);
    [[nodiscard]] const gguf::SaveOptions& options() const { return m_options; }
    // What saving in place would do now; nothing while that is being found out, or without changes.
    [[nodiscard]] const std::optional<Result<gguf::SavePlan>>& plan() const { return m_plan; }

    [[nodiscard]] bool isSaving() const { return m_saving; }
    // One at a time. `done` comes on the UI thread, also after cancel(): Cancelled, or the save was done already.
    // Views of the old snapshots stay valid; who reads tensor data is to stop at aboutToSave().
    void save(const Request& request, std::function<void(Result<Saved>)> done);
    void cancel();

signals:
    void planned();
    void aboutToSave();
    void progressed(quint64 done, quint64 total);

private:
    void makePlan();

    ModelDocument* m_document;
    gguf::SaveOptions m_options;
    std::optional<Result<gguf::SavePlan>> m_plan;
    QTimer m_planSoon;
    QPointer<Job> m_planJob;
    std::stop_source m_stop; // of the save: a job that is cancelled would not say how it ended
    bool m_saving = false;
};

} // namespace gufo::ui
