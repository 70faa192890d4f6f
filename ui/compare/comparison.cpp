#include "ui/compare/comparison.h"

#include "ui/compare/short_labels.h"
#include "ui/report/origin_report.h"
#include "ui/shell/chosen_models.h"

#include <algorithm>
#include <utility>

namespace gufo::ui {
namespace {

constexpr int kDrainMs = 80;

} // namespace

Comparison::Comparison(QObject* parent)
    : QObject(parent) {
    m_drain.setInterval(kDrainMs);
    connect(&m_drain, &QTimer::timeout, this, &Comparison::drain);
    connect(&m_watch, &FileWatch::changed, this, &Comparison::fileChanged);
}

void Comparison::start(Places files, const std::optional<hub::ModelPlace>& reference) {
    setFiles(std::move(files), reference);
    open();
}

void Comparison::announce() {
    if (m_files.empty()) {
        return; // no signal was emitted yet
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
    if (isOfOrigin() || !m_exchanged.empty()) {
        emit proved();
    }
    emit stateChanged();
}

void Comparison::setFiles(Places files, const std::optional<hub::ModelPlace>& reference) {
    m_places.clear();
    m_givenTwice = false;
    for (auto& file : files) {
        if (std::ranges::find(m_places, file) != m_places.end()) {
            m_givenTwice = true;
        } else if (m_places.size() < kMaxCompared) {
            m_places.push_back(std::move(file));
        }
    }
    m_wantedReference = reference;
    m_mayFetch = false;
}

void Comparison::addFiles(const Places& files) {
    Places all = m_places;
    all.insert(all.end(), files.begin(), files.end());
    start(std::move(all), m_wantedReference);
}

void Comparison::removeFile(const hub::ModelPlace& file) {
    Places rest = m_places;
    std::erase(rest, file);
    start(std::move(rest), m_wantedReference);
}

void Comparison::setReference(const hub::ModelPlace& file) {
    m_wantedReference = file;
    if (m_files.size() < 2) {
        return;
    }
    stopJobs();
    nameFiles();
    match();
}

void Comparison::setImatrix(std::shared_ptr<const Imatrix> imatrix) {
    m_imatrix = std::move(imatrix);
    m_imatrixChosen = true;
    if (m_files.size() < 2) {
        return;
    }
    stopJobs();
    match();
}

void Comparison::reload() {
    m_behaviours = {}; // of the versions read before
    open();
}

std::optional<hub::ModelPlace> Comparison::referencePlace() const {
    return m_files.empty() ? m_wantedReference : m_files[m_reference].place;
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
    if (m_divergences.reference != referencePlace()) {
        return std::nullopt;
    }
    const auto found = m_divergences.figures.find(m_files[file].place);
    return found != m_divergences.figures.end() ? std::optional(found->second) : std::nullopt;
}

void Comparison::setDivergences(const std::optional<hub::ModelPlace>& reference,
                                std::map<hub::ModelPlace, double> figures, const QString& text) {
    Divergences divergences{reference, std::move(figures), text};
    if (m_divergences == divergences) {
        return;
    }
    m_divergences = std::move(divergences);
    emit divergencesMeasured();
}

QString Comparison::divergenceText() const {
    return m_divergences.reference == referencePlace() && !m_divergences.figures.empty() ? m_divergences.text
                                                                                         : QString();
}

std::shared_ptr<const Behaviour> Comparison::behaviour(std::size_t file) const {
    const auto found = m_behaviours.found.find(m_files[file].place);
    return found != m_behaviours.found.end() && m_behaviours.reference == referencePlace() ? found->second : nullptr;
}

const BehaviourPart* Comparison::behaviourOf(std::size_t row, std::size_t file) const {
    const TensorMatch& match = m_matches->rows[row];
    const auto found = match.has(m_reference) ? behaviour(file) : nullptr;
    if (found == nullptr) {
        return nullptr;
    }
    const auto expert = match.slice && match.expert ? std::optional<std::uint64_t>(*match.expert) : std::nullopt;
    return found->find(m_files[m_reference].model->tensor(match.cells[m_reference].part.tensor).name, expert);
}

void Comparison::setBehaviours(const std::optional<hub::ModelPlace>& reference,
                               std::map<hub::ModelPlace, std::shared_ptr<const Behaviour>> found, const QString& text) {
    Behaviours behaviours{reference, std::move(found), text};
    if (m_behaviours == behaviours) {
        return;
    }
    m_behaviours = std::move(behaviours);
    emit behavioursMeasured();
}

QString Comparison::behaviourText() const {
    return m_behaviours.reference == referencePlace() && !m_behaviours.found.empty() ? m_behaviours.text : QString();
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

void Comparison::allOpened() {
    std::vector<WatchedFile> watched;
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        Result<OpenedFile>& result = *m_opening[i];
        if (!result) {
            m_unreadable.push_back({m_places[i], result.error()});
            continue;
        }
        ComparedFile file{.place = m_places[i],
                          .model = result->opened.model,
                          .totals = result->opened.model->totals(),
                          .memory = result->memory,
                          .name = modelNameText(m_places[i]),
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
    Places places;
    std::vector<std::shared_ptr<const Model>> models;
    for (const ComparedFile& file : m_files) {
        places.push_back(file.place);
        models.push_back(file.model);
    }
    const auto wanted = std::ranges::find(places, m_wantedReference);
    m_reference = wanted != places.end() ? static_cast<std::size_t>(wanted - places.begin())
                  : models.empty()       ? 0
                                         : originFile().value_or(proposedReference(models));
    const QStringList labels = shortLabels(places);
    int series = 0;
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        m_files[i].label = labels[static_cast<qsizetype>(i)];
        m_files[i].series = i == m_reference ? -1 : series++;
    }
}

// The first folder from which others of the files can be made.
std::optional<std::size_t> Comparison::originFile() const {
    const auto folder = std::ranges::find(m_files, true, &ComparedFile::canBeOrigin);
    const bool hasGguf = std::ranges::any_of(m_files, &ComparedFile::isGguf);
    return folder != m_files.end() && hasGguf ? std::optional<std::size_t>(folder - m_files.begin()) : std::nullopt;
}

std::optional<bool> Comparison::isOfOrigin() const {
    const auto isSame = [](const convert::OriginProof& proof) { return proof.verdict == convert::OriginVerdict::Same; };
    if (m_proof != nullptr) {
        return isSame(*m_proof);
    }
    return m_fileOrigins.empty() ? std::nullopt
                                 : std::optional(std::ranges::all_of(m_fileOrigins, [&](const FileOrigin& origin) {
                                       return isSame(origin.proved->proof);
                                   }));
}

std::optional<std::size_t> Comparison::worstOfProof() const {
    if (m_proof != nullptr) {
        return m_proof->worst;
    }
    for (const FileOrigin& origin : m_fileOrigins) {
        if (origin.proved->proof.worst) {
            const std::string label = origin.proved->matches.rows[*origin.proved->proof.worst].label();
            const auto row = std::ranges::find(m_matches->rows, label, &TensorMatch::label);
            return row != m_matches->rows.end() ? std::optional<std::size_t>(row - m_matches->rows.begin())
                                                : std::nullopt;
        }
    }
    return std::nullopt;
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
    m_mayFetch = m_mayFetch || std::exchange(m_waitsForFetching, false);
    if (!m_metadata && m_metadataJob.isNull()) {
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

#include "moc_comparison.cpp"
