// Reading weights ahead of the first evaluation.
#include "document/open_model.h"
#include "inference/engine/weight_reader.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <stop_token>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

constexpr std::uint64_t kRows = 8192; // × 256 floats: 8 MiB

void writeFile(const std::filesystem::path& path) {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.tensor("token_embd.weight", kF32, {256, kRows});
    file.tensor("blk.0.attn_norm.weight", kF32, {256});
    file.tensor("blk.0.ffn_gate_exps.weight", kF32, {256, 64, 4});
    file.tensor("output.weight", kF32, {256, kRows});
    file.write(path);
}

// Writes the file to the disk and drops it from the page cache, which a file system in memory does not do.
void drop(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    ::fsync(file);
    ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    ::close(file);
}

std::size_t pagesCached(Bytes bytes) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(bytes.data()) / page * page;
    const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size();
    std::vector<unsigned char> present((end - begin + page - 1) / page);
    ::mincore(reinterpret_cast<void*>(begin), end - begin, present.data());
    return static_cast<std::size_t>(std::ranges::count_if(present, [](unsigned char flags) { return flags & 1U; }));
}

std::size_t pagesOf(Bytes bytes) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(bytes.data()) / page * page;
    return (reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size() - begin + page - 1) / page;
}

} // namespace

class TestWeightReader : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        m_path = std::filesystem::path(m_folder.path().toStdString()) / "model.gguf";
        writeFile(m_path);
    }

    // Neighbours share a range. Stacks of experts and tables belong to none, because a token needs only some of their
    // rows.
    void rangesHoldWhatEveryTokenNeeds() {
        const auto model = openModel(m_path);
        QVERIFY(model);
        const auto ranges = weightRanges(**model, Embeddings::Multiplied);
        QCOMPARE(ranges.size(), std::size_t{2});
        const auto offsetOf = [&](std::string_view name) {
            return (*model)->tensor(*(*model)->findTensor(name)).offset;
        };
        QCOMPARE(ranges[0].bytes.offset, offsetOf("token_embd.weight"));
        QCOMPARE(ranges[0].bytes.length, offsetOf("blk.0.ffn_gate_exps.weight") - ranges[0].bytes.offset);
        QCOMPARE(ranges[0].before, std::uint64_t{0});
        QCOMPARE(ranges[1].bytes, (ByteRange{offsetOf("output.weight"), kRows * 256 * 4}));
        QCOMPARE(ranges[1].before, ranges[0].bytes.length);
        const auto withoutTable = weightRanges(**model, Embeddings::LookedUp);
        QCOMPARE(withoutTable.size(), std::size_t{2});
        QCOMPARE(withoutTable[0].bytes, (ByteRange{offsetOf("blk.0.attn_norm.weight"), 256 * 4}));
        QCOMPARE(withoutTable[1].bytes, ranges[1].bytes);
    }

    // Only the requested rows are read, although the system would read far around them.
    void requestedRowsAreRead() {
        const auto model = openModel(m_path);
        QVERIFY(model);
        const Bytes table = *(*model)->bytesOf((*model)->tensor(*(*model)->findTensor("token_embd.weight")));
        drop(m_path);
        if (pagesCached(table) == pagesOf(table)) {
            QSKIP("the system keeps this file in memory");
        }
        const std::uint64_t rowBytes = table.size() / kRows;
        const Matrix matrix{.data = table.data(), .columns = 256, .rows = kRows, .rowBytes = rowBytes};
        const std::vector<TokenId> tokens{TokenId(2000), TokenId(4000), TokenId(kRows - 1)};
        requestRows(matrix, tokens);
        for (const TokenId token : tokens) {
            const Bytes row = table.subspan(token.value * rowBytes, rowBytes);
            QTRY_COMPARE(pagesCached(row), pagesOf(row));
        }
        QVERIFY(pagesCached(table) < pagesOf(table) / 2);
    }

    void whatIsAwaitedIsInMemory() {
        const auto model = openModel(m_path);
        QVERIFY(model);
        const auto bytesOf = [&](std::string_view name) {
            return *(*model)->bytesOf((*model)->tensor(*(*model)->findTensor(name)));
        };
        const Bytes last = bytesOf("output.weight");
        drop(m_path);
        if (pagesCached(last) == pagesOf(last)) {
            QSKIP("the system keeps this file in memory");
        }
        const WeightReader reader(*model, 0, Embeddings::Multiplied);
        reader.await(last, {});
        QCOMPARE(pagesCached(last), pagesOf(last));
        const Bytes first = bytesOf("token_embd.weight");
        QCOMPARE(pagesCached(first), pagesOf(first));            // it comes first in the file
        reader.await(bytesOf("blk.0.ffn_gate_exps.weight"), {}); // returns, although nobody reads it
        reader.await({}, {});
    }

    // With less memory than weights, the first ones would be gone before they are used.
    void readsNothingThatDoesNotFit() {
        const auto model = openModel(m_path);
        QVERIFY(model);
        const Bytes last = *(*model)->bytesOf((*model)->tensors.back());
        drop(m_path);
        const std::size_t before = pagesCached(last);
        const WeightReader reader(*model, std::uint64_t{1} << 20U, Embeddings::Multiplied);
        reader.await(last, {}); // returns at once
        QCOMPARE(pagesCached(last), before);
    }

    // 16 GiB of holes take seconds to read. An evaluation that is cancelled waits neither for them nor for the reader.
    void stopsWaitingOnRequest() {
        constexpr std::uint64_t kRowsOfHoles = std::uint64_t{1} << 24U;
        GgufBuilder file;
        file.key("general.architecture", "llama");
        file.tensor("output.weight", kF32, {256, kRowsOfHoles}, std::vector<std::byte>());
        const std::filesystem::path path = m_path.parent_path() / "large.gguf";
        file.write(path);
        std::filesystem::resize_file(path, std::filesystem::file_size(path) + 256 * kRowsOfHoles * 4);
        const auto model = openModel(path);
        QVERIFY(model);
        const Bytes all = *(*model)->bytesOf((*model)->tensors.back());
        {
            std::stop_source stop;
            const WeightReader reader(*model, 0, Embeddings::Multiplied);
            std::jthread asks([&] { stop.request_stop(); });
            reader.await(all, stop.get_token());
        }
        QCOMPARE(pagesCached(all.last(1)), std::size_t{0}); // the end has not been read
    }

private:
    QTemporaryDir m_folder;
    std::filesystem::path m_path;
};

GUFO_TEST(TestWeightReader)
#include "tst_weight_reader.moc"
