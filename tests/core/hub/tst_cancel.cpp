// What waits for a server ends within 100 ms of a stop request, whatever the server and the disk are doing.
#include "document/open_model.h"
#include "hub/download.h"
#include "hub/repository_models.h"
#include "net/remote_source.h"
#include "support/gguf_builder.h"
#include "support/hub_double.h"
#include "support/test_unit.h"
#include "support/yardstick.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <thread>

using namespace gufo;
using namespace gufo::hub;
using namespace std::chrono_literals;
using gufo::test::FileFault;
using gufo::test::HubDouble;
using Clock = std::chrono::steady_clock;

namespace {

constexpr const char* kName = "hf.co/owl/night-GGUF";
constexpr const char* kFile = "n-Q8_0.gguf";
constexpr auto kLimit = 100ms;
constexpr int kSilentFrom = 2; // requests that FileFault::Silent answers

// A file whose header alone takes several requests.
std::string modelFile() {
    std::vector<std::string> words;
    for (int i = 0; i < 400'000; ++i) {
        words.push_back("word " + std::to_string(i));
    }
    test::GgufBuilder file;
    file.key("general.architecture", "llama").key("tokenizer.ggml.tokens", words);
    const auto bytes = file.build();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string largeFile() { return std::string(std::size_t{256} << 20, 'x'); }

// What the work of a row is done with.
struct Asked {
    net::Client& client;
    std::string url;
    std::filesystem::path folder;
    ModelFiles model{}; // if the row resolves it
};

// A work that waits for the hub, and when it is asked to stop.
struct Waiting {
    std::string (*file)() = modelFile;
    int pauseMs = 20; // of the hub, between pieces
    FileFault fault = FileFault::None;
    std::function<Result<>(const Asked&, const JobContext&)> work{};
    std::function<bool(HubDouble&)> isTime = [](HubDouble& hub) { return hub.sent >= 1; };
    bool resolves = false; // before
};

// The result without its value.
template<typename T>
Result<> forget(const Result<T>& result) {
    GUFO_TRY(result);
    return {};
}

} // namespace

class TestCancel : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<HubDouble> m_hub;

    using Work = std::function<Result<>(const JobContext&)>;
    // Runs the work, requests a stop as soon as `isTime`, and returns how long the work took to end; nothing if it
    // ended otherwise.
    static std::optional<Clock::duration> timeToStop(const Work& work, const std::function<bool()>& isTime) {
        std::stop_source stop;
        Clock::time_point asked;
        std::jthread stopper([&](const std::stop_token& end) {
            while (!end.stop_requested() && !isTime()) {
                std::this_thread::sleep_for(1ms);
            }
            asked = Clock::now();
            stop.request_stop();
        });
        const auto done = work({.stop = stop.get_token()});
        const auto ended = Clock::now();
        stopper.request_stop();
        stopper.join();
        return !done && done.error().code == ErrorCode::Cancelled ? std::optional(ended - asked) : std::nullopt;
    }

private slots:
    void init() {
        qunsetenv("HF_TOKEN");
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        qputenv("XDG_CACHE_HOME", m_folder->filePath(QStringLiteral("cache")).toUtf8());
        m_hub = std::make_unique<HubDouble>();
        m_hub->setEndpoints();
    }

    void endsAtOnce_data() {
        QTest::addColumn<Waiting>("waiting");
        const auto row = [](const char* name, Waiting waiting) { QTest::newRow(name) << std::move(waiting); };
        const auto request = [](const Asked& asked, const JobContext& job) {
            return forget(asked.client.send({.url = asked.url, .maxBytes = 1 << 30}, {}, job));
        };
        const auto fetch = [](const Asked& asked, const JobContext& job) {
            return forget(download(asked.client, asked.model, {.folder = asked.folder, .replaces = true}, job));
        };
        const auto list = [](const Asked& asked, const JobContext& job) {
            return forget(resolveModel(asked.client, ModelPlace::parse(kName), job));
        };
        const auto header = [](const Asked& asked, const JobContext& job) {
            return forget(openModel(ModelPlace::parse(asked.url), job));
        };
        const auto isSilent = [](HubDouble& hub) { return hub.fileRequests > kSilentFrom; };
        const auto isAsked = [](HubDouble& hub) { return !hub.server().requests().empty(); };
        const auto hasSentMuch = [](HubDouble& hub) { return hub.sent >= std::uint64_t{160} << 20; };
        row("a request", {.work = request});
        row("a silent server", {.fault = FileFault::Silent, .work = request, .isTime = isSilent});
        row("a list of files", {.work = list, .isTime = isAsked});
        row("a header", {.work = header});
        row("a slow download", {.work = fetch, .resolves = true});
        // It has written much that is not on the disk yet.
        row("a fast download",
            {.file = largeFile, .pauseMs = 0, .work = fetch, .isTime = hasSentMuch, .resolves = true});
    }
    void endsAtOnce() {
        QFETCH(Waiting, waiting);
        m_hub->files[kFile] = waiting.file();
        m_hub->pauseMs = waiting.pauseMs;
        m_hub->fault = waiting.fault;
        net::Client client;
        Asked asked{.client = client,
                    .url = m_hub->url(std::string("/owl/night-GGUF/resolve/main/") + kFile),
                    .folder = m_folder->path().toStdString()};
        if (waiting.resolves) {
            auto resolved = resolveModel(client, ModelPlace::parse(kName));
            QVERIFY(resolved.has_value());
            asked.model = resolved->model;
        }
        QByteArray took;
        const bool isQuick = isQuickOnce([&] {
            m_hub->sent = 0;
            m_hub->fileRequests = waiting.fault == FileFault::Silent ? kSilentFrom : 0;
            std::filesystem::remove_all(asked.folder / "cache");
            std::filesystem::remove(asked.folder / (std::string(kFile) + ".part.json"));
            const auto time = timeToStop([&](const JobContext& job) { return waiting.work(asked, job); },
                                         [&] { return waiting.isTime(*m_hub); });
            took += time ? QByteArray::number(std::chrono::duration<double, std::milli>(*time).count()) + " ms; "
                         : QByteArray("not cancelled; ");
            return time && *time < kLimit;
        });
        QVERIFY2(isQuick, took.constData());
        qInfo("%s", took.constData());
    }
};

GUFO_TEST(TestCancel)
#include "tst_cancel.moc"
