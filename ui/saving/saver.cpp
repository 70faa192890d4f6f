#include "ui/saving/saver.h"

#include "formats/container/model_saving.h"

#include <algorithm>

namespace gufo::ui {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kPlanDelay = 200ms;
constexpr auto kPlanAgain = 5s;
constexpr int kShareOfTime = 50; // planning takes at most one second in this many

// Whether another program that opens or closes a file changes what saving would do.
bool dependsOnOthers(const SavePlan& plan) {
    return std::ranges::any_of(plan.files, [](const FilePlan& file) {
        return file.strategy == SaveStrategy::Patch || file.strategy == SaveStrategy::Shift ||
               file.reason == SaveReason::OpenElsewhere || file.reason == SaveReason::OpenInThisProcess;
    });
}

// By which file the new model is opened: a set has several, and perhaps none of the name that was asked for.
std::filesystem::path writtenAs(const SaveReport& report, const std::filesystem::path& asked) {
    std::error_code error;
    return report.files.empty() || std::filesystem::exists(asked, error) ? asked : report.files.front().plan.path;
}

} // namespace

Saver::Saver(ModelDocument* document, QObject* parent)
    : QObject(parent)
    , m_document(document) {
    m_planSoon.setSingleShot(true);
    connect(&m_planSoon, &QTimer::timeout, this, &Saver::makePlan);
    connect(document, &ModelDocument::edited, this, [this] {
        m_plan.reset();
        m_planSoon.start(kPlanDelay);
        emit planned();
    });
}

// A running save is completed: the program waits for its jobs before it exits.
Saver::~Saver() = default;

void Saver::setOptions(const SaveOptions& options) {
    m_options = options;
    m_planSoon.start(kPlanDelay);
}

void Saver::makePlan() {
    m_planJob.cancel();
    const Document& document = m_document->document();
    if (m_saving || !document.isModified()) {
        return;
    }
    m_planJob.start<SavePlan>(
        [base = document.base(), edited = document.current(), target = document.target(),
         options = m_options](const JobContext&) { return planModelSave(*base, *edited, target, options); },
        [this, start = Clock::now()](Result<SavePlan> plan) {
            m_plan = std::move(plan);
            emit planned();
            if (*m_plan && dependsOnOthers(**m_plan)) {
                schedulePlanning(Clock::now() - start);
            }
        });
}

void Saver::schedulePlanning(Clock::duration planning) {
    m_planSoon.start(std::max(std::chrono::milliseconds(kPlanAgain),
                              std::chrono::duration_cast<std::chrono::milliseconds>(kShareOfTime * planning)));
}

void Saver::save(const Request& request, std::function<void(Result<Saved>)> done) {
    m_saving = true;
    m_stop = {};
    m_planJob.cancel();
    emit aboutToSave();
    const Document& document = m_document->document();
    const auto told = std::make_shared<Told>();
    Request asked = request;
    asked.options.costsMore = [told](const FilePlan& file) {
        const std::scoped_lock lock(told->mutex);
        told->costsMore = file;
    };
    Job* job = startJob<Saved>(
        this,
        [base = document.base(), edited = document.current(), target = document.target(), request = std::move(asked),
         stop = m_stop.get_token()](const JobContext& context) -> Result<Saved> {
            const JobContext stoppable{.stop = stop, .progress = context.progress};
            const bool inPlace = request.path.empty();
            auto report = GUFO_TRY(inPlace ? saveModel(*base, *edited, target, request.options, stoppable)
                                           : saveModelAs(*edited, target, request.path, request.options, stoppable));
            std::filesystem::path path = inPlace ? base->path() : writtenAs(report, request.path);
            auto opened = openWithStamps(path, {}); // cannot be cancelled, because the file has been saved
            return Saved{.path = std::move(path), .report = std::move(report), .opened = std::move(opened)};
        },
        [this, done = std::move(done)](Result<Saved> saved) {
            m_saving = false;
            m_planSoon.start(kPlanDelay); // after a failure, the changes are still there
            done(std::move(saved));
        });
    connect(job, &Job::progressed, this, [this, told](quint64 finished, quint64 total) {
        std::optional<FilePlan> file;
        {
            const std::scoped_lock lock(told->mutex);
            file.swap(told->costsMore);
        }
        if (file) {
            emit costsMore(*file);
        }
        emit progressed(finished, total);
    });
}

void Saver::cancel() { m_stop.request_stop(); }

} // namespace gufo::ui

#include "moc_saver.cpp"
