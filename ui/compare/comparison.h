// A running or finished comparison: the files, the reference, and what has been found so far. The pages of a comparison
// tab read it and follow its signals.
//
// UI thread only; the work is done by jobs. Files are opened separately as they are on disk, so unsaved edits in a tab
// are not compared.
#pragma once

#include "analysis/compare/compare_metadata.h"
#include "analysis/compare/compare_models.h"
#include "convert/origin/compare_origin.h"
#include "ui/jobs/job.h"
#include "ui/report/behaviour.h"
#include "ui/report/origin_report.h"
#include "ui/shell/file_watch.h"
#include "ui/shell/places.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QTimer>

#include <array>
#include <map>
#include <memory>

namespace gufo::ui {

struct ComparedFile {
    hub::ModelPlace place;
    std::shared_ptr<const Model> model;
    Model::Totals totals{};
    std::optional<std::uint64_t> memory{}; // bytes to run it (ui/report/fitting.h)
    QString name;                          // the file's name without .gguf
    QString label;                         // a short name that distinguishes it from the others
    int series = -1;                       // index of its colour on every page; −1: the reference
    bool canBeOrigin = false;              // a folder from which a GGUF file can be made
    bool isGguf = false;                   // has GGUF's keys and names
};

// A model as a job opened it.
struct OpenedFile {
    OpenedModel opened;
    std::optional<std::uint64_t> memory{};
    bool canBeOrigin = false;
    bool isGguf = false;
};

struct UnreadableFile {
    hub::ModelPlace place;
    Error error;
};

// The state of one tensor in one file.
struct PairCell {
    enum class State : std::uint8_t {
        Pending,     // not compared yet
        NotCompared, // missing, extra, reshaped, or the reference itself
        Compared,
        Failed,
    };
    State state = State::Pending;
    bool identical = false;
    bool truncated = false;
    ComparedSums sums;
    std::shared_ptr<const Error> error; // of Failed

    [[nodiscard]] Likeness likeness() const { return likenessOf(sums, identical, truncated); }
};

inline constexpr std::size_t kTensorGroups = 7;
struct ModelTotals {
    ComparisonTotals all;
    std::array<ComparisonTotals, kTensorGroups> groups; // indexed by TensorGroup
};

class Comparison : public QObject {
    Q_OBJECT

public:
    enum class State { Opening, Matching, Comparing, Done, Cancelled, Failed };

    explicit Comparison(QObject* parent = nullptr);
    ~Comparison() override;

    // Compares two to kMaxCompared files. If there is no reference among them, the file with the most bits per weight
    // is chosen.
    void start(Places files, const std::optional<hub::ModelPlace>& reference = {});
    // The same in two steps: the files are known at once, but only read by reload().
    void setFiles(Places files, const std::optional<hub::ModelPlace>& reference);
    // Emits the signals that led to the present state again, for views that were made after them.
    void announce();
    void addFiles(const Places& files); // adds files up to the limit, without duplicates
    void removeFile(const hub::ModelPlace& file);
    void setReference(const hub::ModelPlace& file);
    // Weights errors by an importance matrix, or by none, and compares anew. Before this is called, the matrix is the
    // one that a file names, if it is beside it.
    void setImatrix(std::shared_ptr<const Imatrix> imatrix);
    void reload();
    void cancel(); // keeps what has been found
    void resume(); // continues after cancel(), or fetches what a comparison of weights on servers needs
    // The bytes that comparing all weights would fetch from servers. Unless the user asks for it (resume()), such
    // weights are not compared: the state is Cancelled after the matching.
    [[nodiscard]] std::uint64_t bytesToFetch() const;
    // Whether the weights are not compared for that reason only.
    [[nodiscard]] bool waitsForFetching() const { return m_waitsForFetching; }
    void checkFiles() { m_watch.check(); }

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool isBusy() const { return m_state < State::Done; }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
    [[nodiscard]] const Places& places() const { return m_places; }
    // Whether a file was given twice: it is compared only once.
    [[nodiscard]] bool wasGivenTwice() const { return m_givenTwice; }
    [[nodiscard]] std::optional<hub::ModelPlace> referencePlace() const;

    // The files that could be read, in the order of the matches' models; and the others.
    [[nodiscard]] const std::vector<ComparedFile>& files() const { return m_files; }
    [[nodiscard]] const std::vector<UnreadableFile>& unreadable() const { return m_unreadable; }
    [[nodiscard]] std::size_t reference() const { return m_reference; }
    // The files except the reference, in order.
    [[nodiscard]] std::vector<std::size_t> others() const;

    [[nodiscard]] const std::shared_ptr<const TensorMatches>& matches() const { return m_matches; } // null until known
    [[nodiscard]] const PairCell& cell(std::size_t row, std::size_t file) const {
        return m_cells[row * m_files.size() + file];
    }
    [[nodiscard]] bool isComparable(std::size_t row, std::size_t file) const;
    [[nodiscard]] std::optional<double> bitsPerWeight(std::size_t row, std::size_t file) const;
    [[nodiscard]] PartOf partOf(std::size_t row, std::size_t file) const; // the file must have the tensor

    // The totals of each file; while the job runs, of what has been found so far. Empty before matching.
    [[nodiscard]] const std::vector<ModelTotals>& totals() const { return m_totals; }
    [[nodiscard]] std::size_t rowsDone() const { return m_rowsDone; }
    [[nodiscard]] qint64 elapsedMs() const { return m_elapsedMs; }

    // The matrix by which errors are weighted, from matched() on. Null: none. And why the chosen one is not used.
    [[nodiscard]] const std::shared_ptr<const Imatrix>& imatrix() const { return m_imatrix; }
    [[nodiscard]] const std::optional<Error>& imatrixError() const { return m_imatrixError; }

    // The mean KL divergence of a file's predictions from the reference's, in nats, if both were run on a text.
    [[nodiscard]] std::optional<double> divergence(std::size_t file) const;
    // Figures by place, of files that were run against `reference` on a text, which `text` names. They replace the
    // figures of an earlier text.
    void setDivergences(const std::optional<hub::ModelPlace>& reference, std::map<hub::ModelPlace, double> figures,
                        const QString& text);
    [[nodiscard]] QString divergenceText() const; // the name of the text; empty if there are no figures

    // What swapping a file's tensors with the reference's has shown; null if that was not measured.
    [[nodiscard]] std::shared_ptr<const Behaviour> behaviour(std::size_t file) const;
    // Of the smallest part that was swapped and contains the tensor of a row; null if there is none.
    [[nodiscard]] const BehaviourPart* behaviourOf(std::size_t row, std::size_t file) const;
    // By place, as setDivergences().
    void setBehaviours(const std::optional<hub::ModelPlace>& reference,
                       std::map<hub::ModelPlace, std::shared_ptr<const Behaviour>> found, const QString& text);
    [[nodiscard]] QString behaviourText() const; // the name of the text; empty if nothing was measured

    [[nodiscard]] const std::shared_ptr<const MetadataComparison>& metadata() const { return m_metadata; }
    // If GGUF files are compared with a folder that can be converted to one: the folder as the conversion would write
    // it, which replaces the folder's model from matched() on. Null otherwise.
    [[nodiscard]] const std::shared_ptr<const convert::Origin>& origin() const { return m_origin; }
    // How the other one of two files, or each of several GGUF files, is related to it; these are available last.
    [[nodiscard]] const std::shared_ptr<const convert::OriginProof>& proof() const { return m_proof; }
    [[nodiscard]] const std::vector<FileOrigin>& fileOrigins() const { return m_fileOrigins; }
    // Whether all of them are the model of the folder; nothing while that is unknown.
    [[nodiscard]] std::optional<bool> isOfOrigin() const;
    // The row of the matches that differs most from the origin in the first file that differs.
    [[nodiscard]] std::optional<std::size_t> worstOfProof() const;
    // The verdict in words, and what it is based on (ui/report/origin_report.h).
    [[nodiscard]] const QString& verdictText() const { return m_verdictText; }
    [[nodiscard]] const QStringList& verdictDetails() const { return m_verdictDetails; }
    // Without an origin: the tensors of a finished comparison that have the weights of others.
    [[nodiscard]] const std::vector<ExchangedTensor>& exchanged() const { return m_exchanged; }
    // Why a folder could not be compared with the file as its origin.
    [[nodiscard]] const std::optional<Error>& originError() const { return m_originError; }
    // The result of a finished run, for reports. Null before.
    [[nodiscard]] const std::shared_ptr<const ModelComparison>& result() const { return m_result; }
    [[nodiscard]] Job* job() const { return m_job; }

signals:
    void stateChanged();
    void filesChanged(); // they were read, or the reference has changed: matches() is null until matched()
    void matched();
    void rowsFound(const std::vector<std::size_t>& rows); // in batches
    void totalsChanged();
    void metadataCompared();
    void proved(); // proof(), fileOrigins() or exchanged() have come or gone
    void divergencesMeasured();
    void behavioursMeasured();
    void fileChanged(const std::filesystem::path& path, gufo::ui::FileChange change); // on disk

private:
    struct Found; // results that workers hand to the UI thread
    struct Matched;
    void open();
    void allOpened();
    void nameFiles();
    void match();
    void takeMatches(Matched matched);
    void compare();
    void compareMetadataToo();
    void finishOrProve();
    void proveFiles();
    void dropProof();
    [[nodiscard]] std::optional<std::size_t> originFile() const;
    void drain();
    void countTotals();
    void stopJobs();
    void setState(State state);
    void fail(const Error& error);

    struct Divergences {
        std::optional<hub::ModelPlace> reference;
        std::map<hub::ModelPlace, double> figures;
        QString text;
        bool operator==(const Divergences&) const = default;
    };
    Divergences m_divergences;
    struct Behaviours {
        std::optional<hub::ModelPlace> reference;
        std::map<hub::ModelPlace, std::shared_ptr<const Behaviour>> found;
        QString text;
        bool operator==(const Behaviours&) const = default;
    };
    Behaviours m_behaviours;
    State m_state = State::Opening;
    std::optional<Error> m_error;
    Places m_places;
    bool m_givenTwice = false;
    std::optional<hub::ModelPlace> m_wantedReference;
    std::vector<ComparedFile> m_files;
    std::vector<UnreadableFile> m_unreadable;
    std::size_t m_reference = 0;
    std::vector<std::optional<Result<OpenedFile>>> m_opening;
    FileWatch m_watch;

    std::shared_ptr<const Imatrix> m_imatrix;
    bool m_imatrixChosen = false;
    std::optional<Error> m_imatrixError{};
    std::shared_ptr<const TensorMatches> m_matches;
    std::shared_ptr<ComparisonCache> m_cache; // shared with other comparisons; null until the first run
    std::vector<PairCell> m_cells;            // [row][file]
    std::vector<ModelTotals> m_totals;
    std::size_t m_rowsDone = 0;
    bool m_mayFetch = false; // weights on servers, for these files
    bool m_waitsForFetching = false;
    std::shared_ptr<const ModelComparison> m_result;
    std::shared_ptr<const MetadataComparison> m_metadata;
    std::shared_ptr<const convert::Origin> m_origin;
    std::shared_ptr<const convert::OriginProof> m_proof;
    std::vector<FileOrigin> m_fileOrigins;
    std::vector<ExchangedTensor> m_exchanged;
    QString m_verdictText;
    QStringList m_verdictDetails;
    std::optional<Error> m_originError;
    std::shared_ptr<Found> m_found;
    QTimer m_drain;
    QElapsedTimer m_clock;
    QElapsedTimer m_counted;
    qint64 m_elapsedMs = 0;
    std::vector<QPointer<Job>> m_openJobs;
    QPointer<Job> m_job; // first matches, then compares, and then checks what an origin explains
    QPointer<Job> m_metadataJob;
};

// One row of a comparison's matches, for jobs. It keeps alive what it refers to.
struct MatchedRow {
    std::shared_ptr<const TensorMatches> matches;
    std::size_t row = 0;

    [[nodiscard]] PartOf of(std::size_t file) const {
        return {matches->models[file].get(), matches->rows[row].cells[file].part};
    }
    [[nodiscard]] PartOf reference() const { return of(matches->reference); }
};

} // namespace gufo::ui
