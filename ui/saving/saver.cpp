#include "ui/saving/saver.h"

namespace gufo::ui {
namespace {

constexpr int kPlanDelayMs = 200;

} // namespace

Saver::Saver(ModelDocument* document, QObject* parent)
    : QObject(parent)
    , m_document(document) {
    m_planSoon.setSingleShot(true);
    m_planSoon.setInterval(kPlanDelayMs);
    connect(&m_planSoon, &QTimer::timeout, this, &Saver::makePlan);
    connect(document, &ModelDocument::edited, this, [this] {
        m_plan.reset();
        m_planSoon.start();
        emit planned();
    });
}

// A running save is completed: the program waits for its jobs before it exits.
Saver::~Saver() = default;

void Saver::setOptions(const SaveOptions& options) {
    m_options = options;
    m_planSoon.start();
}

void Saver::makePlan() {
    if (m_planJob) {
        m_planJob->cancel();
    }
    const Document& document = m_document->document();
    if (m_saving || !document.isModified()) {
        return;
    }
    m_planJob = startJob<SavePlan>(
        this,
        [base = document.base(), edited = document.current(), target = document.target(),
         options = m_options](const JobContext&) { return planModelSave(*base, *edited, target, options); },
        [this](Result<SavePlan> plan) {
            m_plan = std::move(plan);
            emit planned();
        });
}

void Saver::save(const Request& request, std::function<void(Result<Saved>)> done) {
    m_saving = true;
    m_stop = {};
    if (m_planJob) {
        m_planJob->cancel();
    }
    emit aboutToSave();
    const Document& document = m_document->document();
    Job* job = startJob<Saved>(
        this,
        [base = document.base(), edited = document.current(), target = document.target(), request,
         stop = m_stop.get_token()](const JobContext& context) -> Result<Saved> {
            const JobContext stoppable{.stop = stop, .progress = context.progress};
            const bool inPlace = request.path.empty();
            auto report = inPlace ? saveModel(*base, *edited, target, request.options, stoppable)
                                  : saveModelAs(*edited, target, request.path, request.options, stoppable);
            if (!report) {
                return std::unexpected(std::move(report.error()));
            }
            std::filesystem::path path = inPlace ? base->path() : request.path;
            auto opened = openWithStamps(path, {}); // cannot be cancelled, because the file has been saved
            return Saved{.path = std::move(path), .report = std::move(*report), .opened = std::move(opened)};
        },
        [this, done = std::move(done)](Result<Saved> saved) {
            m_saving = false;
            done(std::move(saved));
        });
    connect(job, &Job::progressed, this, &Saver::progressed);
}

void Saver::cancel() { m_stop.request_stop(); }

} // namespace gufo::ui
