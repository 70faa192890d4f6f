// Runs the files of a comparison on the same text in lock step, and compares each with the reference. The reference's
// model can also take part in another engine, or on a server that runs it.
//
// UI thread only. A job does the work; it opens its own sessions, and releases their memory at the end.
#pragma once

#include "inference/engine_table.h"
#include "inference/measuring/lock_step.h"
#include "text/tokenizer/tokenizer.h"
#include "ui/compare/comparison.h"

#include <QElapsedTimer>

#include <mutex>

namespace gufo::ui {

struct LockStepFile {
    std::shared_ptr<const Model> model;
    hub::ModelPlace place;
    QString label;
    int series = -1; // index of its colour; −1: the reference
    // The engine that runs the model; null: the engine of the run.
    const inference::Engine* engine = nullptr;
    // Set if a server takes part instead of a file: `model` is then the reference's model, and `place` the address.
    std::optional<inference::ServerAccess> server{};
};

class LockStepRun : public QObject {
    Q_OBJECT

public:
    enum class State { Nothing, Running, Done, Stopped, Failed };

    // Uses the first of `engines` (a permanent table) that gives the logits of all tokens.
    explicit LockStepRun(QObject* parent = nullptr, std::span<const inference::Engine> engines = inference::engines());
    ~LockStepRun() override;

    // The first file is the reference; servers come last. Discards earlier results. `maximum` is the number of tokens
    // to generate after the text.
    void start(std::vector<LockStepFile> files, const std::string& text, std::uint32_t maximum);
    void stop();  // keeps the results
    void clear(); // stops and discards the results

    // Why no run is possible; empty if one is.
    [[nodiscard]] QString missing() const;
    // Another engine on this computer that can run files in lock step; null if there is none. It may not be installed.
    [[nodiscard]] const inference::Engine* otherEngine() const { return m_other; }
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const std::vector<LockStepFile>& files() const { return m_files; }
    [[nodiscard]] const std::vector<inference::LockStepPlace>& places() const { return m_places; }
    [[nodiscard]] inference::LockStepSummary summary(std::size_t file) const;
    // The first position at which any file's most likely token differs from the reference's.
    [[nodiscard]] std::optional<std::size_t> firstDifference() const;
    // The tokens from which the prediction at a row of places() is made.
    [[nodiscard]] std::vector<TokenId> tokensBefore(std::size_t row) const;
    [[nodiscard]] QString tokenText(TokenId token) const; // with visible spaces and control characters
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] Job* job() const { return m_job; }

signals:
    void stateChanged();
    void placesAdded(std::size_t first); // from `first` to the end

private:
    struct Shared; // results that the job hands to the UI thread
    void drain();

    const inference::Engine* m_engine; // null: no engine can do this
    const inference::Engine* m_other;  // see otherEngine()
    const inference::Engine* m_remote; // the one for servers; null: there is none
    State m_state = State::Nothing;
    std::vector<LockStepFile> m_files;
    std::vector<inference::LockStepPlace> m_places;
    std::optional<TokenId> m_firstToken{}; // which nothing predicts
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    QString m_error;
    std::shared_ptr<Shared> m_shared;
    QPointer<Job> m_job;
    QTimer m_timer;
};

} // namespace gufo::ui
