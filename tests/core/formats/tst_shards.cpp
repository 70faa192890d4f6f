// Models in several files: complete, incomplete and mixed up.
#include "formats/gguf/read/shards.h"
#include "model/finding_code.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <ctime>
#include <functional>
#include <sys/stat.h>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;
using std::string_view_literals::operator""sv;

namespace {

constexpr std::uint16_t kShards = 3;

fs::path pathOf(const fs::path& folder, std::uint32_t number, std::uint32_t count = kShards) {
    return folder / gguf::shardFileName({"model", number, count});
}

void addSplitKeys(GgufBuilder& file, std::uint16_t index) {
    file.key("split.no", index).key("split.count", kShards).key("split.tensors.count", std::int32_t{4});
}

// Shard 0 has the model's keys and no tensor, as llama.cpp's splitter can write it; shards 1 and 2 have two tensors
// each. All bytes of tensor data have the value 10 × shard + tensor.
GgufBuilder shard(std::uint16_t index, std::uint32_t version = 3, ByteOrder order = ByteOrder::Little) {
    GgufBuilder file(version, order);
    if (index == 0) {
        file.key("general.architecture", "llama").key("llama.block_count", std::uint32_t{2});
    }
    addSplitKeys(file, index);
    for (unsigned i = 0; index != 0 && i < 2; ++i) {
        file.tensor("blk." + std::to_string(index) + ".t" + std::to_string(i), kF32, {8},
                    std::vector(32, static_cast<std::byte>(index * 10U + i)));
    }
    return file;
}

void writeSet(const fs::path& folder) {
    for (std::uint16_t i = 0; i < kShards; ++i) {
        shard(i).write(pathOf(folder, i + 1U));
    }
}

QString findingsOfShards(const Model& model) {
    QStringList names;
    for (const Finding& finding : model.findings) {
        std::string text(finding.name());
        if (finding.code == FindingCode::ShardMismatch) {
            text += ":" + finding.args[1].text();
        }
        names << QString::fromStdString(text);
    }
    return names.join(' ');
}

using FolderChange = std::function<void(const fs::path& folder)>;

} // namespace

class TestShards : public QObject {
    Q_OBJECT

private slots:
    void takesNamesApart_data();
    void takesNamesApart();
    void opensTheSetFromAnyShard();
    void opensWhatIsThere_data();
    void opensWhatIsThere();
    void keepsTheRestReadable();
    void opensOneShardUnderAnotherName();
    void opensAMergedModelAlone();
    void looksForAsManySiblingsAsANameCanClaim();
    void stopsWhenCancelled();
};

void TestShards::takesNamesApart_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("valid");
    QTest::newRow("usual") << "model-Q4_K_M-00002-of-00003.gguf" << true;
    QTest::newRow("no prefix") << "-00001-of-00001.gguf" << true;
    QTest::newRow("largest") << "m-99999-of-99999.gguf" << true;
    QTest::newRow("number 0") << "m-00000-of-00003.gguf" << false;
    QTest::newRow("number past count") << "m-00004-of-00003.gguf" << false;
    QTest::newRow("four digits") << "m-0001-of-0003.gguf" << false;
    QTest::newRow("six digits") << "m-000001-of-000003.gguf" << false;
    QTest::newRow("sign") << "m-+0001-of-00003.gguf" << false;
    QTest::newRow("other suffix") << "m-00001-of-00003.bin" << false;
    QTest::newRow("short") << "of-00003.gguf" << false;
    QTest::newRow("plain") << "model.gguf" << false;
}

void TestShards::takesNamesApart() {
    QFETCH(QString, name);
    QFETCH(bool, valid);
    const auto parsed = gguf::parseShardName(name.toStdString());
    QCOMPARE(parsed.has_value(), valid);
    if (parsed) {
        QCOMPARE(gguf::shardFileName(*parsed).native(), name.toStdString());
    }
}

void TestShards::opensTheSetFromAnyShard() {
    const QTemporaryDir temporary;
    const fs::path folder = temporary.path().toStdString();
    writeSet(folder);
    for (std::uint32_t number = 1; number <= kShards; ++number) {
        const auto opened = gguf::open(pathOf(folder, number));
        QVERIFY(opened);
        const Model& model = **opened;
        QCOMPARE(findingsOfShards(model), "");
        QCOMPARE(model.path(), pathOf(folder, number));
        QCOMPARE(model.files.size(), 3U);
        QCOMPARE(model.metadata.architecture(), "llama"sv);
        QCOMPARE(model.metadata.uint("split.no"), 0U);
        QCOMPARE(model.metadata.size(), 5U);
        QCOMPARE(model.tensors.size(), 4U);
        const TensorInfo& last = model.tensor(*model.findTensor("blk.2.t1"));
        QCOMPARE(last.file, FileIndex(2));
        QCOMPARE((*model.bytesOf(last))[0], std::byte{21});
        QCOMPARE(model.totals().tensorBytes, 128U);
    }
}

void TestShards::opensWhatIsThere_data() {
    QTest::addColumn<FolderChange>("change");
    QTest::addColumn<QString>("findings");
    QTest::addColumn<int>("tensors");
    const auto row = [](const char* name, const char* findings, int tensors, const FolderChange& change) {
        QTest::newRow(name) << change << QString(findings) << tensors;
    };
    row("last missing", "shard_missing", 2, [](const fs::path& f) { fs::remove(pathOf(f, 3)); });
    row("first missing", "shard_missing", 4, [](const fs::path& f) { fs::remove(pathOf(f, 1)); });
    row("sibling is no model", "shard_unreadable", 2, [](const fs::path& f) {
        GgufBuilder file = shard(2);
        file.magic = "????";
        file.write(pathOf(f, 3));
    });
    row("sibling's header cut", "shard_unreadable", 2, [](const fs::path& f) {
        GgufBuilder file = shard(2);
        file.cutTo = 60;
        file.write(pathOf(f, 3));
    });
    row("sibling is empty", "shard_unreadable", 2, [](const fs::path& f) { fs::resize_file(pathOf(f, 3), 0); });
    row("sibling is a folder", "shard_unreadable", 2, [](const fs::path& f) {
        fs::remove(pathOf(f, 3));
        fs::create_directory(pathOf(f, 3));
    });
    row("sibling is a pipe", "shard_unreadable", 2, [](const fs::path& f) {
        fs::remove(pathOf(f, 3));
        mkfifo(pathOf(f, 3).c_str(), 0600);
    });
    row("sibling's data cut", "tensor_past_end tensor_data_missing", 4, [](const fs::path& f) {
        GgufBuilder file = shard(2);
        file.cutTo = file.build().size() - 5;
        file.write(pathOf(f, 3));
    });
    row("wrong order", "shard_mismatch:split.no shard_mismatch:split.no", 4, [](const fs::path& f) {
        shard(2).write(pathOf(f, 2));
        shard(1).write(pathOf(f, 3));
    });
    row("same shard twice", "shard_mismatch:split.no duplicate_tensor_name duplicate_tensor_name", 4,
        [](const fs::path& f) { shard(1).write(pathOf(f, 3)); });
    row("shard of another set", "shard_mismatch:split.count", 4, [](const fs::path& f) {
        GgufBuilder file;
        file.key("split.no", std::uint16_t{2}).key("split.count", std::uint16_t{5});
        file.tensor("a", kF32, {8}).tensor("b", kF32, {8}).write(pathOf(f, 3));
    });
    row("no shard at all",
        "shard_mismatch:split.count shard_mismatch:split.no shard_mismatch:general.architecture "
        "shard_tensor_count",
        3, [](const fs::path& f) {
            GgufBuilder file;
            file.key("general.architecture", "qwen2").tensor("a", kF32, {8}).write(pathOf(f, 3));
        });
    row("split.no as text", "shard_mismatch:split.no", 4, [](const fs::path& f) {
        GgufBuilder file;
        file.key("split.no", "two").key("split.count", kShards);
        file.tensor("a", kF32, {8}).tensor("b", kF32, {8}).write(pathOf(f, 3));
    });
    row("another value of a key", "shard_mismatch:llama.block_count", 4,
        [](const fs::path& f) { shard(2).key("llama.block_count", std::uint32_t{3}).write(pathOf(f, 3)); });
    row("another type of a key", "shard_mismatch:llama.block_count", 4,
        [](const fs::path& f) { shard(2).key("llama.block_count", std::uint64_t{2}).write(pathOf(f, 3)); });
    row("the same value of a key", "", 4, [](const fs::path& f) {
        shard(2).key("llama.block_count", std::uint32_t{2}).key("general.architecture", "llama").write(pathOf(f, 3));
    });
    row("another array", "shard_mismatch:a.b", 4, [](const fs::path& f) {
        shard(1).key("a.b", std::vector<std::string>{"x", "y"}).write(pathOf(f, 2));
        shard(2).key("a.b", std::vector<std::string>{"x", "z"}).write(pathOf(f, 3));
    });
    row("another version", "shard_mismatch:format_version", 4,
        [](const fs::path& f) { shard(2, 2).write(pathOf(f, 3)); });
    row("another byte order", "shard_mismatch:byte_order", 2,
        [](const fs::path& f) { shard(2, 3, ByteOrder::Big).write(pathOf(f, 3)); });
    row("more tensors than announced", "shard_tensor_count", 5,
        [](const fs::path& f) { shard(2).tensor("more", kF32, {8}).write(pathOf(f, 3)); });
}

void TestShards::opensWhatIsThere() {
    QFETCH(FolderChange, change);
    QFETCH(QString, findings);
    QFETCH(int, tensors);
    const QTemporaryDir temporary;
    const fs::path folder = temporary.path().toStdString();
    writeSet(folder);
    change(folder);
    const auto opened = gguf::open(pathOf(folder, 2));
    QVERIFY(opened);
    QCOMPARE(findingsOfShards(**opened), findings);
    QCOMPARE((*opened)->tensors.size(), static_cast<std::size_t>(tensors));
    for (const TensorInfo& tensor : (*opened)->tensors) {
        QVERIFY((*opened)->bytesOf(tensor));
    }
}

void TestShards::keepsTheRestReadable() {
    const QTemporaryDir temporary;
    const fs::path folder = temporary.path().toStdString();
    writeSet(folder);
    fs::remove(pathOf(folder, 2));
    const auto opened = gguf::open(pathOf(folder, 1));
    QVERIFY(opened);
    const Model& model = **opened;
    QCOMPARE(model.files.size(), 3U);
    QVERIFY(model.files[1].source == nullptr);
    QCOMPARE(model.files[1].path, pathOf(folder, 2));
    QCOMPARE(model.findings[0].args, (Arguments{pathOf(folder, 2).filename().native(), 2, 3}));
    QCOMPARE((*model.bytesOf(model.tensor(*model.findTensor("blk.2.t0"))))[0], std::byte{20});
}

void TestShards::opensOneShardUnderAnotherName() {
    const QTemporaryDir temporary;
    const fs::path folder = temporary.path().toStdString();
    writeSet(folder);
    fs::rename(pathOf(folder, 2), folder / "renamed.gguf");
    const auto opened = gguf::open(folder / "renamed.gguf");
    QVERIFY(opened);
    QCOMPARE(findingsOfShards(**opened), "shard_renamed");
    QCOMPARE((*opened)->tensors.size(), 2U);
    QVERIFY((*opened)->findTensor("blk.1.t1"));
}

void TestShards::opensAMergedModelAlone() {
    const QTemporaryDir temporary;
    const fs::path path = fs::path(temporary.path().toStdString()) / "merged.gguf";
    GgufBuilder file;
    file.key("general.architecture", "llama").key("split.count", std::uint16_t{0}).write(path);
    const auto opened = gguf::open(path);
    QVERIFY(opened);
    QCOMPARE(findingsOfShards(**opened), "");
    QCOMPARE((*opened)->files.size(), 1U);
}

void TestShards::looksForAsManySiblingsAsANameCanClaim() {
    const QTemporaryDir temporary;
    const fs::path path = pathOf(temporary.path().toStdString(), 77, 99'999);
    shard(1).write(path);
    const std::clock_t begin = std::clock(); // of this process, so that other programs do not count
    const auto opened = gguf::open(path);
    const double elapsed = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    QVERIFY(opened);
    QCOMPARE((*opened)->tensors.size(), 2U);
    QVERIFY((*opened)->findings.size() < 120);
    QVERIFY2(elapsed < 5, "it should take a fraction of a second");
}

void TestShards::stopsWhenCancelled() {
    const QTemporaryDir temporary;
    const fs::path folder = temporary.path().toStdString();
    shard(0).write(pathOf(folder, 1));
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(gguf::open(pathOf(folder, 1), {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);

    // Stops while the last shard is read.
    std::stop_source late;
    const auto memory = [](std::uint16_t index) {
        return std::make_shared<MemorySource>(shard(index).build(), pathOf({}, index + 1U));
    };
    const auto openSibling = [&](const fs::path& path, Links) -> Result<std::shared_ptr<const ByteSource>> {
        const bool last = path == pathOf({}, 3);
        if (last) {
            late.request_stop();
        }
        return memory(last ? 2 : 1);
    };
    const auto opened = gguf::open(memory(0), {.stop = late.get_token()}, openSibling);
    QVERIFY(!opened);
    QCOMPARE(opened.error().code, ErrorCode::Cancelled);
}

GUFO_TEST(TestShards)
#include "tst_shards.moc"
