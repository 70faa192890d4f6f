// Saved states on the disk: who may read them, how much there is, that they go with their conversation, and that no
// damaged or foreign file is ever used.
#include "base/detail.h"
#include "inference/prefixes/prefix_folder.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sys/stat.h>

using namespace gufo;
using namespace gufo::inference;

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMuch = 64 << 20;

SavedPrefix stateOf(std::size_t tokens, std::uint32_t first = 1, std::string conversation = "c", std::string key = "k",
                    std::size_t bytes = 1000) {
    SavedPrefix prefix{.key = std::move(key), .conversation = std::move(conversation), .cutsAnywhere = true};
    for (std::uint32_t i = 0; i < tokens; ++i) {
        prefix.tokens.emplace_back(first + i);
    }
    for (std::size_t i = 0; i < bytes; ++i) {
        prefix.state.push_back(static_cast<std::byte>(i * 7 + first));
    }
    return prefix;
}

std::vector<fs::path> filesIn(const fs::path& root) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::recursive_directory_iterator at(root, error), end; !error && at != end; at.increment(error)) {
        if (at->is_regular_file()) {
            files.push_back(at->path());
        }
    }
    return files;
}

unsigned modeOf(const fs::path& path) {
    struct stat status{};
    return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
}

std::string readFile(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}
void writeFile(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

} // namespace

class TestPrefixFolder : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_number = 0;
    fs::path m_root;
    std::vector<Error> m_refused;

    std::optional<SavedPrefix> find(const SavedPrefix& wanted, std::size_t minimum = 1) {
        std::vector<TokenId> prompt = wanted.tokens;
        prompt.emplace_back(99'999U);
        return findPrefix(m_root, wanted.key, prompt, minimum, kMuch, m_refused);
    }

private slots:
    void init() {
        m_root = fs::path(m_folder.path().toStdString()) / std::to_string(m_number++) / "prompts";
        m_refused.clear();
    }

    void statesComeBack() {
        const SavedPrefix state = stateOf(100);
        QVERIFY(writePrefix(m_root, state, kMuch));
        const auto found = find(state);
        QVERIFY(found.has_value());
        QCOMPARE(found->key, state.key);
        QCOMPARE(found->conversation, state.conversation);
        QCOMPARE(found->tokens, state.tokens);
        QVERIFY(found->cutsAnywhere && found->state == state.state);
        QVERIFY(m_refused.empty());
        QVERIFY(!find(state, 101)); // it does not save so many
        QVERIFY(!find(stateOf(100, 1, "c", "other key")));
        QVERIFY(!find(stateOf(100, 5000)));
        // Of several, the one that saves most is found.
        QVERIFY(writePrefix(m_root, stateOf(150, 1, "d"), kMuch));
        QCOMPARE(find(stateOf(200))->tokens.size(), std::size_t{150});
        // What cannot be cut is only found where a prompt contains all of it.
        SavedPrefix whole = stateOf(60, 7000);
        whole.cutsAnywhere = false;
        QVERIFY(writePrefix(m_root, whole, kMuch));
        QVERIFY(find(stateOf(61, 7000)).has_value());
        QVERIFY(!find(stateOf(50, 7000)));
    }

    void onlyTheUserMayReadThem() {
        const mode_t before = ::umask(0);
        const auto written = writePrefix(m_root, stateOf(20), kMuch);
        ::umask(before);
        QVERIFY(written);
        QCOMPARE(modeOf(m_root), 0700U);
        for (fs::recursive_directory_iterator at(m_root), end; at != end; ++at) {
            QCOMPARE(modeOf(at->path()), at->is_directory() ? 0700U : 0600U);
        }
        // A folder that others can read is made private before anything is written, and not read before.
        fs::permissions(m_root, fs::perms::all);
        QVERIFY(!find(stateOf(20)));
        QVERIFY(writePrefix(m_root, stateOf(30), kMuch));
        QCOMPARE(modeOf(m_root), 0700U);
        QVERIFY(find(stateOf(30)).has_value());
    }

    void linksAreNotFollowed() {
        const fs::path elsewhere = m_root.parent_path() / "elsewhere";
        fs::create_directories(elsewhere);
        fs::create_directory_symlink(elsewhere, m_root);
        const auto written = writePrefix(m_root, stateOf(20), kMuch);
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::PermissionDenied);
        QVERIFY(filesIn(elsewhere).empty());
    }

    void theFolderIsBounded() {
        const std::uint64_t one = 4000;
        for (std::uint32_t i = 0; i < 10; ++i) {
            const SavedPrefix state = stateOf(20, 1000 * (i + 1), "c", "k" + std::to_string(i % 3), 3000);
            QVERIFY(writePrefix(m_root, state, 4 * one));
            std::uint64_t total = 0;
            for (const fs::path& path : filesIn(m_root)) {
                total += fs::file_size(path);
            }
            QVERIFY2(total <= 4 * one, qPrintable(QString::number(total)));
            QVERIFY(find(state).has_value()); // the latest is never the one that goes
        }
        QVERIFY(filesIn(m_root).size() >= 3);
        QVERIFY(writePrefix(m_root, stateOf(20, 1, "c", "k", 3 * one), one)); // larger than the limit: not kept
        QVERIFY(!find(stateOf(20, 1)));
    }

    void conversationsAreDeleted() {
        QVERIFY(writePrefix(m_root, stateOf(20, 1, "mine", "k1"), kMuch));
        QVERIFY(writePrefix(m_root, stateOf(20, 1, "mine", "k2"), kMuch));
        QVERIFY(writePrefix(m_root, stateOf(20, 1, "other", "k2"), kMuch));
        removePrefixes(m_root, "mine");
        QCOMPARE(filesIn(m_root).size(), std::size_t{1});
        QCOMPARE(find(stateOf(20, 1, "other", "k2"))->conversation, std::string("other"));
        removeAllPrefixes(m_root);
        QVERIFY(filesIn(m_root).empty());
    }

    void damagedFilesAreRefused_data() {
        QTest::addColumn<int>("at");   // the byte that is changed, from the end if negative
        QTest::addColumn<int>("size"); // −1: as it was
        QTest::newRow("magic") << 0 << -1;
        QTest::newRow("length of the key") << 8 << -1;
        QTest::newRow("huge length of the key") << 15 << -1;
        QTest::newRow("flag") << 40 << -1;
        QTest::newRow("huge number of tokens") << 49 << -1;
        QTest::newRow("token") << 60 << -1;
        QTest::newRow("state") << 600 << -1;
        QTest::newRow("digest") << -1 << -1;
        QTest::newRow("empty") << 0 << 0;
        QTest::newRow("cut in the magic") << 0 << 5;
        QTest::newRow("cut in the tokens") << 0 << 70;
        QTest::newRow("cut in the state") << 0 << 700;
        QTest::newRow("longer") << 0 << 5000;
    }
    void damagedFilesAreRefused() {
        QFETCH(int, at);
        QFETCH(int, size);
        const SavedPrefix state = stateOf(20);
        QVERIFY(writePrefix(m_root, state, kMuch));
        const fs::path path = filesIn(m_root).at(0);
        std::string bytes = readFile(path);
        if (size >= 0) {
            bytes.resize(static_cast<std::size_t>(size), 'x');
        } else {
            char& byte = bytes[at >= 0 ? static_cast<std::size_t>(at) : bytes.size() + static_cast<std::size_t>(at)];
            byte = static_cast<char>(~byte);
        }
        writeFile(path, bytes);
        QVERIFY(!find(state));
        QCOMPARE(m_refused.size(), std::size_t{1});
        QCOMPARE(m_refused[0].code, ErrorCode::InvalidArgument);
        QCOMPARE(m_refused[0].file, path);
        QCOMPARE(m_refused[0].args.at(0).detail(), std::optional(Detail::StateUnusable));
        QVERIFY(!find(state));
        QVERIFY(m_refused.size() <= 2); // a damaged file is gone; a foreign one is reported again
    }

    void foreignFilesAreRefused() {
        const SavedPrefix mine = stateOf(20, 1, "c", "mine");
        const SavedPrefix theirs = stateOf(30, 1, "c", "theirs");
        QVERIFY(writePrefix(m_root, mine, kMuch));
        QVERIFY(writePrefix(m_root, theirs, kMuch));
        // The state of another model under the name of one of this model.
        fs::path from;
        fs::path to;
        for (const fs::path& path : filesIn(m_root)) {
            (fs::file_size(path) > 1185 ? from : to) = path;
        }
        QVERIFY(!from.empty() && !to.empty());
        fs::copy_file(from, to, fs::copy_options::overwrite_existing);
        QVERIFY(!find(mine));
        QCOMPARE(m_refused.size(), std::size_t{1});
        QCOMPARE(m_refused[0].file, to);
        QVERIFY(fs::exists(to));
        QVERIFY(find(theirs).has_value());
    }

    void tooLargeStatesAreNotRead() {
        const SavedPrefix state = stateOf(20);
        QVERIFY(writePrefix(m_root, state, kMuch));
        std::vector<TokenId> prompt = state.tokens;
        prompt.emplace_back(5U);
        QVERIFY(!findPrefix(m_root, state.key, prompt, 1, 100, m_refused));
        QVERIFY(m_refused.empty());
    }

    void storesShareTheFolder() {
        const PrefixLimits limits{.memoryBytes = kMuch, .diskBytes = kMuch, .byFreeMemory = false};
        PrefixStore first(limits);
        first.add(stateOf(40));
        QVERIFY(first.flush("k"));
        QVERIFY(filesIn(m_root).empty()); // nothing is on the disk unless the user wants it
        first.setFolder(m_root);
        QVERIFY(first.flush("k"));
        QCOMPARE(filesIn(m_root).size(), std::size_t{1});
        PrefixStore second(limits); // of another process
        second.setFolder(m_root);
        std::vector<TokenId> prompt = stateOf(50).tokens;
        const auto found = second.find("k", prompt, 16, m_refused);
        QVERIFY(found != nullptr && found->tokens.size() == 40);
        QCOMPARE(second.count(), std::size_t{1});
        second.forget("c");
        QVERIFY(filesIn(m_root).empty());
        QCOMPARE(second.count(), std::size_t{0});
        QVERIFY(second.find("k", prompt, 16, m_refused) == nullptr);
    }
};

GUFO_TEST(TestPrefixFolder)
#include "tst_prefix_folder.moc"
