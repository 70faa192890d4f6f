// The jobs of a comparison: reading the files, matching their tensors, comparing, and proving an origin.
#include "analysis/compare/comparison_cache.h"
#include "formats/container/container.h"
#include "quantize/imatrix_coverage.h"
#include "ui/compare/comparison.h"
#include "ui/document/fetching.h"
#include "ui/report/fitting.h"
#include "ui/report/origin_report.h"

#include <algorithm>
#include <mutex>

namespace gufo::ui {
namespace {

constexpr qint64 kCountEveryMs = 400;
constexpr std::size_t kCountedLive = 40'000; // cells; updating totals for more would block the window

// Shared by all comparisons of the process, and freed with the last of them, because the figures are also on disk. For
// the UI thread.
std::shared_ptr<ComparisonCache> sharedCache() {
    static std::weak_ptr<ComparisonCache> shared;
    auto cache = shared.lock();
    if (cache == nullptr) {
        cache = std::make_shared<ComparisonCache>(ComparisonCache::userFolder());
        shared = cache;
    }
    return cache;
}

struct Run {
    std::shared_ptr<const ModelComparison> result;
    std::vector<ModelTotals> totals;
    std::vector<ExchangedTensor> exchanged;
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

// The matches, and the origin whose model replaces the folder's model in them.
struct Comparison::Matched {
    std::shared_ptr<const TensorMatches> matches;
    std::shared_ptr<const convert::Origin> origin; // null: there is none
    std::optional<Error> originError;
    std::shared_ptr<const Imatrix> imatrix{};
    std::optional<Error> imatrixError{};
};

Comparison::~Comparison() {
    stopJobs();
    destroyElsewhere(std::move(m_files), std::move(m_matches), std::move(m_result), std::move(m_metadata),
                     std::move(m_origin), std::move(m_proof), std::move(m_fileOrigins), std::move(m_cache));
}

void Comparison::open() {
    stopJobs();
    destroyElsewhere(std::move(m_files), std::move(m_matches), std::move(m_result), std::move(m_metadata),
                     std::move(m_origin));
    m_files.clear();
    m_origin.reset();
    m_originError.reset();
    dropProof();
    m_exchanged.clear();
    m_matches.reset();
    m_result.reset();
    m_metadata.reset();
    m_unreadable.clear();
    m_cells.clear();
    m_totals.clear();
    m_error.reset();
    m_rowsDone = 0;
    m_opening.assign(m_places.size(), std::nullopt);
    setState(State::Opening);
    emit filesChanged();
    if (m_places.empty()) {
        allOpened();
        return;
    }
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        m_openJobs.emplace_back(startJob<OpenedFile>(
            this,
            [place = m_places[i]](const JobContext& context) -> Result<OpenedFile> {
                auto opened = GUFO_TRY(openWithStamps(place, context));
                OpenedFile file{.opened = std::move(opened)};
                const Model& model = *file.opened.model;
                file.memory = memoryToRun(file.opened.model);
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

void Comparison::dropProof() {
    if (isOfOrigin()) {
        destroyElsewhere(std::exchange(m_proof, nullptr), std::exchange(m_fileOrigins, {}));
        emit proved();
    }
}

void Comparison::match() {
    m_waitsForFetching = false;
    destroyElsewhere(std::move(m_matches), std::move(m_result), std::move(m_metadata));
    dropProof();
    m_exchanged.clear();
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
    std::vector<std::size_t> folders; // the origin's comes first
    for (const ComparedFile& file : m_files) {
        if (file.canBeOrigin && originFile()) {
            folders.push_back(models.size());
        }
        models.push_back(file.model);
    }
    m_clock.start();
    m_job = startJob<Matched>(
        this,
        [opened = std::move(models), reference = m_reference, known = m_origin, chosen = m_imatrixChosen,
         imatrix = m_imatrix, folders = std::move(folders)](const JobContext& context) -> Result<Matched> {
            std::vector<std::shared_ptr<const Model>> compared = opened;
            Matched matched{.matches = nullptr, .origin = known, .originError = {}};
            for (std::size_t i = 0; i < folders.size() && known == nullptr; ++i) {
                auto origin = convert::readOrigin(compared[folders[i]], context);
                if (origin) {
                    compared[folders[i]] = (*origin)->model;
                    matched.origin = matched.origin == nullptr ? *std::move(origin) : matched.origin;
                } else if (origin.error().code == ErrorCode::Cancelled) {
                    return std::unexpected(std::move(origin).error());
                } else { // it is compared by the names in the files
                    matched.originError = std::move(origin).error();
                }
            }
            auto matches = GUFO_TRY(matchTensors(compared, reference, context));
            matched.matches = std::make_shared<const TensorMatches>(std::move(matches));
            if (!chosen) {
                matched.imatrix = GUFO_TRY(namedImatrix(compared, context));
            } else if (imatrix != nullptr) {
                auto checked = checkImatrix(*imatrix, compared, context);
                if (checked) {
                    matched.imatrix = imatrix;
                } else if (checked.error().code == ErrorCode::Cancelled) {
                    return std::unexpected(std::move(checked).error());
                } else {
                    matched.imatrixError = std::move(checked).error();
                }
            }
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
    m_imatrix = std::move(result.imatrix);
    m_imatrixError = std::move(result.imatrixError);
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        m_files[i].model = m_matches->models[i];
    }
    m_cells.assign(m_matches->rows.size() * m_files.size(), {});
    emit matched();
    compareMetadataToo();
    if (!m_mayFetch && bytesToFetch() > 0) {
        m_waitsForFetching = true;
        setState(State::Cancelled);
        return;
    }
    compare();
}

std::uint64_t Comparison::bytesToFetch() const {
    std::uint64_t bytes = 0;
    for (const ComparedFile& file : m_files) {
        bytes += ui::bytesToFetch(*file.model);
    }
    return bytes;
}

void Comparison::compare() {
    m_found = std::make_shared<Found>();
    m_counted.start();
    m_cache = sharedCache();
    m_job = startJob<Run>(
        this,
        [matches = m_matches, found = m_found, imatrix = m_imatrix, cache = m_cache,
         hasOrigin = m_origin != nullptr](const JobContext& context) -> Result<Run> {
            ComparisonOptions options;
            options.imatrix = imatrix.get();
            options.cache = cache.get();
            options.finished = [&found](const ComparedRow& row) {
                Found::Row kept{.row = row.row, .cells = {}};
                kept.cells.reserve(row.cells.size());
                std::ranges::transform(row.cells, std::back_inserter(kept.cells), toCell);
                const std::scoped_lock lock(found->mutex);
                found->rows.push_back(std::move(kept));
            };
            auto compared = compareModels(*matches, options, context);
            cache->flush();
            auto result = GUFO_TRY(std::move(compared));
            Run run;
            if (!hasOrigin) {
                run.exchanged = GUFO_TRY(findExchanged(*matches, result, context));
            }
            run.totals = totalsOf(result, *matches);
            run.result = std::make_shared<const ModelComparison>(std::move(result));
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
            m_exchanged = std::move(run->exchanged);
            m_job = nullptr;
            finishOrProve();
            emit totalsChanged();
            if (!m_exchanged.empty()) {
                emit proved();
            }
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
            auto metadata = GUFO_TRY(compareMetadata(models, reference, {}, context));
            return std::make_shared<const MetadataComparison>(std::move(metadata));
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
    if (m_files.size() > 2) {
        proveFiles();
        return;
    }
    struct Proved {
        std::shared_ptr<const convert::OriginProof> proof;
        QString text;
        QStringList details;
    };
    m_job = startJob<Proved>(
        this,
        [origin = m_origin, matches = m_matches, metadata = m_metadata](const JobContext& context) -> Result<Proved> {
            auto proof = GUFO_TRY(convert::proveOrigin(*origin, *matches, *metadata, {}, context));
            Proved proved{std::make_shared<const convert::OriginProof>(std::move(proof)), {}, {}};
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

// The same for several GGUF files, one after the other.
void Comparison::proveFiles() {
    struct File {
        std::size_t index;
        std::shared_ptr<const Model> model;
        QString label;
    };
    std::vector<File> files;
    std::size_t folder = 0;
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        folder = m_files[i].model == m_origin->model ? i : folder;
        if (m_files[i].isGguf) {
            files.push_back({i, m_files[i].model, m_files[i].label});
        }
    }
    struct Proved {
        std::vector<FileOrigin> origins;
        QStringList verdicts;
        QStringList details;
    };
    m_job = startJob<Proved>(
        this,
        [origin = m_origin, files = std::move(files), folder](const JobContext& context) -> Result<Proved> {
            Proved proved;
            for (const File& file : files) {
                auto proof = GUFO_TRY(convert::proveFile(*origin, file.model, {}, context));
                proved.origins.push_back({.origin = folder,
                                          .file = file.index,
                                          .source = origin,
                                          .proved = std::make_shared<const convert::FileProof>(std::move(proof))});
                const OriginReport report = proved.origins.back().report();
                proved.verdicts << QStringLiteral("%1: %2").arg(file.label, originVerdictText(report));
                for (const QString& detail : originDetails(report)) {
                    proved.details << QStringLiteral("%1: %2").arg(file.label, detail);
                }
            }
            return proved;
        },
        [this](Result<Proved> proved) {
            m_elapsedMs = m_clock.elapsed();
            if (!proved) {
                fail(proved.error());
                return;
            }
            m_fileOrigins = std::move(proved->origins);
            m_verdictText = proved->verdicts.join(u'\n');
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
            const MatchStatus status = m_matches->rows[row].cells[file].status;
            ComparisonTotals& all = m_totals[file].all;
            if (m_matches->rows[row].has(m_reference)) {
                all.missing += status == MatchStatus::Missing ? 1 : 0;
                all.reshaped += status == MatchStatus::Reshaped ? 1 : 0;
            }
            all.failed += one.state == PairCell::State::Failed ? 1 : 0;
            if (one.state == PairCell::State::Compared) {
                ++all.tensors;
                all.identical += one.identical ? 1 : 0;
                all.truncated += one.truncated ? 1 : 0;
                all.sums.merge(one.sums);
            }
        }
    }
    for (ModelTotals& totals : m_totals) {
        totals.all.byParameters = figuresOf(totals.all.sums);
    }
    emit totalsChanged();
}

} // namespace gufo::ui
