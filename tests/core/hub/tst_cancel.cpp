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
        QTest::addColumn<QByteArray>("what");
        for (const char* what :
             {"a request", "a silent server", "a list of files", "a header", "a slow download", "a fast download"}) {
            QTest::newRow(what) << QByteArray(what);
        }
    }
    void endsAtOnce() {
        QFETCH(QByteArray, what);
        const bool isFast = what == "a fast download"; // it has written much that is not on the disk yet
        m_hub->files[kFile] = isFast ? std::string(std::size_t{256} << 20, 'x') : modelFile();
        m_hub->pauseMs = isFast ? 0 : 20;
        m_hub->fault = what == "a silent server" ? test::FileFault::Silent : test::FileFault::None;
        const std::filesystem::path folder = m_folder->path().toStdString();
        net::Client client;
        ModelFiles model;
        if (what.endsWith("download")) {
            auto resolved = resolveModel(client, ModelPlace::parse(kName));
            QVERIFY(resolved.has_value());
            model = resolved->model;
        }
        const auto forget = [](const auto& result) {
            return result ? Result<>() : Result<>(std::unexpected(result.error()));
        };
        const std::string url = m_hub->url(std::string("/owl/night-GGUF/resolve/main/") + kFile);
        const Work work = [&](const JobContext& job) -> Result<> {
            if (what == "a request" || what == "a silent server") {
                return forget(client.send({.url = url, .maxBytes = 1 << 30}, {}, job));
            }
            if (what == "a list of files") {
                return forget(resolveModel(client, ModelPlace::parse(kName), job));
            }
            if (what == "a header") {
                return forget(openModel(ModelPlace::parse(url), job));
            }
            return forget(download(client, model, {.folder = folder, .replaces = true}, job));
        };
        const auto isTime = [&] {
            const std::uint64_t enough = isFast ? std::uint64_t{160} << 20 : 1;
            return what == "a silent server"   ? m_hub->fileRequests > kSilentFrom
                   : what == "a list of files" ? !m_hub->server().requests().empty()
                                               : m_hub->sent >= enough;
        };
        QByteArray took;
        const bool isQuick = isQuickOnce([&] {
            m_hub->sent = 0;
            m_hub->fileRequests = what == "a silent server" ? kSilentFrom : 0;
            std::filesystem::remove_all(folder / "cache");
            std::filesystem::remove(folder / (std::string(kFile) + ".part.json"));
            const auto time = timeToStop(work, isTime);
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
