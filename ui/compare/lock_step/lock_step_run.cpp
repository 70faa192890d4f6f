#include "ui/compare/lock_step/lock_step_run.h"

#include "base/detail.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/model_text.h"

#include <algorithm>
#include <ranges>

namespace gufo::ui {
namespace {

constexpr int kLockStepDrainMs = 60;
constexpr std::size_t kCandidates = 5;
constexpr std::uint32_t kBatch = 32; // rows of logits held at a time for each file

// The same token ids must stand for the same texts.
Result<> checkVocabulary(const text::Vocabulary& first, const LockStepFile& file, const JobContext& job) {
    const auto other = GUFO_TRY(text::Vocabulary::read(file.model->metadata, job));
    if (const auto difference = text::findDifference(first, other)) {
        return fail(ErrorCode::InvalidArgument, {},
                    {Argument(Detail::NoCommonVocabulary, {vocabularyDifferenceDetail(*difference)})});
    }
    return {};
}

// Opens a server that can report the figures: it must run the reference's model. Errors: see Engine::open;
// InvalidArgument.
Result<std::unique_ptr<inference::Responder>> openServer(const inference::Engine* remote, const LockStepFile& file,
                                                         const JobContext& job) {
    auto server = remote != nullptr ? remote->open(file.model, {.server = *file.server}, job)
                                    : fail(ErrorCode::NotSupported, {}, {std::string("llama-server")});
    if (!server) {
        return std::unexpected(std::move(server.error()).in(file.place.keptText()));
    }
    const inference::ResponderFacts& facts = (*server)->facts();
    if (!facts.offers(inference::Feature::Scoring)) {
        Argument why = facts.match.model() == inference::Agreement::Same
                           ? Argument(Detail::EngineLacks, {static_cast<int>(inference::Feature::Scoring)})
                           : serverMatchDetail(facts.match);
        return std::unexpected(
            fail(ErrorCode::InvalidArgument, {}, {std::move(why)}).error().in(file.place.keptText()));
    }
    return server;
}

const inference::Engine* otherThan(const inference::Engine* first, std::span<const inference::Engine> engines) {
    const auto other = std::ranges::find_if(engines, [&](const inference::Engine& engine) {
        return &engine != first && !engine.remote && engine.load != nullptr &&
               inference::offers(engine.capabilities, inference::Feature::AllLogits);
    });
    return other != engines.end() ? &*other : nullptr;
}

} // namespace

struct LockStepRun::Shared {
    std::mutex mutex; // guards everything below
    std::vector<inference::LockStepPlace> places;
    std::optional<TokenId> firstToken;
    std::shared_ptr<const text::Tokenizer> tokenizer;
};

LockStepRun::LockStepRun(QObject* parent, std::span<const inference::Engine> engines)
    : QObject(parent)
    , m_engine(inference::engineWith(inference::Feature::AllLogits, engines))
    , m_other(otherThan(m_engine, engines))
    , m_remote(inference::remoteEngine(engines)) {
    m_timer.setInterval(kLockStepDrainMs);
    connect(&m_timer, &QTimer::timeout, this, &LockStepRun::drain);
}

LockStepRun::~LockStepRun() {
    if (m_job) {
        m_job->cancel();
    }
}

QString LockStepRun::missing() const {
    return m_engine != nullptr ? QString() : featureMissingTip(inference::Feature::AllLogits);
}

void LockStepRun::start(std::vector<LockStepFile> files, const std::string& text, std::uint32_t maximum) {
    clear();
    if (m_engine == nullptr) {
        m_state = State::Failed;
        m_error = missing();
        emit stateChanged();
        return;
    }
    m_files = std::move(files);
    m_shared = std::make_shared<Shared>();
    m_state = State::Running;
    const auto work = [shared = m_shared, files = m_files, text, maximum, load = m_engine->load,
                       remote = m_remote](const JobContext& job) -> Result<bool> {
        auto tokenizer = text::makeTokenizer(*files.front().model, job);
        if (!tokenizer) {
            return std::unexpected(std::move(tokenizer.error()).in(files.front().place.keptText()));
        }
        {
            const std::lock_guard lock(shared->mutex);
            shared->tokenizer = *tokenizer;
        }
        const auto encoding =
            GUFO_TRY((*tokenizer)->encode(text, {.addEos = false, .parseSpecial = true}, job.silent()));
        if (encoding.ids.size() + maximum < 2) {
            return fail(ErrorCode::InvalidArgument, {}, {Detail::NothingToPredict});
        }
        if (encoding.ids.empty()) {
            return fail(ErrorCode::InvalidArgument, {}, {Detail::TextWithoutTokens});
        }
        {
            const std::lock_guard lock(shared->mutex);
            shared->firstToken = encoding.ids.front();
        }
        std::vector<std::unique_ptr<inference::Session>> sessions;
        std::vector<inference::Session*> running;
        std::vector<std::unique_ptr<inference::Responder>> servers;
        std::vector<inference::Responder*> asked;
        for (const LockStepFile& file : files) {
            if (file.server) {
                auto server = GUFO_TRY(openServer(remote, file, job));
                asked.push_back(server.get());
                servers.push_back(std::move(server));
                continue;
            }
            auto loaded = file.engine != nullptr ? file.engine->load(file.model) : load(file.model);
            auto vocabulary = loaded ? checkVocabulary((*tokenizer)->vocabulary(), file, job)
                                     : Result<>(std::unexpected(loaded.error()));
            if (!vocabulary) {
                Error error = std::move(vocabulary.error()); // may name a shard
                return std::unexpected(error.file.empty() ? std::move(error).in(file.place.keptText())
                                                          : std::move(error));
            }
            const auto context = static_cast<std::uint32_t>(encoding.ids.size()) + maximum;
            auto session = (*loaded)->startSession({.context = context, .batch = kBatch}, job.silent());
            if (!session) {
                return std::unexpected(std::move(session.error()).in(file.place.keptText()));
            }
            running.push_back(session->get());
            sessions.push_back(std::move(*session));
        }
        const inference::LockStepSettings settings{
            .maxTokens = maximum, .candidates = kCandidates, .ends = (*tokenizer)->specials().endOfGeneration};
        const auto take = [&](inference::LockStepPlace place) {
            const std::lock_guard lock(shared->mutex);
            shared->places.push_back(std::move(place));
        };
        GUFO_TRY(inference::runInLockStep(running, encoding.ids, settings, job, take, asked));
        return true;
    };
    m_job = startJob<bool>(this, work, [this](Result<bool> result) {
        drain();
        m_timer.stop();
        m_state = result ? State::Done : State::Failed;
        m_error = result ? QString() : errorLine(result.error());
        emit stateChanged();
    });
    m_timer.start();
    emit stateChanged();
}

void LockStepRun::stop() {
    if (m_state != State::Running) {
        return;
    }
    drain();
    m_timer.stop();
    m_shared.reset();
    if (m_job) {
        m_job->cancel();
    }
    m_state = State::Stopped;
    emit stateChanged();
}

void LockStepRun::clear() {
    stop();
    m_places.clear();
    m_files.clear();
    m_tokenizer.reset();
    m_firstToken.reset();
    m_error.clear();
    m_state = State::Nothing;
    emit stateChanged();
}

void LockStepRun::drain() {
    if (m_shared == nullptr) {
        return;
    }
    const std::size_t first = m_places.size();
    {
        const std::lock_guard lock(m_shared->mutex);
        std::ranges::move(m_shared->places, std::back_inserter(m_places));
        m_shared->places.clear();
        m_tokenizer = m_shared->tokenizer;
        m_firstToken = m_shared->firstToken;
    }
    if (m_places.size() > first) {
        emit placesAdded(first);
    }
}

inference::LockStepSummary LockStepRun::summary(std::size_t file) const { return inference::summarise(m_places, file); }

std::optional<std::size_t> LockStepRun::firstDifference() const {
    const auto differs = [](const inference::LockStepPlace& place) {
        return std::ranges::any_of(place.choices, [&](const inference::LockStepChoice& choice) {
            return choice.isKnown && choice.token != place.choices.front().token;
        });
    };
    const auto found = std::ranges::find_if(m_places, differs);
    return found == m_places.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - m_places.begin()));
}

std::vector<TokenId> LockStepRun::tokensBefore(std::size_t row) const {
    std::vector<TokenId> tokens;
    if (m_firstToken && row < m_places.size()) {
        tokens.push_back(*m_firstToken);
        std::ranges::transform(m_places | std::views::take(row), std::back_inserter(tokens),
                               &inference::LockStepPlace::token);
    }
    return tokens;
}

QString LockStepRun::tokenText(TokenId token) const {
    if (m_tokenizer == nullptr) {
        return {};
    }
    QString text = displayText(m_tokenizer->bytesOf(token));
    return text.replace(u' ', QChar(0x2423)); // U+2423 open box
}

} // namespace gufo::ui

#include "moc_lock_step_run.cpp"
