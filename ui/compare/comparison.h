// A comparison while it is made and after: which files, which is the reference, what has been found so far. The pages
// of a comparison tab read it and follow its signals.
//
// UI thread; the work is done by jobs. Files are opened anew, as they are on disk: unsaved edits of a tab are not seen.
#pragma once

#include "analysis/compare/compare_metadata.h"
#include "analysis/compare/compare_models.h"
#include "ui/jobs/job.h"
#include "ui/shell/file_watch.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <array>
#include <memory>

namespace gufo::ui {

struct ComparedFile {
    std::filesystem::path path;
    std::shared_ptr<const Model> model;
    Model::Totals totals{};
    QString name;    // of the file, without .gguf
    QString label;   // short: what tells it from the others
    int series = -1; // its colour on every page; −1: the reference
};

struct UnreadableFile {
    std::filesystem::path path;
    Error error;
};

// What is known of a model in a row of the matches.
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
    PairSums sums;
    std::shared_ptr<const Error> error; // of Failed
};

inline constexpr std::size_t kTensorGroups = 7;
struct ModelTotals {
    ComparisonTotals all;
    std::array<ComparisonTotals, kTensorGroups> groups; // by TensorGroup
};

class Comparison : public QObject {
    Q_OBJECT

public:
    enum class State { Opening, Matching, Comparing, Done, Cancelled, Failed };

    explicit Comparison(QObject* parent = nullptr);
    ~Comparison() override;

    // Two to kMaxCompared files; a reference that is none of them, or is empty, is chosen: the most bits per weight.
    void start(std::vector<std::filesystem::path> files, const std::filesystem::path& reference = {});
    void addFiles(const std::vector<std::filesystem::path>& files); // those that fit and are not there yet
    void removeFile(const std::filesystem::path& file);
    void setReference(const std::filesystem::path& file);
    void reload();
    void cancel(); // what has been found stays
    void resume(); // after a cancel
    void checkFiles() { m_watch.check(); }

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool isBusy() const { return m_state < State::Done; }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
    [[nodiscard]] const std::vector<std::filesystem::path>& paths() const { return m_paths; }
    [[nodiscard]] std::filesystem::path referencePath() const;

    // Those that could be read, in the order of the matches' models; and the others.
    [[nodiscard]] const std::vector<ComparedFile>& files() const { return m_files; }
    [[nodiscard]] const std::vector<UnreadableFile>& unreadable() const { return m_unreadable; }
    [[nodiscard]] std::size_t reference() const { return m_reference; }
    // The files beside the reference, in order.
    [[nodiscard]] std::vector<std::size_t> others() const;

    [[nodiscard]] const std::shared_ptr<const TensorMatches>& matches() const { return m_matches; } // null until known
    [[nodiscard]] const PairCell& cell(std::size_t row, std::size_t file) const {
        return m_cells[row * m_files.size() + file];
    }
    [[nodiscard]] bool isComparable(std::size_t row, std::size_t file) const;
    [[nodiscard]] std::optional<double> bitsPerWeight(std::size_t row, std::size_t file) const;
    [[nodiscard]] PartOf partOf(std::size_t row, std::size_t file) const; // which must have it

    // Of each file; while the job runs those of what has been found. Empty until matched.
    [[nodiscard]] const std::vector<ModelTotals>& totals() const { return m_totals; }
    [[nodiscard]] std::size_t rowsDone() const { return m_rowsDone; }
    [[nodiscard]] qint64 elapsedMs() const { return m_elapsedMs; }

    [[nodiscard]] const std::shared_ptr<const MetadataComparison>& metadata() const { return m_metadata; }
    // Of the finished run: what reports are made of. Null before.
    [[nodiscard]] const std::shared_ptr<const ModelComparison>& result() const { return m_result; }
    [[nodiscard]] Job* job() const { return m_job; }

signals:
    void stateChanged();
    void filesChanged(); // read, or another reference: matches() is null until matched() comes
    void matched();
    void rowsFound(const std::vector<std::size_t>& rows); // in batches
    void totalsChanged();
    void metadataCompared();
    void fileChanged(const std::filesystem::path& path, bool gone); // on disk

private:
    struct Found; // what workers leave for the UI thread
    void open();
    void allOpened();
    void nameFiles();
    void match();
    void compare();
    void compareMetadataToo();
    void drain();
    void countTotals();
    void stopJobs();
    void setState(State state);
    void fail(const Error& error);

    State m_state = State::Opening;
    std::optional<Error> m_error;
    std::vector<std::filesystem::path> m_paths;
    std::filesystem::path m_wantedReference;
    std::vector<ComparedFile> m_files;
    std::vector<UnreadableFile> m_unreadable;
    std::size_t m_reference = 0;
    std::vector<std::optional<Result<OpenedModel>>> m_opening;
    FileWatch m_watch;

    std::shared_ptr<const TensorMatches> m_matches;
    std::vector<PairCell> m_cells; // [row][file]
    std::vector<ModelTotals> m_totals;
    std::size_t m_rowsDone = 0;
    std::shared_ptr<const ModelComparison> m_result;
    std::shared_ptr<const MetadataComparison> m_metadata;
    std::shared_ptr<Found> m_found;
    QTimer m_drain;
    QElapsedTimer m_clock;
    QElapsedTimer m_counted;
    qint64 m_elapsedMs = 0;
    std::vector<QPointer<Job>> m_openJobs;
    QPointer<Job> m_job; // matching, then comparing
    QPointer<Job> m_metadataJob;
};

} // namespace gufo::ui
