#include "ui/compare/comparison.h"

#include "analysis/compare/comparison_cache.h"
#include "formats/format.h"
#include "ui/compare/short_labels.h"
#include "ui/report/fitting.h"
#include "ui/report/origin_report.h"
#include "ui/shell/model_files.h"
#include "ui/shell/native_path.h"

#include <QThreadPool>

#include <algorithm>
#include <mutex>

namespace gufo::ui {

namespace {

constexpr int kDrainMs = 80;
constexpr qint64 kCountEveryMs = 400;
constexpr std::size_t kCountedLive = 40'000; // cells; updating totals for more would block the window

// Shared by all comparisons of the process.
ComparisonCache& cache() {
    static ComparisonCache shared{ComparisonCache::userFolder()};
    return shared;
}

struct Run {
    std::shared_ptr<const ModelComparison> result;
    std::vector<ModelTotals> totals;
};

std::vector<ModelTotals> totalsOf(const ModelComparison& comparison, const TensorMatches& matches) {
    std::vector<ModelTotals> totals(matches.models.size());
    for (std::size_t m = 0; m < totals.size(); ++m) {
        totals[m].all = comparison.totals(matches, m);
        for (std::size_t g = 0; g < kTensorGroups; ++g) {
            totals[m].groups[g] = comparison.totals(matches, m, static_cast<TensorGroup>(g));
        }
    }
    return totals;
}

// Frees large objects off the UI thread.
template<typename... T>
void dropLater(T&&... large) {
    QThreadPool::globalInstance()->start([... kept = std::forward<T>(large)] { (static_cast<void>(kept), ...); });
}

PairCell toCell(const ComparedCell& cell) {
    PairCell out;
    out.state = cell.state == ComparedCell::State::Compared ? PairCell::State::Compared
                : cell.state == ComparedCell::State::Failed ? PairCell::State::Failed
                                                            : PairCell::State::NotCompared;
    out.identical = cell.comparison.identical;
    out.truncated = cell.comparison.truncated;
    out.sums = cell.comparison.sums;
    if (cell.error) {
        out.error = std::make_shared<const Error>(*cell.error);
    }
    return out;
}

} // namespace

struct Comparison::Found {
    struct Row {
        std::size_t row;
        std::vector<PairCell> cells;
    };
    std::mutex mutex;
    std::vector<Row> rows;
};

// What belongs together: the model of an origin takes the place of the folder's model in the matches.
struct Comparison::Matched {
    std::shared_ptr<const TensorMatches> matches;
    std::shared_ptr<const convert::Origin> origin; // null: there is none
    std::optional<Error> originError;
};

Comparison::Comparison(QObject* parent)
    : QObject(parent) {
    m_drain.setInterval(kDrainMs);
    connect(&m_drain, &QTimer::timeout, this, &Comparison::drain);
    connect(&m_watch, &FileWatch::changed, this, &Comparison::fileChanged);
}

Comparison::~Comparison() {
    stopJobs();
    dropLater(std::move(m_files), std::move(m_matches), std::move(m_result), std::move(m_metadata), std::move(m_origin),
              std::move(m_proof));
}

void Comparison::start(std::vector<std::filesystem::path> files, const std::filesystem::path& reference) {
    setFiles(std::move(files), reference);
    open();
}

void Comparison::announce() {
    if (m_files.empty()) {
        return; // nothing has been said
    }
    emit filesChanged();
    if (m_matches) {
        emit matched();
    }
    if (!m_totals.empty()) {
        emit totalsChanged();
    }
    if (m_metadata) {
        emit metadataCompared();
    }
    if (m_proof) {
        emit proved();
    }
    emit stateChanged();
}

void Comparison::setFiles(std::vector<std::filesystem::path> files, const std::filesystem::path& reference) {
    m_paths.clear();
    m_givenTwice = false;
    for (auto& file : files) {
        if (std::ranges::find(m_paths, file) != m_paths.end()) {
            m_givenTwice = true;
        } else if (m_paths.size() < kMaxCompared) {
            m_paths.push_back(std::move(file));
        }
    }
    m_wantedReference = reference;
}

void Comparison::addFiles(const std::vector<std::filesystem::path>& files) {
    std::vector<std::filesystem::path> all = m_paths;
    all.insert(all.end(), files.begin(), files.end());
    start(std::move(all), m_wantedReference);
}

void Comparison::removeFile(const std::filesystem::path& file) {
    std::vector<std::filesystem::path> rest = m_paths;
    std::erase(rest, file);
    start(std::move(rest), m_wantedReference);
}

void Comparison::setReference(const std::filesystem::path& file) {
    m_wantedReference = file;
    if (m_files.size() < 2) {
        return;
    }
    stopJobs();
    nameFiles();
    match();
}

void Comparison::reload() { open(); }

std::filesystem::path Comparison::referencePath() const {
    return m_files.empty() ? m_wantedReference : m_files[m_reference].path;
}

std::vector<std::size_t> Comparison::others() const {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        if (i != m_reference) {
            indices.push_back(i);
        }
    }
    return indices;
}

std::optional<double> Comparison::divergence(std::size_t file) const {
    if (m_divergences.reference != referencePath()) {
        return std::nullopt;
    }
    const auto found = m_divergences.figures.find(m_files[file].path);
    return found != m_divergences.figures.end() ? std::optional(found->second) : std::nullopt;
}

void Comparison::setDivergences(const std::filesystem::path& reference,
                                std::map<std::filesystem::path, double> figures) {
    if (m_divergences.reference == reference && m_divergences.figures == figures) {
        return;
    }
    m_divergences = {reference, std::move(figures)};
    emit divergencesMeasured();
}

void Comparison::setState(State state) {
    m_state = state;
    emit stateChanged();
}

void Comparison::stopJobs() {
    for (const QPointer<Job>& job : m_openJobs) {
        delete job; // cancels the job; its result is not delivered
    }
    m_openJobs.clear();
    delete m_job;
    delete m_metadataJob;
    m_drain.stop();
    m_found.reset();
}

void Comparison::open() {
    stopJobs();
    dropLater(std::move(m_files), std::move(m_matches), std::move(m_result), std::move(m_metadata),
              std::move(m_origin));
    m_files.clear();
    m_origin.reset();
    m_originError.reset();
    dropProof();
    m_matches.reset();
    m_result.reset();
    m_metadata.reset();
    m_unreadable.clear();
    m_cells.clear();
    m_totals.clear();
    m_error.reset();
    m_rowsDone = 0;
    m_opening.assign(m_paths.size(), std::nullopt);
    setState(State::Opening);
    emit filesChanged();
    if (m_paths.empty()) {
        allOpened();
        return;
    }
    for (std::size_t i = 0; i < m_paths.size(); ++i) {
        m_openJobs.emplace_back(startJob<OpenedFile>(
            this,
            [path = m_paths[i]](const JobContext& context) -> Result<OpenedFile> {
                auto opened = openWithStamps(path, context);
                if (!opened) {
                    return std::unexpected(std::move(opened).error());
                }
                OpenedFile file{.opened = *std::move(opened)};
                const Model& model = *file.opened.model;
                file.memory = memoryToRun(model);
                file.canBeOrigin = convert::originFolder(model).has_value();
                file.isGguf = capabilitiesOf(model).has(Capability::Run);
                return file;
            },
            [this, i](Result<OpenedFile> result) {
                m_opening[i] = std::move(result);
                if (std::ranges::all_of(m_opening, [](const auto& one) { return one.has_value(); })) {
                    allOpened();
                }
            }));
    }
}

void Comparison::allOpened() {
    std::vector<WatchedFile> watched;
    for (std::size_t i = 0; i < m_paths.size(); ++i) {
        Result<OpenedFile>& result = *m_opening[i];
        if (!result) {
            m_unreadable.push_back({m_paths[i], result.error()});
            continue;
        }
        ComparedFile file{.path = m_paths[i],
                          .model = result->opened.model,
                          .totals = result->opened.model->totals(),
                          .memory = result->memory,
                          .name = modelNameText(m_paths[i]),
                          .label = {},
                          .canBeOrigin = result->canBeOrigin,
                          .isGguf = result->isGguf};
        std::ranges::move(result->opened.files, std::back_inserter(watched));
        m_files.push_back(std::move(file));
    }
    m_opening.clear();
    m_openJobs.clear();
    m_watch.setFiles(std::move(watched));
    nameFiles();
    if (m_files.size() < 2) {
        emit filesChanged();
        setState(State::Failed);
        return;
    }
    match();
}

// Updates labels and colours after the files or the reference have changed.
void Comparison::nameFiles() {
    std::vector<std::filesystem::path> paths;
    std::vector<std::shared_ptr<const Model>> models;
    for (const ComparedFile& file : m_files) {
        paths.push_back(file.path);
        models.push_back(file.model);
    }
    const auto wanted = std::ranges::find(paths, m_wantedReference);
    m_reference = wanted != paths.end() ? static_cast<std::size_t>(wanted - paths.begin())
                  : models.empty()      ? 0
                                        : originFile().value_or(proposedReference(models));
    const QStringList labels = shortLabels(paths);
    int series = 0;
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        m_files[i].label = labels[static_cast<qsizetype>(i)];
        m_files[i].series = i == m_reference ? -1 : series++;
    }
}

// The one of two files of which the other can be made.
std::optional<std::size_t> Comparison::originFile() const {
    for (std::size_t i = 0; i < m_files.size() && m_files.size() == 2; ++i) {
        if (m_files[i].canBeOrigin && m_files[1 - i].isGguf) {
            return i;
        }
    }
    return std::nullopt;
}

void Comparison::dropProof() {
    if (m_proof) {
        dropLater(std::exchange(m_proof, nullptr));
        emit proved();
    }
}

void Comparison::match() {
    dropLater(std::move(m_matches), std::move(m_result), std::move(m_metadata));
    dropProof();
    m_matches.reset();
    m_result.reset();
    m_metadata.reset();
    m_cells.clear();
    m_totals.clear();
    m_rowsDone = 0;
    m_error.reset();
    m_state = State::Matching; // the signal is emitted below, once there is a job to follow
    emit filesChanged();
    std::vector<std::shared_ptr<const Model>> models;
    for (const ComparedFile& file : m_files) {
        models.push_back(file.model);
    }
    m_clock.start();
    m_job = startJob<Matched>(
        this,
        [opened = std::move(models), reference = m_reference, known = m_origin,
         folder = originFile()](const JobContext& context) -> Result<Matched> {
            std::vector<std::shared_ptr<const Model>> compared = opened;
            Matched matched{.matches = nullptr, .origin = known, .originError = {}};
            if (folder && known == nullptr) {
                auto origin = convert::readOrigin(compared[*folder], context);
                if (origin) {
                    matched.origin = *std::move(origin);
                    compared[*folder] = matched.origin->model;
                } else if (origin.error().code == ErrorCode::Cancelled) {
                    return std::unexpected(std::move(origin).error());
                } else { // it is compared by the names in the files
                    matched.originError = std::move(origin).error();
                }
            }
            auto matches = matchTensors(compared, reference, context);
            if (!matches) {
                return std::unexpected(std::move(matches.error()));
            }
            matched.matches = std::make_shared<const TensorMatches>(std::move(*matches));
            return matched;
        },
        [this](Result<Matched> matched) {
            if (!matched) {
                fail(matched.error());
                return;
            }
            takeMatches(*std::move(matched));
        });
    setState(State::Matching);
}

void Comparison::takeMatches(Matched result) {
    m_matches = std::move(result.matches);
    m_origin = std::move(result.origin);
    m_originError = std::move(result.originError);
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        m_files[i].model = m_matches->models[i];
    }
    m_cells.assign(m_matches->rows.size() * m_files.size(), {});
    emit matched();
    compareMetadataToo();
    compare();
}

void Comparison::compare() {
    m_found = std::make_shared<Found>();
    m_counted.start();
    m_job = startJob<Run>(
        this,
        [matches = m_matches, found = m_found](const JobContext& context) -> Result<Run> {
            ComparisonOptions options;
            options.cache = &cache();
            options.finished = [&found](const ComparedRow& row) {
                Found::Row kept{.row = row.row, .cells = {}};
                kept.cells.reserve(row.cells.size());
                std::ranges::transform(row.cells, std::back_inserter(kept.cells), toCell);
                const std::scoped_lock lock(found->mutex);
                found->rows.push_back(std::move(kept));
            };
            auto result = compareModels(*matches, options, context);
            cache().flush();
            if (!result) {
                return std::unexpected(std::move(result.error()));
            }
            Run run;
            run.totals = totalsOf(*result, *matches);
            run.result = std::make_shared<const ModelComparison>(std::move(*result));
            return run;
        },
        [this](Result<Run> run) {
            drain();
            m_drain.stop();
            m_elapsedMs = m_clock.elapsed();
            if (!run) {
                fail(run.error());
                return;
            }
            m_totals = std::move(run->totals);
            m_result = std::move(run->result);
            m_job = nullptr;
            finishOrProve();
            emit totalsChanged();
        });
    m_drain.start();
    setState(State::Comparing);
}

void Comparison::compareMetadataToo() {
    std::vector<std::shared_ptr<const Model>> models;
    for (const ComparedFile& file : m_files) {
        models.push_back(file.model);
    }
    m_metadataJob = startJob<std::shared_ptr<const MetadataComparison>>(
        this,
        [models,
         reference = m_reference](const JobContext& context) -> Result<std::shared_ptr<const MetadataComparison>> {
            auto metadata = compareMetadata(models, reference, {}, context);
            if (!metadata) {
                return std::unexpected(std::move(metadata.error()));
            }
            return std::make_shared<const MetadataComparison>(std::move(*metadata));
        },
        [this](Result<std::shared_ptr<const MetadataComparison>> metadata) {
            if (!metadata) {
                fail(metadata.error());
                return;
            }
            m_metadata = std::move(*metadata);
            emit metadataCompared();
            if (m_result && m_state == State::Comparing) {
                finishOrProve();
            }
        });
}

// When all tensors have been compared. A verdict on the origin also needs the keys.
void Comparison::finishOrProve() {
    if (m_origin == nullptr) {
        setState(State::Done);
        return;
    }
    if (!m_metadata) {
        return; // its job calls this again
    }
    struct Proved {
        std::shared_ptr<const convert::OriginProof> proof;
        QString text;
        QStringList details;
    };
    m_job = startJob<Proved>(
        this,
        [origin = m_origin, matches = m_matches, metadata = m_metadata](const JobContext& context) -> Result<Proved> {
            auto proof = convert::proveOrigin(*origin, *matches, *metadata, {}, context);
            if (!proof) {
                return std::unexpected(std::move(proof).error());
            }
            Proved proved{std::make_shared<const convert::OriginProof>(*std::move(proof)), {}, {}};
            const OriginReport report{*origin, *proved.proof, *matches, *metadata};
            proved.text = originVerdictText(report);
            proved.details = originDetails(report);
            return proved;
        },
        [this](Result<Proved> proved) {
            m_elapsedMs = m_clock.elapsed();
            if (!proved) {
                fail(proved.error());
                return;
            }
            m_proof = std::move(proved->proof);
            m_verdictText = std::move(proved->text);
            m_verdictDetails = std::move(proved->details);
            setState(State::Done);
            emit this->proved();
        });
    emit stateChanged(); // there is another job to follow
}

void Comparison::drain() {
    if (!m_found) {
        return;
    }
    std::vector<Found::Row> rows;
    {
        const std::scoped_lock lock(m_found->mutex);
        rows.swap(m_found->rows);
    }
    if (rows.empty()) {
        return;
    }
    std::vector<std::size_t> indices;
    indices.reserve(rows.size());
    for (Found::Row& row : rows) {
        if (m_cells[row.row * m_files.size()].state == PairCell::State::Pending) {
            ++m_rowsDone;
        }
        std::ranges::move(row.cells, m_cells.begin() + static_cast<std::ptrdiff_t>(row.row * m_files.size()));
        indices.push_back(row.row);
    }
    emit rowsFound(indices);
    if (m_cells.size() <= kCountedLive && m_counted.elapsed() >= kCountEveryMs) {
        countTotals();
        m_counted.start();
    }
}

// Sums up what has been found so far.
void Comparison::countTotals() {
    m_totals.assign(m_files.size(), {});
    for (std::size_t row = 0; row < m_matches->rows.size(); ++row) {
        for (std::size_t file = 0; file < m_files.size(); ++file) {
            const PairCell& one = cell(row, file);
            if (one.state == PairCell::State::Compared) {
                ComparisonTotals& all = m_totals[file].all;
                ++all.tensors;
                all.identical += one.identical ? 1 : 0;
                all.sums.merge(one.sums);
            }
        }
    }
    for (ModelTotals& totals : m_totals) {
        totals.all.byParameters = figuresOf(totals.all.sums);
    }
    emit totalsChanged();
}

void Comparison::cancel() {
    if (!isBusy()) {
        return;
    }
    drain();
    stopJobs();
    m_elapsedMs = m_clock.elapsed();
    if (m_matches) {
        countTotals();
    }
    setState(State::Cancelled);
}

void Comparison::resume() {
    if (m_state != State::Cancelled) {
        return;
    }
    if (!m_matches) {
        open();
        return;
    }
    m_clock.start();
    if (!m_metadata) {
        compareMetadataToo();
    }
    if (m_result) { // only the verdict on the origin is missing
        m_state = State::Comparing;
        finishOrProve();
        return;
    }
    compare();
}

void Comparison::fail(const Error& error) {
    stopJobs();
    m_error = error;
    setState(State::Failed);
}

bool Comparison::isComparable(std::size_t row, std::size_t file) const {
    const TensorMatch& match = m_matches->rows[row];
    return match.has(m_reference) && match.comparable(file);
}

PartOf Comparison::partOf(std::size_t row, std::size_t file) const {
    return {m_files[file].model.get(), m_matches->rows[row].cells[file].part};
}

std::optional<double> Comparison::bitsPerWeight(std::size_t row, std::size_t file) const {
    if (!m_matches->rows[row].has(file)) {
        return {};
    }
    const PartOf part = partOf(row, file);
    const auto bytes = partBytes(*part.model, part.part);
    const std::uint64_t weights = part.part.weights();
    return bytes && weights > 0 ? std::optional(8.0 * static_cast<double>(*bytes) / static_cast<double>(weights))
                                : std::nullopt;
}

} // namespace gufo::ui
