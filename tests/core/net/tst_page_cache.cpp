// The cache of remote pages: a second look fetches only the first page, and nothing that a cache file can contain leads
// to wrong bytes.
#include "net/page_cache.h"
#include "net/remote_source.h"
#include "support/http_double.h"
#include "support/test_unit.h"

#include <QTemporaryDir>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sys/stat.h>

using namespace gufo;
using namespace gufo::net;
using gufo::test::HttpDouble;
using gufo::test::HttpPeer;
using gufo::test::HttpRequest;

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kPage = RemoteSource::kPage;

std::vector<std::byte> pageOf(unsigned char value, std::size_t bytes = kPage) {
    return std::vector<std::byte>(bytes, std::byte{value});
}

std::string contentOf(std::size_t bytes, unsigned seed) {
    std::string content(bytes, '\0');
    for (std::size_t i = 0; i < bytes; ++i) {
        content[i] = static_cast<char>((i / 7 + seed) * 2654435761U >> 24U);
    }
    return content;
}

std::vector<fs::path> entriesOf(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        entries.push_back(entry.path());
    }
    return entries;
}

std::string readFile(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void writeFile(const fs::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

} // namespace

class TestPageCache : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_file;
    std::string m_etag;
    std::unique_ptr<HttpDouble> m_server;

    [[nodiscard]] fs::path folder() const { return fs::path(m_folder->path().toStdString()) / "gufo" / "remote"; }

    void serve(const HttpRequest& request, HttpPeer& peer) const {
        unsigned long long first = 0;
        unsigned long long last = 0;
        std::sscanf(request.header("range").c_str(), "bytes=%llu-%llu", &first, &last);
        const std::string body = m_file.substr(first, last - first + 1);
        peer.send("HTTP/1.1 206 Part\r\nETag: " + m_etag + "\r\nContent-Length: " + std::to_string(body.size()) +
                  "\r\nContent-Range: bytes " + std::to_string(first) + '-' + std::to_string(first + body.size() - 1) +
                  '/' + std::to_string(m_file.size()) + "\r\n\r\n" + body);
    }

    // Opens the file, compares a part of it and returns the bytes that were fetched.
    std::uint64_t look(ByteRange range) {
        const auto source =
            RemoteSource::open(Client::shared(), {.url = m_server->url("/m.gguf?Signature=x")}, {}, folder());
        const auto view = source ? (*source)->view(range) : std::unexpected(source.error());
        if (!view || std::memcmp(view->data(), m_file.data() + range.offset, range.length) != 0) {
            return 0;
        }
        return (*source)->fetchedBytes();
    }

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = contentOf((20 * kPage) + 123, 1);
        m_etag = "\"1\"";
        m_server =
            std::make_unique<HttpDouble>([this](const HttpRequest& request, HttpPeer& peer) { serve(request, peer); });
    }
    void cleanup() { m_server.reset(); }

    void aSecondLookFetchesTheFirstPageOnly() {
        const ByteRange range{3 * kPage, m_file.size() - 3 * kPage}; // with the short page at the end
        QCOMPARE(look(range), kPage + range.length);
        QCOMPARE(look(range), kPage);
        QCOMPARE(look({2 * kPage, 3 * kPage}), 2 * kPage); // the page that is not there
    }

    void nothingIsKeptWithoutAReason_data() {
        QTest::addColumn<QByteArray>("etag");
        QTest::newRow("weak ETag") << QByteArray("W/\"1\"");
        QTest::newRow("no ETag") << QByteArray("");
        QTest::newRow("empty ETag") << QByteArray("\"\"");
    }
    void nothingIsKeptWithoutAReason() {
        QFETCH(QByteArray, etag);
        m_etag = etag.toStdString();
        const ByteRange range{3 * kPage, kPage};
        QCOMPARE(look(range), 2 * kPage);
        QCOMPARE(look(range), 2 * kPage);
        QVERIFY(entriesOf(folder()).empty());
    }

    void aChangedFileHasItsOwnPages() {
        const ByteRange range{3 * kPage, kPage};
        QCOMPARE(look(range), 2 * kPage);
        m_file = contentOf(m_file.size(), 2);
        m_etag = "\"2\"";
        QCOMPARE(look(range), 2 * kPage); // look() compares the bytes with the new file
        m_file += "longer";               // the same ETag for another size
        QCOMPARE(look(range), 2 * kPage);
        QCOMPARE(look(range), kPage);
    }

    void damagedEntriesAreHarmless_data() {
        QTest::addColumn<int>("kept");    // bytes of the entry; -1: all
        QTest::addColumn<int>("changed"); // offset of a byte that is inverted; -1: none
        constexpr int kRecord = 32 + static_cast<int>(kPage);
        for (const int kept : {0, 1, 31, 32, 33, 1000, kRecord - 1, kRecord, kRecord + 5, 2 * kRecord - 1}) {
            QTest::addRow("cut after %d", kept) << kept << -1;
        }
        for (const int changed : {0, 8, 15, 16, 17, 20, 23, 24, 31, 32, 1000, kRecord - 1, kRecord, kRecord + 8}) {
            QTest::addRow("wrong byte at %d", changed) << -1 << changed;
        }
    }
    void damagedEntriesAreHarmless() {
        QFETCH(int, kept);
        QFETCH(int, changed);
        const ByteRange range{3 * kPage, 3 * kPage};
        QCOMPARE(look(range), 4 * kPage);
        const auto entries = entriesOf(folder());
        QCOMPARE(entries.size(), 1U);
        std::string content = readFile(entries[0]);
        if (kept >= 0) {
            content.resize(static_cast<std::size_t>(kept));
        }
        if (changed >= 0) {
            char& byte = content[static_cast<std::size_t>(changed)];
            byte = static_cast<char>(~byte);
        }
        writeFile(entries[0], content);
        const std::uint64_t fetched = look(range);
        QVERIFY(fetched > kPage && fetched <= 4 * kPage); // 0: wrong bytes
        QCOMPARE(look(range), kPage);                     // and the entry is whole again
    }

    void onlyTheUserCanRead() {
        QVERIFY(fs::create_directories(folder()));
        fs::permissions(folder(), fs::perms::all);
        QCOMPARE(look({3 * kPage, kPage}), 2 * kPage);
        QCOMPARE(fs::status(folder()).permissions(), fs::perms::owner_all);
        QCOMPARE(fs::status(entriesOf(folder()).at(0)).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    }

    void aFolderThatCannotBeUsedIsHarmless() {
        fs::create_directories(folder().parent_path());
        writeFile(folder(), "a file");
        QCOMPARE(look({3 * kPage, kPage}), 2 * kPage);
    }

    void anEntryIsBounded() {
        const CacheLimits limits{.entryBytes = 3 * (kPage + 32) + 10};
        const auto cache = PageCache::open(folder(), "key", limits);
        QVERIFY(cache != nullptr);
        for (unsigned page = 0; page < 5; ++page) {
            cache->add(page, pageOf(static_cast<unsigned char>(page)));
        }
        QVERIFY(fs::file_size(entriesOf(folder()).at(0)) <= limits.entryBytes);
        auto out = pageOf(99);
        QVERIFY(cache->read(2, out) && out == pageOf(2));
        QVERIFY(!cache->read(3, out));
        auto shorter = pageOf(99, 100);
        QVERIFY(!cache->read(1, shorter)); // a page of another length
    }

    void theOldestEntriesAreDeleted() {
        const CacheLimits limits{.totalBytes = 2 * (kPage + 32)};
        for (const char* key : {"a", "b", "c"}) {
            const auto cache = PageCache::open(folder(), key, limits);
            QVERIFY(cache != nullptr);
            cache->add(0, pageOf(1));
            const auto entries = entriesOf(folder());
            for (const fs::path& entry : entries) { // make the earlier ones older
                fs::last_write_time(entry, fs::last_write_time(entry) - std::chrono::hours(1));
            }
        }
        QCOMPARE(entriesOf(folder()).size(), 3U);
        QVERIFY(PageCache::open(folder(), "c", limits)->has(0));
        QCOMPARE(entriesOf(folder()).size(), 2U);
        QVERIFY(!PageCache::open(folder(), "a", limits)->has(0)); // the oldest
        QVERIFY(PageCache::open(folder(), "b", limits)->has(0));
    }

    void objectsShareAnEntry() {
        const auto first = PageCache::open(folder(), "key");
        const auto second = PageCache::open(folder(), "key");
        first->add(1, pageOf(1));
        second->add(2, pageOf(2)); // first reads the record of page 1
        QVERIFY(second->has(1));
        auto out = pageOf(0);
        QVERIFY(second->read(1, out) && out == pageOf(1));
        const auto third = PageCache::open(folder(), "key");
        QVERIFY(third->has(1) && third->has(2));
    }
};

GUFO_TEST(TestPageCache)
#include "tst_page_cache.moc"
