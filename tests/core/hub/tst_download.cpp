// Downloads: the right bytes or none, the bytes that are fetched again after an interruption, and an error of its own
// for each way in which a server can send something else.
#include "base/detail.h"
#include "hub/download.h"
#include "hub/download_journal.h"
#include "hub/repository_models.h"
#include "hub/verify.h"
#include "support/gguf_builder.h"
#include "support/hooked_operations.h"
#include "support/hub_double.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <thread>

using namespace gufo;
using namespace gufo::hub;
using namespace std::chrono_literals;
using gufo::test::FileFault;
using gufo::test::HttpRequest;
using gufo::test::HubDouble;

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kFileBytes = 3'000'001;
constexpr std::uint64_t kPieceBytes = 1 << 20;

std::string contentOf(std::size_t bytes, unsigned seed = 1) {
    std::string content(bytes, '\0');
    for (std::size_t i = 0; i < bytes; ++i) {
        content[i] = static_cast<char>((i / 7 + seed) * 2654435761U >> 24U);
    }
    return content;
}

std::string readFile(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void writeFile(const fs::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

QByteArray faultOf(const Error& error) {
    std::string text(errorName(error.code));
    for (const Argument& argument : error.args) {
        text += argument.detail() ? ' ' + std::string(detailName(*argument.detail())) : std::string();
    }
    return QByteArray::fromStdString(text);
}

// A folder, a hub with one file, and the download of it.
struct Setting {
    QTemporaryDir folder;
    HubDouble hub;
    net::Client client;
    TransferOptions transfer{.connections = 2,
                             .pieceBytes = kPieceBytes,
                             .retries = 2,
                             .firstPause = 10ms,
                             .timeouts = {.reply = 2s, .silence = 500ms, .leastBytes = 100}};

    Setting() {
        hub.files = {{"n-Q8_0.gguf", contentOf(kFileBytes)}};
        hub.setEndpoints();
    }
    [[nodiscard]] fs::path at(const char* name) const { return fs::path(folder.path().toStdString()) / name; }
    [[nodiscard]] fs::path path() const { return at("n-Q8_0.gguf"); }
    [[nodiscard]] fs::path journal() const { return FileDownload::journalPath(path()); }
    [[nodiscard]] ModelFiles model() {
        auto resolved = resolveModel(client, ModelPlace::parse("hf.co/owl/night-GGUF"));
        return resolved ? resolved->model : ModelFiles();
    }
    Result<std::vector<DownloadedFile>> fetch(const ModelFiles& files, const JobContext& job = {},
                                              bool replaces = false,
                                              FileOperations& operations = realFileOperations()) {
        hub.sent = 0;
        hub.fileRequests = 0;
        return download(client, files,
                        {.folder = folder.path().toStdString(), .replaces = replaces, .transfer = transfer}, job,
                        operations);
    }
    // Begins a download and cancels it when some of the file has arrived.
    Result<std::vector<DownloadedFile>> interrupt(const ModelFiles& files) {
        hub.pauseMs = 5;
        std::stop_source stop;
        Progress progress;
        std::jthread watcher([&](const std::stop_token& end) {
            while (!end.stop_requested() && progress.done() < kFileBytes / 3) {
                std::this_thread::sleep_for(1ms);
            }
            stop.request_stop();
        });
        auto result = fetch(files, {.stop = stop.get_token(), .progress = &progress});
        hub.pauseMs = 0;
        // What is still being sent must not count as bytes of the next download.
        if (!QTest::qWaitFor([this] { return hub.unfinishedAnswers == 0; })) {
            QTest::qFail("the hub still sends a cancelled download", __FILE__, __LINE__);
        }
        return result;
    }
    [[nodiscard]] bool isClean() const {
        return !fs::exists(FileDownload::partPath(path())) && !fs::exists(FileDownload::journalPath(path()));
    }
};

// Changes what a download finds.
using Step = std::function<void(Setting&, ModelFiles&)>;

void loseWhatIsNotSynchronised(Setting& s, ModelFiles&) { // as a restart of the system does
    const auto read = readJournal(s.journal());
    QVERIFY(restartsAreKnown() && read && read->durable.empty());
    std::string text = readFile(s.journal());
    const std::size_t boot = text.find("\"boot\":\"");
    QVERIFY(boot != std::string::npos);
    text.replace(boot + 8, 4, "0000");
    writeFile(s.journal(), text);
}

} // namespace

class TestDownload : public QObject {
    Q_OBJECT

private slots:
    void init() { qunsetenv("HF_TOKEN"); }

    void aFileArrivesWhole_data() {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<int>("connections");
        QTest::newRow("one byte") << 1 << 4;
        QTest::newRow("one piece") << 1000 << 4;
        QTest::newRow("exactly two pieces") << static_cast<int>(2 * kPieceBytes) << 4;
        QTest::newRow("many pieces, one connection") << 5'000'000 << 1;
        QTest::newRow("many pieces, four connections") << 5'000'000 << 4;
    }
    void aFileArrivesWhole() {
        QFETCH(int, bytes);
        QFETCH(int, connections);
        Setting s;
        s.hub.files["n-Q8_0.gguf"] = contentOf(static_cast<std::size_t>(bytes));
        s.transfer.connections = static_cast<unsigned>(connections);
        Progress progress;
        const auto done = s.fetch(s.model(), {.progress = &progress});
        QVERIFY2(done, done ? "" : faultOf(done.error()).constData());
        QCOMPARE(readFile(s.path()), s.hub.files["n-Q8_0.gguf"]);
        QVERIFY(done->at(0).isVerified);
        QCOMPARE(done->at(0).sha256, s.hub.digest("n-Q8_0.gguf"));
        QCOMPARE(progress.done(), static_cast<std::uint64_t>(bytes));
        QCOMPARE(progress.total(), static_cast<std::uint64_t>(bytes));
        QVERIFY(s.isClean());
        QVERIFY(s.hub.server().maxConnections() <= connections + 2);
    }

    void rangesAreFetchedInParallel() {
        Setting s;
        s.transfer.connections = 3;
        s.hub.pauseMs = 2;
        const auto files = s.model();
        const std::size_t asked = s.hub.server().requests().size();
        QVERIFY(s.fetch(files));
        QCOMPARE(s.hub.server().requests().size() - asked, 1U + 3U); // the first byte, and three pieces
        QVERIFY(s.hub.server().maxConnections() >= 3);
    }

    void faultsAreErrors_data() {
        QTest::addColumn<int>("fault");
        QTest::addColumn<QByteArray>("expected"); // empty: the file arrives in spite of it
        QTest::addColumn<bool>("keepsPart");
        const auto row = [](const char* name, FileFault fault, const char* expected, bool keepsPart = false) {
            QTest::newRow(name) << static_cast<int>(fault) << QByteArray(expected) << keepsPart;
        };
        row("none", FileFault::None, "");
        row("no ranges", FileFault::NoRanges, "");
        row("wrong Content-Range", FileFault::WrongRange, "reply_unusable range_wrong");
        row("one short body", FileFault::ShortOnce, "");
        row("changed ETag", FileFault::Changed, "remote_file_changed", true);
        row("file became shorter", FileFault::Shorter, "remote_file_changed", true);
        row("another size", FileFault::OtherSize, "remote_file_changed", true);
        row("404 with HTML", FileFault::NotFound, "http_status");
        row("503 once", FileFault::BusyOnce, "");
        row("redirect loop", FileFault::Loop, "address_refused redirect_limit");
        row("gzip", FileFault::Gzip, "reply_unusable reply_encoded");
        row("silence", FileFault::Silent, "connection_failed server_silent", true);
        row("weak ETag", FileFault::WeakTag, "");
        row("wrong bytes", FileFault::WrongBytes, "digest_mismatch");
    }
    void faultsAreErrors() {
        QFETCH(int, fault);
        QFETCH(QByteArray, expected);
        QFETCH(bool, keepsPart);
        Setting s;
        s.transfer.connections = 1;
        const auto files = s.model();
        s.hub.fault = static_cast<FileFault>(fault);
        const auto done = s.fetch(files);
        QCOMPARE(done ? QByteArray() : faultOf(done.error()), expected);
        QCOMPARE(fs::exists(s.path()), expected.isEmpty());
        if (expected.isEmpty()) {
            QCOMPARE(readFile(s.path()), s.hub.files["n-Q8_0.gguf"]);
        }
        // A part of the file is kept only if it can be resumed.
        QCOMPARE(fs::exists(FileDownload::journalPath(s.path())), keepsPart);
        QCOMPARE(fs::exists(FileDownload::partPath(s.path())), keepsPart);
    }

    void endlessShortBodiesEnd() {
        Setting s;
        s.hub.files["n-Q8_0.gguf"] = contentOf(2);
        s.transfer.connections = 1;
        const auto files = s.model();
        s.hub.fault = FileFault::ShortBody; // each brings one byte, so that even this ends with the file
        QVERIFY(s.fetch(files));
        QCOMPARE(readFile(s.path()), contentOf(2));
    }

    void theServersWordsAreShown() {
        Setting s;
        const auto files = s.model();
        s.hub.fault = FileFault::NotFound;
        const auto done = s.fetch(files);
        QCOMPARE(done.error().args.at(0).text(), "404");
        QCOMPARE(done.error().args.at(1).text(), "Not here");
    }

    void theHubsSizeMustBeRight() {
        Setting s;
        auto files = s.model();
        files.files[0].bytes += 1;
        const auto done = s.fetch(files);
        QCOMPARE(faultOf(done.error()), "reply_unusable size_differs");
        QVERIFY(s.isClean());
    }

    void anInterruptedDownloadIsResumed_data() {
        QTest::addColumn<Step>("before"); // the first attempt
        QTest::addColumn<Step>("between");
        QTest::addColumn<bool>("isResumed");
        const auto row = [](const char* name, const Step& before, const Step& between, bool isResumed) {
            QTest::newRow(name) << before << between << isResumed;
        };
        const Step nothing = [](Setting&, ModelFiles&) {};
        const Step noDigest = [](Setting&, ModelFiles& files) { files.files[0].sha256.clear(); };
        const Step weakTag = [noDigest](Setting& s, ModelFiles& files) {
            noDigest(s, files);
            s.hub.fault = FileFault::WeakTag;
        };
        const Step otherTag = [](Setting& s, ModelFiles&) { s.hub.etag = "\"2\""; };
        const auto wrongRanges = [](std::uint64_t second) -> Step {
            return [second](Setting& s, ModelFiles&) {
                auto wrong = readJournal(s.journal());
                QVERIFY(wrong);
                wrong->present = {{0, 100}, {second, 100}};
                wrong->durable = wrong->present;
                QVERIFY(writeJournal(s.journal(), *wrong));
            };
        };
        row("nothing", nothing, nothing, true);
        row("the system is restarted", nothing, loseWhatIsNotSynchronised, false);
        row("other ETag, same digest", nothing, otherTag, true);
        row("no digest", noDigest, nothing, true);
        row("no digest, other ETag", noDigest, otherTag, false);
        row("no digest, weak ETag", weakTag, nothing, false);
        row(
            "no digest, other address", noDigest,
            [](Setting& s, ModelFiles& files) { files.files[0].url = s.hub.url("/n-Q8_0.gguf"); }, false);
        row(
            "other content", nothing,
            [](Setting& s, ModelFiles& files) {
                s.hub.files["n-Q8_0.gguf"] = contentOf(kFileBytes, 2);
                s.hub.etag = "\"2\"";
                files = s.model();
            },
            false);
        row("no journal", nothing, [](Setting& s, ModelFiles&) { fs::remove(s.journal()); }, false);
        row(
            "torn journal", nothing,
            [](Setting& s, ModelFiles&) { writeFile(s.journal(), readFile(s.journal()).substr(0, 50)); }, false);
        row("journal with a range beyond the file", nothing, wrongRanges(kFileBytes), false);
        row("journal with overlapping ranges", nothing, wrongRanges(50), false);
        row(
            "shorter part file", nothing,
            [](Setting& s, ModelFiles&) { fs::resize_file(FileDownload::partPath(s.path()), 100); }, false);
    }
    void anInterruptedDownloadIsResumed() {
        QFETCH(Step, before);
        QFETCH(Step, between);
        QFETCH(bool, isResumed);
        Setting s;
        auto files = s.model();
        before(s, files);
        const auto cancelled = s.interrupt(files);
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().code, ErrorCode::Cancelled);
        QVERIFY(!fs::exists(s.path()));
        QVERIFY(fs::exists(s.journal()));
        const auto read = readJournal(s.journal());
        QVERIFY(read && !read->present.empty());
        between(s, files);
        const auto done = s.fetch(files);
        QVERIFY2(done, done ? "" : faultOf(done.error()).constData());
        QVERIFY(readFile(s.path()) == s.hub.files["n-Q8_0.gguf"]);
        QCOMPARE(done->at(0).resumedBytes > 0, isResumed);
        QCOMPARE(s.hub.sent + done->at(0).resumedBytes, kFileBytes + 1); // and the first byte once more
        QVERIFY(s.isClean());
    }

    void aChangeWhileResumingIsFound() { // the journal is right, but the bytes are not what it promises
        Setting s;
        const auto files = s.model();
        QVERIFY(!s.interrupt(files));
        std::string part = readFile(FileDownload::partPath(s.path()));
        part[0] = static_cast<char>(~part[0]);
        writeFile(FileDownload::partPath(s.path()), part);
        QCOMPARE(faultOf(s.fetch(files).error()), "digest_mismatch");
        QVERIFY(s.isClean() && !fs::exists(s.path()));
        QVERIFY(s.fetch(files));
    }

    void cancellingIsQuick() {
        Setting s;
        const auto files = s.model();
        s.hub.pauseMs = 20;
        std::stop_source stop;
        Progress progress;
        std::chrono::steady_clock::time_point asked;
        std::jthread canceller([&](const std::stop_token& end) {
            while (!end.stop_requested() && progress.done() == 0) {
                std::this_thread::sleep_for(1ms);
            }
            asked = std::chrono::steady_clock::now();
            stop.request_stop();
        });
        const auto fetched = s.fetch(files, {.stop = stop.get_token(), .progress = &progress});
        const auto ended = std::chrono::steady_clock::now();
        canceller.request_stop();
        canceller.join();
        QVERIFY(!fetched);
        QCOMPARE(fetched.error().code, ErrorCode::Cancelled);
        QVERIFY(ended - asked < 1s);
    }

    void existingFilesAreKept() {
        Setting s;
        const auto files = s.model();
        writeFile(s.path(), "mine");
        const auto refused = s.fetch(files);
        QCOMPARE(faultOf(refused.error()), "invalid_argument file_exists");
        QCOMPARE(refused.error().file, s.path());
        QCOMPARE(readFile(s.path()), "mine");
        QCOMPARE(s.hub.fileRequests.load(), 0);
        QVERIFY(s.fetch(files, {}, true));
        QVERIFY(readFile(s.path()) == s.hub.files["n-Q8_0.gguf"]);
        const auto there = s.fetch(files);
        QVERIFY(there && there->at(0).wasThere);
        QCOMPARE(s.hub.fileRequests.load(), 0);
    }

    void shardsAreOneDownload() {
        Setting s;
        s.hub.files = {{"Q8_0/n-Q8_0-00001-of-00002.gguf", contentOf(1'500'000)},
                       {"Q8_0/n-Q8_0-00002-of-00002.gguf", contentOf(700'000, 3)}};
        const auto files = s.model();
        QCOMPARE(files.files.size(), 2U);
        Progress progress;
        const auto done = s.fetch(files, {.progress = &progress});
        QVERIFY(done);
        QCOMPARE(done->size(), 2U);
        QCOMPARE(progress.done(), 2'200'000U);
        QVERIFY(readFile(s.at("n-Q8_0-00002-of-00002.gguf")) == contentOf(700'000, 3));
        // One of them is missing: only it is fetched again.
        fs::remove(s.at("n-Q8_0-00001-of-00002.gguf"));
        const auto again = s.fetch(files);
        QVERIFY(again && !again->at(0).wasThere && again->at(1).wasThere);
        QCOMPARE(s.hub.sent.load(), 1'500'001U);
    }

    // Both files are what the server has, but they are no set: the download fails at its end, and the files stay.
    void shardsMustBelongTogether() {
        const auto shard = [](std::uint16_t number) {
            gufo::test::GgufBuilder file;
            file.key("split.no", number).key("split.count", std::uint16_t{2});
            file.key("split.tensors.count", std::int32_t{2})
                .tensor("t" + std::to_string(number), gufo::test::kF32, {100});
            const auto bytes = file.build();
            return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        };
        Setting s;
        s.hub.files = {{"n-Q8_0-00001-of-00002.gguf", shard(0)}, {"n-Q8_0-00002-of-00002.gguf", shard(1)}};
        QVERIFY(s.fetch(s.model()));
        s.hub.files["n-Q8_0-00002-of-00002.gguf"] = shard(0);
        const auto wrong = s.fetch(s.model(), {}, true);
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().code, ErrorCode::SetIncomplete);
        QCOMPARE(wrong.error().args.at(0).text(), "shard_differs 2 2 n-Q8_0-00002-of-00002.gguf split.no 1 0");
        QVERIFY(readFile(s.at("n-Q8_0-00002-of-00002.gguf")) == shard(0));
    }

    // A login page must not be taken for the file; where the hub states the digest, that is found out by it.
    void pagesAreNoModels() {
        Setting s;
        s.hub.files["n-Q8_0.gguf"] = "<!doctype html><html><title>Log in</title></html>";
        auto files = s.model();
        files.files[0].sha256.clear();
        const auto page = s.fetch(files);
        QVERIFY(!page);
        QCOMPARE(faultOf(page.error()), "server_reply");
        QCOMPARE(page.error().file.native(), files.files[0].url);
        QVERIFY(!fs::exists(s.path()) && s.isClean());
        s.hub.files["n-Q8_0.gguf"] = "any other bytes";
        files = s.model();
        files.files[0].sha256.clear();
        QVERIFY(s.fetch(files));
        QVERIFY(fs::exists(s.path()));
    }

    void spaceIsCheckedFirst() {
        Setting s;
        auto files = s.model();
        files.files[0].bytes = 0; // as for an address of another server
        s.hub.fault = FileFault::HugeSize;
        const auto done = s.fetch(files);
        QCOMPARE(faultOf(done.error()), "no_space");
        QCOMPARE(done.error().args.at(0).text(), std::to_string(HubDouble::kHugeSize));
        QCOMPARE(s.hub.sent.load(), 1U); // the byte that tells the size
        QVERIFY(s.isClean());
    }

    // On a disk that is almost full, what the part file takes counts, whether the journal names it or not.
    void spaceOfThePartFileCounts_data() {
        QTest::addColumn<bool>("isResumable");
        QTest::addColumn<int>("missing");
        QTest::newRow("resumed, enough") << true << 0;
        QTest::newRow("resumed, too little") << true << 1;
        QTest::newRow("begun again, enough") << false << 0;
        QTest::newRow("begun again, too little") << false << 1;
    }
    void spaceOfThePartFileCounts() {
        QFETCH(bool, isResumable);
        QFETCH(int, missing);
        Setting s;
        const auto files = s.model();
        constexpr std::uint64_t kThere = 2 << 20;
        const fs::path part = FileDownload::partPath(s.path());
        writeFile(part, contentOf(kThere));
        fs::resize_file(part, kFileBytes);
        if (isResumable) {
            const std::vector<ByteRange> present{{0, kThere}};
            QVERIFY(writeJournal(
                FileDownload::journalPath(s.path()),
                {.sha256 = files.files[0].sha256, .bytes = kFileBytes, .present = present, .durable = present}));
        }
        FileOperations& real = realFileOperations();
        const int file = real.open(part, FileOperations::Mode::Read).value();
        const auto extents = real.extents(file, 100, true);
        real.close(file);
        if (!isResumable && (!extents || extents->written.empty())) {
            QSKIP("this file system does not report the extents of files");
        }
        gufo::test::HookedOperations operations;
        operations.space = kFileBytes - kThere - static_cast<std::uint64_t>(missing);
        const auto done = s.fetch(files, {}, false, operations);
        QCOMPARE(done ? QByteArray() : faultOf(done.error()), QByteArray(missing != 0 ? "no_space" : ""));
    }

    // What a dialog shows before it asks the server: a shard that is there needs no room, and of the next one the rest.
    void leftoversOfShards() {
        Setting s;
        const ModelFiles model{.name = "n",
                               .files = {{.path = "a.gguf", .bytes = 5 << 20}, {.path = "b.gguf", .bytes = 6 << 20}},
                               .bytes = 11 << 20};
        const fs::path folder = s.folder.path().toStdString();
        QCOMPARE(leftoversOf(model, folder).neededSpace, std::uint64_t{11} << 20);
        QVERIFY(!leftoversOf(model, folder).anyExists);
        writeFile(s.at("a.gguf"), contentOf(5 << 20));
        writeFile(FileDownload::partPath(s.at("b.gguf")), contentOf(1 << 20));
        fs::resize_file(FileDownload::partPath(s.at("b.gguf")), 6 << 20);
        const std::vector<ByteRange> present{{0, 1 << 20}};
        QVERIFY(writeJournal(FileDownload::journalPath(s.at("b.gguf")),
                             {.bytes = 6 << 20, .present = present, .durable = present}));
        const Leftovers left = leftoversOf(model, folder);
        QVERIFY(left.anyExists);
        QCOMPARE(left.presentBytes, std::uint64_t{1} << 20);
        QCOMPARE(left.neededSpace, std::uint64_t{5} << 20);
    }

    void aDiskThatFillsUpIsAnError() {
        if (!fs::exists("/dev/full")) {
            QSKIP("there is no /dev/full");
        }
        Setting s;
        const auto files = s.model();
        fs::create_symlink("/dev/full", FileDownload::partPath(s.path()));
        const auto done = s.fetch(files);
        QVERIFY(!done);
        QVERIFY(!fs::exists(s.path()));
    }

    void twoDownloadsOfAFileDoNotMix() {
        Setting s;
        const auto files = s.model();
        FileOperations& real = realFileOperations();
        const auto other = real.open(FileDownload::partPath(s.path()), FileOperations::Mode::CreateNew);
        QVERIFY(other && real.lock(*other));
        QCOMPARE(s.fetch(files).error().code, ErrorCode::FileBusy);
        real.close(*other);
        QVERIFY(s.fetch(files));
    }

    void aMissingFolderIsAnError() {
        Setting s;
        const auto done = download(s.client, s.model(), {.folder = s.at("none")});
        QCOMPARE(done.error().code, ErrorCode::FileNotFound);
    }

    void theTokenIsDroppedOnRedirects() {
        Setting s;
        HubDouble storage; // another port, so another origin
        storage.files = s.hub.files;
        s.hub.redirectsTo = storage.url();
        qputenv("HF_TOKEN", "hf_secret");
        const auto files = s.model();
        const auto done = s.fetch(files);
        QVERIFY2(done, done ? "" : faultOf(done.error()).constData());
        QVERIFY(readFile(s.path()) == s.hub.files["n-Q8_0.gguf"]);
        for (const HttpRequest& request : s.hub.server().requests()) {
            QCOMPARE(request.header("authorization"), "Bearer hf_secret");
        }
        QVERIFY(!storage.server().requests().empty());
        for (const HttpRequest& request : storage.server().requests()) {
            QCOMPARE(request.header("authorization"), "");
        }
    }

    void verifyingIsCancelled() {
        Setting s;
        constexpr std::uint64_t kSparse = std::uint64_t{16} << 30; // seconds of work for SHA-256
        writeFile(s.path(), "x");
        fs::resize_file(s.path(), kSparse);
        const ModelFiles model{.name = "n-Q8_0.gguf",
                               .files = {{.path = "n-Q8_0.gguf", .bytes = kSparse, .sha256 = std::string(64, 'a')}},
                               .bytes = kSparse};
        std::stop_source stop;
        Progress progress;
        std::jthread watcher([&](const std::stop_token& end) {
            while (!end.stop_requested() && progress.done() == 0) {
                std::this_thread::sleep_for(1ms);
            }
            stop.request_stop();
        });
        const auto result = verify(net::Client::shared(), model, s.path(), Thoroughness::WholeFile, 1,
                                   {.stop = stop.get_token(), .progress = &progress});
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
        QCOMPARE(progress.total(), kSparse);
        QVERIFY(progress.done() > 0 && progress.done() < kSparse);
    }
};

GUFO_TEST(TestDownload)
#include "tst_download.moc"

#include <functional>
