// The files of a comparison on the same text in lock step: the reference leads, the others are set against it.
//
// UI thread; the work is a job that opens sessions of its own and gives back their memory at its end.
#pragma once

#include "inference/session/lock_step.h"
#include "text/tokenizer/tokenizer.h"
#include "ui/compare/comparison.h"

#include <QElapsedTimer>

#include <mutex>

namespace gufo::ui {

struct LockStepFile {
    std::shared_ptr<const Model> model;
    std::filesystem::path path;
    QString label;
    int series = -1; // its colour; −1: the reference
};

class LockStepRun : public QObject {
    Q_OBJECT

public:
    enum class State { Nothing, Running, Done, Stopped, Failed };

    explicit LockStepRun(QObject* parent = nullptr);
    ~LockStepRun() override;

    // The first file leads. Forgets what was there. `most`: tokens that go on after the text.
    void start(std::vector<LockStepFile> files, const std::string& text, std::uint32_t most);
    void stop();  // what was found stays
    void clear(); // stops and forgets

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const std::vector<LockStepFile>& files() const { return m_files; }
    [[nodiscard]] const std::vector<inference::LockStepPlace>& places() const { return m_places; }
    [[nodiscard]] inference::LockStepSummary summary(std::size_t file) const;
    // Where any file first chooses another token than the reference.
    [[nodiscard]] std::optional<std::size_t> firstDifference() const;
    [[nodiscard]] QString tokenText(TokenId token) const; // spaces and control characters made visible
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] Job* job() const { return m_job; }

signals:
    void stateChanged();
    void placesAdded(std::size_t first); // from this one to the end

private:
    struct Shared; // what the job leaves for the UI thread
    void drain();

    State m_state = State::Nothing;
    std::vector<LockStepFile> m_files;
    std::vector<inference::LockStepPlace> m_places;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    QString m_error;
    std::shared_ptr<Shared> m_shared;
    QPointer<Job> m_job;
    QTimer m_timer;
};

} // namespace gufo::ui
