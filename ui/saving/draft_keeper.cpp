#include "ui/saving/draft_keeper.h"

#include "document/open_model.h"
#include "ui/shell/native_path.h"
#include "ui/shell/settings.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

namespace gufo::ui {
namespace {

using namespace std::chrono_literals;

constexpr int kDelayMs = 1'000;   // after the first edit that has not been stored
constexpr int kOpenAttempts = 20; // the tab that held the draft before may still be releasing it
constexpr auto kOpenPause = 50ms;

} // namespace

// State shared by the jobs; the mutex serialises them.
struct DraftKeeper::Box {
    explicit Box(Draft opened)
        : draft(std::move(opened)) {}
    std::mutex mutex;
    Draft draft;
    bool givenUp = false;
    int kept = 0; // number of the last changes stored
};

struct DraftKeeper::Offer {
    Offer() = default;
    explicit Offer(const Draft& draft)
        : found(draft.found())
        , when(QDateTime::fromMSecsSinceEpoch(
              std::chrono::duration_cast<std::chrono::milliseconds>(draft.foundTime().time_since_epoch()).count())) {}
    Draft::Found found = Draft::Found::Nothing;
    QDateTime when;
};

std::filesystem::path draftFolder() { return stateFolder() / "drafts"; }

DraftKeeper::DraftKeeper(ModelDocument* document, QObject* parent)
    : QObject(parent)
    , m_document(document) {
    m_keepSoon.setSingleShot(true);
    m_keepSoon.setInterval(kDelayMs);
    connect(&m_keepSoon, &QTimer::timeout, this, [this] { keep(nullptr); });
    connect(document, &ModelDocument::edited, this, &DraftKeeper::keepSoon);
    open();
}

// Edits that were undone a moment ago must not come back as a draft.
DraftKeeper::~DraftKeeper() {
    if (m_keepSoon.isActive()) {
        keep(nullptr);
    }
}

bool DraftKeeper::isBusy() const { return m_running != 0 || m_keepSoon.isActive(); }

void DraftKeeper::open() {
    m_box.reset();
    m_heldElsewhere = false;
    m_undecided = false;
    m_openFailure.reset();
    m_path = m_document->document().base()->path();
    ++m_running;
    startJob<std::shared_ptr<Box>>(
        this,
        [folder = draftFolder(),
         base = m_document->document().base()](const JobContext& job) -> Result<std::shared_ptr<Box>> {
            auto draft = Draft::open(folder, *base);
            for (int i = 0;
                 i < kOpenAttempts && !draft && draft.error().code == ErrorCode::FileBusy && !job.stopRequested();
                 ++i) {
                std::this_thread::sleep_for(kOpenPause);
                draft = Draft::open(folder, *base);
            }
            Draft opened = GUFO_TRY(std::move(draft));
            return std::make_shared<Box>(std::move(opened));
        },
        [this](Result<std::shared_ptr<Box>> box) {
            --m_running;
            if (!box) {
                m_heldElsewhere = box.error().code == ErrorCode::FileBusy;
                if (!m_heldElsewhere) {
                    m_openFailure = std::move(box.error());
                }
                keepSoon();
                return;
            }
            m_box = std::move(*box);
            offer(Offer(m_box->draft));
            keepSoon();
        });
}

void DraftKeeper::offer(const Offer& offer) {
    m_undecided = offer.found != Draft::Found::Nothing;
    if (m_undecided) {
        emit found(offer.found, offer.when);
    }
}

void DraftKeeper::keepSoon() {
    if (m_heldElsewhere && !m_toldHeld && m_document->document().isModified()) {
        m_toldHeld = true;
        emit heldElsewhere();
    }
    if (m_openFailure && m_document->document().isModified()) {
        tellFailure(*m_openFailure);
    }
    if (m_box && !m_keepSoon.isActive()) { // the timer is not restarted, because the user may type for a long time
        m_keepSoon.start();
    }
}

// `base` is the model that the changes refer to, if it has been replaced.
void DraftKeeper::keep(std::shared_ptr<const Model> base) {
    if (!m_box) {
        return;
    }
    run(
        [changesOf = m_document->document().deferredChanges(), base = std::move(base), box = m_box,
         number = ++m_number](Draft& draft, const JobContext& job) -> Result<ReadChanges> {
            if (base) {
                draft.rebase(*base);
            }
            if (number < std::exchange(box->kept, std::max(number, box->kept))) {
                return gufo::fail(ErrorCode::Cancelled); // later changes have been stored
            }
            GUFO_TRY(draft.keep(changesOf(), job));
            return ReadChanges();
        },
        [this](const Result<ReadChanges>& kept) {
            if (!kept) {
                tellFailure(kept.error());
            }
        });
}

void DraftKeeper::run(Work work, std::function<void(const Result<ReadChanges>&)> done) {
    ++m_running;
    // Continues even if the tab is closed, so that saved changes do not come back as a draft.
    startJob<ReadChanges>(
        QCoreApplication::instance(),
        [box = m_box, work = std::move(work)](const JobContext& job) -> Result<ReadChanges> {
            const std::scoped_lock lock(box->mutex);
            return box->givenUp ? gufo::fail(ErrorCode::Cancelled) : work(box->draft, job);
        },
        [self = QPointer(this), done = std::move(done)](const Result<ReadChanges>& result) {
            if (!self.isNull()) {
                --self->m_running;
                done(result);
            }
        });
}

void DraftKeeper::restore() {
    if (!m_box || !m_undecided) {
        return;
    }
    run(
        [](Draft& draft, const JobContext& job) {
            return draft.restore([](const std::filesystem::path& path) { return openModel(path); }, job);
        },
        [this](const Result<ReadChanges>& changes) {
            if (!changes) {
                emit failed(changes.error());
                return;
            }
            const auto finish = [this, missing = changes->missing](bool restored) {
                if (!restored) {
                    return; // refused() gave the reason; the draft is kept
                }
                decide([](Draft& draft) {
                    draft.setRestored();
                    return Result<>();
                });
                for (const Error& error : missing) {
                    emit failed(error);
                }
            };
            if (changes->changes.empty()) {
                finish(true);
            } else {
                m_document->applyWhatCanBe(changes->changes, tr("Restore unsaved changes"),
                                           [self = QPointer(this), finish](bool restored) {
                                               if (!self.isNull()) {
                                                   finish(restored);
                                               }
                                           });
            }
        });
}

void DraftKeeper::show(std::function<void(ReviewModel::State)> then) {
    if (!m_box || !m_undecided) {
        return;
    }
    startJob<ReviewModel::State>(
        this,
        [box = m_box, base = m_document->document().base()](const JobContext& job) -> Result<ReviewModel::State> {
            const std::scoped_lock lock(box->mutex);
            auto restored =
                GUFO_TRY(box->draft.restore([](const std::filesystem::path& path) { return openModel(path); }, job));
            Document document(base);
            if (!document.apply(restored.changes, {})) {
                for (Change& change : restored.changes) {
                    (void)document.apply({std::move(change)}, {}); // applies every change that is still possible
                }
            }
            return ReviewModel::stateOf(document);
        },
        [this, then = std::move(then)](Result<ReviewModel::State> state) {
            if (state) {
                then(std::move(*state));
            } else {
                emit failed(state.error());
            }
        });
}

void DraftKeeper::discard() {
    if (m_box && m_undecided) {
        decide([](Draft& draft) { return draft.discard(); });
    }
}

void DraftKeeper::decide(std::function<Result<>(Draft&)> decision) {
    auto next = std::make_shared<Offer>();
    run(
        [next, decision = std::move(decision)](Draft& draft, const JobContext&) -> Result<ReadChanges> {
            auto done = decision(draft);
            *next = Offer(draft);
            GUFO_TRY(std::move(done));
            return ReadChanges();
        },
        [this, next](const Result<ReadChanges>& done) {
            if (!done) {
                emit failed(done.error());
                return;
            }
            emit decided();
            offer(*next);
            keepSoon();
        });
}

void DraftKeeper::follow() {
    m_keepSoon.stop();
    if (m_path != m_document->document().base()->path()) {
        deleteDraft();
        open();
        return;
    }
    keep(m_document->document().base());
}

void DraftKeeper::deleteDraft() {
    m_keepSoon.stop();
    if (!m_box) {
        return;
    }
    // The job is neither waited for nor cancelled with this object.
    startJob<bool>(
        QCoreApplication::instance(),
        [box = std::exchange(m_box, nullptr)](const JobContext&) -> Result<bool> {
            const std::scoped_lock lock(box->mutex);
            box->givenUp = true;
            return box->draft.keep({}).has_value();
        },
        [](const Result<bool>&) {});
}

void DraftKeeper::tellFailure(const Error& error) {
    if (!m_toldFailure && error.code != ErrorCode::Cancelled) {
        m_toldFailure = true;
        emit failed(error);
    }
}

} // namespace gufo::ui

#include "moc_draft_keeper.cpp"
