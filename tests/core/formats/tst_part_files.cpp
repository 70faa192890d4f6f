// Part files that killed processes left behind are deleted when a file of their folder is opened or written, and those
// of running processes never.
#include "base/output_file.h"
#include "document/open_model.h"
#include "formats/gguf/write/save.h"
#include "formats/save/recover.h"
#include "support/gguf_builder.h"
#include "support/save_helpers.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

using UseFolder = void (*)(const fs::path& folder, const fs::path& file);

} // namespace

class TestPartFiles : public QObject {
    Q_OBJECT

private slots:
    void init();
    void abandonedOnesAreDeleted_data();
    void abandonedOnesAreDeleted();
    void onlyThoseOfThisProgram();
    void runningProcessIsLeftAlone();
    void journalMayNeedThem();
    void readOnlyFolder();
    void freshOneIsNeverTaken();

private:
    [[nodiscard]] std::vector<std::string> others() const; // names in the folder besides the model
    [[nodiscard]] fs::path path(const std::string& name) const { return m_path / name; }

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_path;
    fs::path m_file;
};

void TestPartFiles::init() {
    m_folder = std::make_unique<QTemporaryDir>("/var/tmp/gufo-parts-XXXXXX");
    m_path = fs::canonical(m_folder->path().toStdString());
    m_file = path("model.gguf");
    GgufBuilder model;
    model.key("general.architecture", "llama").key("general.name", "before");
    model.tensor("a", 0, {100}, std::vector<std::byte>(400));
    model.write(m_file);
}

std::vector<std::string> TestPartFiles::others() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(m_path)) {
        if (entry.path() != m_file) {
            names.push_back(entry.path().filename().native());
        }
    }
    std::ranges::sort(names);
    return names;
}

void TestPartFiles::abandonedOnesAreDeleted_data() {
    QTest::addColumn<UseFolder>("use");
    QTest::addColumn<bool>("changes"); // the file
    const auto row = [](const char* name, UseFolder use, bool changes = false) {
        QTest::newRow(name) << use << changes;
    };
    row("open", [](const fs::path&, const fs::path& file) { QVERIFY(openModel(file)); });
    row("open the folder", [](const fs::path& folder, const fs::path&) { static_cast<void>(openModel(folder)); });
    row("recover",
        [](const fs::path&, const fs::path& file) { QCOMPARE(saving::recover(file).value(), Recovery::NotNeeded); });
    row(
        "save in place",
        [](const fs::path&, const fs::path& file) {
            const auto base = openModel(file).value();
            QVERIFY(gguf::save(*base, ModelEdit(*base).set("general.name", "afteR!").model(), {}));
        },
        true);
    row("save as", [](const fs::path& folder, const fs::path& file) {
        QVERIFY(gguf::saveAs(*openModel(file).value(), {}, folder / "new.gguf"));
        fs::remove(folder / "new.gguf");
    });
    row("another output",
        [](const fs::path& folder, const fs::path&) { QVERIFY(OutputFile::create(folder / "new.txt")); });
}

void TestPartFiles::abandonedOnesAreDeleted() {
    QFETCH(UseFolder, use);
    QFETCH(bool, changes);
    const FileBytes before = readFile(m_file);
    writeFile(path(".gufo-123.part"), "half of a model");
    writeFile(path(".gufo-4294967295.part"), "");
    use(m_path, m_file);
    QCOMPARE(others(), std::vector<std::string>());
    QCOMPARE(readFile(m_file) != before, changes);
}

void TestPartFiles::onlyThoseOfThisProgram() {
    const std::vector<std::string> names{".gufo-.part",  ".gufo-12.part~",  ".gufo-7.part",
                                         ".gufo-8.part", ".gufo-mine.part", "gufo-12.part"};
    for (const std::string& name : names) {
        if (name == ".gufo-7.part") {
            fs::create_directory(path(name));
        } else if (name == ".gufo-8.part") {
            fs::create_symlink(m_file, path(name));
        } else {
            writeFile(path(name), "x");
        }
    }
    QVERIFY(openModel(m_file));
    QCOMPARE(others(), names);
}

void TestPartFiles::runningProcessIsLeftAlone() {
    std::array<int, 2> pipes{};
    QCOMPARE(::pipe(pipes.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
        const auto output = OutputFile::create(path("output"));
        const char done = output ? 'y' : 'n';
        static_cast<void>(::write(pipes[1], &done, 1) == 1);
        for (;;) {
            ::pause();
        }
    }
    char done = 0;
    QCOMPARE(::read(pipes[0], &done, 1), ssize_t{1});
    QCOMPARE(done, 'y');
    QVERIFY(openModel(m_file));
    QCOMPARE(others().size(), std::size_t{1});
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    QCOMPARE(others().size(), std::size_t{1});
    QVERIFY(openModel(m_file));
    QCOMPARE(others().size(), std::size_t{0});
    ::close(pipes[0]);
    ::close(pipes[1]);
}

// The interrupted save of another set in the folder will rename them.
void TestPartFiles::journalMayNeedThem() {
    writeFile(path(".gufo-1.part"), "a shard");
    writeFile(path("set-00000-of-00002.gguf.gufo-journal"), "of another set");
    QVERIFY(openModel(m_file));
    QCOMPARE(others().size(), std::size_t{2});
    fs::remove(path("set-00000-of-00002.gguf.gufo-journal"));
    QVERIFY(openModel(m_file));
    QCOMPARE(others().size(), std::size_t{0});
}

void TestPartFiles::readOnlyFolder() {
    writeFile(path(".gufo-1.part"), "half of a model");
    fs::permissions(m_path, fs::perms(0555));
    const pid_t child = fork();
    if (child == 0) { // the superuser could write anyway
        static_cast<void>(::getuid() != 0 || ::setuid(65534) == 0);
        _exit(openModel(m_file) ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    fs::permissions(m_path, fs::perms(0755));
    QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    QCOMPARE(others().size(), std::size_t{1});
}

void TestPartFiles::freshOneIsNeverTaken() {
    std::atomic<bool> ended = false;
    std::atomic<int> passes = 0;
    std::thread other([&] {
        while (!ended) {
            removeAbandonedParts(m_path);
            ++passes;
        }
    });
    int good = 0;
    constexpr int kFiles = 300;
    const FileBytes content(1000, 'c');
    for (int i = 0; i < kFiles; ++i) {
        auto output = OutputFile::create(path("output"));
        const bool written = output && output->write(std::as_bytes(std::span(content))) && output->commit();
        good += written && readFile(path("output")) == content ? 1 : 0;
    }
    ended = true;
    other.join();
    QCOMPARE(good, kFiles);
    QVERIFY(passes > 0);
    QCOMPARE(others(), std::vector<std::string>{"output"});
}

GUFO_TEST(TestPartFiles)
#include "tst_part_files.moc"
