#include "ui/saving/draft_keeper.h"

#include "document/open_model.h"
#include "ui/shell/native_path.h"
#include "ui/shell/state_folder.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>

#include <chrono>
#include <mutex>
#include <thread>

namespace gufo::ui {
namespace {

using namespace std::chrono_literals;

constexpr int kDelayMs = 1'000;   // after the first edit that is not kept
constexpr int kOpenAttempts = 20; // the tab that had the draft before may be letting go of it
constexpr auto kOpenPause = 50ms;

} // namespace

// Jobs take turns by the mutex.
struct DraftKeeper::Box {
    explicit Box(Draft opened)
        : draft(std::move(opened)) {}
    std::mutex mutex;
    Draft draft;
    bool givenUp = false;
    int kept = 0; // number of the job that came last
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

DraftKeeper::~DraftKeeper() = default;

bool DraftKeeper::isBusy() const { return m_running != 0 || m_keepSoon.isActive(); }

void DraftKeeper::open() {
    m_box.reset();
    m_heldElsewhere = false;
    m_undecided = false;
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
            if (!draft) {
                return std::unexpected(std::move(draft.error()));
            }
            return std::make_shared<Box>(std::move(*draft));
        },
        [this](Result<std::shared_ptr<Box>> box) {
            --m_running;
            if (!box) {
                m_heldElsewhere = box.error().code == ErrorCode::FileBusy;
                if (!m_heldElsewhere) {
                    tellFailure(box.error());
                }
                keepSoon();
                return;
            }
            m_box = std::move(*box);
            m_undecided = m_box->draft.found() != Draft::Found::Nothing;
            if (m_undecided) {
                const auto when = m_box->draft.foundTime().time_since_epoch();
                emit found(m_box->draft.found(),
                           QDateTime::fromMSecsSinceEpoch(
                               std::chrono::duration_cast<std::chrono::milliseconds>(when).count()));
            }
            keepSoon();
        });
}

void DraftKeeper::keepSoon() {
    if (m_heldElsewhere && !m_toldHeld && m_document->document().isModified()) {
        m_toldHeld = true;
        emit heldElsewhere();
    }
    if (m_box && !m_undecided && !m_keepSoon.isActive()) { // not started again: typing goes on for long
        m_keepSoon.start();
    }
}

// `base`: that of the changes, where it is another one than before.
void DraftKeeper::keep(std::shared_ptr<const Model> base) {
    if (!m_box || m_undecided) {
        return;
    }
    run(
        [changes = m_document->document().changes(),
         base = std::move(base)](Draft& draft, const JobContext& job) -> Result<ReadChanges> {
            if (base) {
                draft.rebase(*base);
            }
            const auto kept = draft.keep(changes, job);
            return kept ? Result<ReadChanges>() : std::unexpected(kept.error());
        },
        [this](const Result<ReadChanges>& kept) {
            if (!kept) {
                tellFailure(kept.error());
            }
        });
}

void DraftKeeper::run(Work work, std::function<void(const Result<ReadChanges>&)> done) {
    ++m_running;
    // Goes on where the tab is closed meanwhile: what was saved must not come back as a draft.
    startJob<ReadChanges>(
        QCoreApplication::instance(),
        [box = m_box, work = std::move(work), number = ++m_number](const JobContext& job) -> Result<ReadChanges> {
            const std::scoped_lock lock(box->mutex);
            if (box->givenUp || number < box->kept) {
                return gufo::fail(ErrorCode::Cancelled);
            }
            box->kept = number;
            return work(box->draft, job);
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
            if (!changes->changes.empty() &&
                !m_document->applyWhatCanBe(changes->changes, tr("Restore unsaved changes"))) {
                return; // refused() has said why; the draft stays as it is
            }
            m_undecided = false;
            emit decided();
            for (const Error& missing : changes->missing) {
                emit failed(missing);
            }
            keepSoon();
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
            auto changes = box->draft.restore([](const std::filesystem::path& path) { return openModel(path); }, job);
            if (!changes) {
                return std::unexpected(std::move(changes.error()));
            }
            Document document(base);
            if (!document.apply(changes->changes, {})) {
                for (Change& change : changes->changes) {
                    (void)document.apply({std::move(change)}, {}); // what still can be
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
    if (!m_box || !m_undecided) {
        return;
    }
    run(
        [](Draft& draft, const JobContext&) -> Result<ReadChanges> {
            const auto gone = draft.discard();
            return gone ? Result<ReadChanges>() : std::unexpected(gone.error());
        },
        [this](const Result<ReadChanges>& gone) {
            if (!gone) {
                emit failed(gone.error());
                return;
            }
            m_undecided = false;
            emit decided();
            keepSoon();
        });
}

void DraftKeeper::follow() {
    m_keepSoon.stop();
    if (m_path != m_document->document().base()->path()) {
        giveUp();
        open();
        return;
    }
    keep(m_document->document().base());
}

void DraftKeeper::giveUp() {
    m_keepSoon.stop();
    if (!m_box || m_undecided) {
        return;
    }
    // Nobody waits for it, and it is not cancelled with this object.
    startJob<bool>(
        QCoreApplication::instance(),
        [box = std::exchange(m_box, nullptr)](const JobContext&) -> Result<bool> {
            const std::scoped_lock lock(box->mutex);
            box->givenUp = true;
            return box->draft.discard().has_value();
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
