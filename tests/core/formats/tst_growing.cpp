// Headers whose bytes are fetched: hardly more than the header is viewed, in few steps, and the keys that were read are
// reported on the way.
#include "base/detail.h"
#include "formats/gguf/read/growing.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <functional>

using namespace gufo;
using gufo::test::GgufBuilder;

namespace {

// Counts views that need more of the file than those before, as requests to a server would.
class CountingSource final : public ByteSource {
public:
    explicit CountingSource(std::vector<std::byte> bytes)
        : m_bytes(std::move(bytes)) {}
    [[nodiscard]] std::uint64_t size() const override { return m_bytes.size(); }
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override {
        if (!fits(range, m_bytes.size())) {
            return fail(ErrorCode::RangeOutsideFile);
        }
        if (range.offset + range.length > reach) {
            reach = range.offset + range.length;
            ++steps;
        }
        return Bytes(m_bytes).subspan(range.offset, range.length);
    }
    [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }

    mutable std::uint64_t reach = 0;
    mutable int steps = 0;

private:
    std::vector<std::byte> m_bytes;
    std::filesystem::path m_path;
};

// Words of the lengths that vocabularies have: short ones first.
std::vector<std::string> wordsOf(std::size_t count, std::size_t shortest, std::size_t longest) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t length = shortest + (longest - shortest) * i / count + i % 3;
        words.push_back(std::string(length, static_cast<char>('a' + i % 26)));
    }
    return words;
}

GgufBuilder modelWith(std::size_t tokens, std::size_t merges, std::size_t tensors) {
    GgufBuilder file;
    file.key("general.architecture", "llama").key("general.name", "Owl");
    file.key("tokenizer.ggml.tokens", wordsOf(tokens, 2, 9));
    file.key("tokenizer.ggml.token_type", std::vector<std::int32_t>(tokens, 1));
    file.key("tokenizer.ggml.merges", wordsOf(merges, 3, 14));
    file.key("tokenizer.chat_template", std::string(30'000, 'x'));
    for (std::size_t i = 0; i < tensors; ++i) {
        file.tensor("blk." + std::to_string(i) + ".ffn_down_exps.weight", 0, {64, 64});
    }
    return file;
}

// Adds a count to a header that no file can have.
using Claim = std::function<void(GgufBuilder& file)>;
constexpr std::uint64_t kMany = std::uint64_t{1} << 40;

} // namespace

class TestGrowing : public QObject {
    Q_OBJECT

private slots:
    void onlyTheHeaderIsViewed_data() {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("merges");
        QTest::addColumn<int>("tensors");
        QTest::addColumn<int>("mostSteps");
        QTest::newRow("small") << 100 << 100 << 20 << 1;
        QTest::newRow("32 k tokens") << 32'000 << 0 << 290 << 8;
        QTest::newRow("150 k tokens") << 150'000 << 150'000 << 400 << 12;
        QTest::newRow("260 k tokens") << 260'000 << 500'000 << 1'000 << 14;
        QTest::newRow("many tensors") << 0 << 0 << 30'000 << 12;
    }
    void onlyTheHeaderIsViewed() {
        QFETCH(int, tokens);
        QFETCH(int, merges);
        QFETCH(int, tensors);
        QFETCH(int, mostSteps);
        const auto source = std::make_shared<const CountingSource>(modelWith(static_cast<std::size_t>(tokens),
                                                                             static_cast<std::size_t>(merges),
                                                                             static_cast<std::size_t>(tensors))
                                                                       .build());
        const auto model = gguf::readGrowing(source);
        QVERIFY(model.has_value());
        const std::uint64_t header = (*model)->files[0].headerBytes;
        QVERIFY2(source->reach <= header + gguf::kPartStep,
                 qPrintable(QStringLiteral("%1 for a header of %2").arg(source->reach).arg(header)));
        QVERIFY2(source->steps <= mostSteps, qPrintable(QString::number(source->steps)));
        const auto whole = gguf::read(source);
        QVERIFY(whole && (*whole)->tensors.size() == (*model)->tensors.size() &&
                (*whole)->metadata.size() == (*model)->metadata.size());
    }

    void keysAreReportedEarly() {
        const auto source = std::make_shared<const CountingSource>(modelWith(150'000, 150'000, 400).build());
        std::size_t atFirst = 0;
        int stepsAtFirst = 0;
        std::size_t last = 0;
        const auto model = gguf::readGrowing(source, {}, [&](const Model& header) {
            const Metadata& keys = header.metadata;
            if (atFirst == 0) {
                atFirst = keys.size();
                stepsAtFirst = source->steps;
                QCOMPARE(keys.string("general.name"), std::string_view("Owl"));
            }
            QVERIFY(keys.size() >= last); // never fewer than before
            last = keys.size();
        });
        QVERIFY(model.has_value());
        QCOMPARE(stepsAtFirst, 1);
        QCOMPARE(atFirst, 2U);
        QVERIFY(last > atFirst);
    }

    // More with every part, and all of them at the end, each with what its record says.
    void tensorsAreReportedAsTheyAreRead() {
        const auto source = std::make_shared<const CountingSource>(modelWith(100, 0, 30'000).build());
        std::vector<std::size_t> counts;
        const auto model = gguf::readGrowing(source, {}, [&](const Model& header) {
            counts.push_back(header.tensors.size());
            QCOMPARE(header.files[0].source.get(), source.get());
            for (const TensorInfo& tensor : header.tensors) {
                QVERIFY(tensor.name.starts_with("blk.") && tensor.type() != nullptr && tensor.weights() > 0);
            }
        });
        QVERIFY(model.has_value());
        QVERIFY(counts.size() >= 3 && std::ranges::is_sorted(counts));
        QVERIFY(counts.front() < 10'000);
        QCOMPARE(counts.back(), 30'000U);
        QVERIFY(counts[counts.size() - 2] > 0 && counts[counts.size() - 2] < 30'000);
    }

    void countsAreNotBelieved_data() {
        QTest::addColumn<Claim>("claim");
        const auto row = [](const char* name, const Claim& claim) { QTest::newRow(name) << claim; };
        row("tensors", [](GgufBuilder& file) { file.tensorCount = kMany; });
        row("keys", [](GgufBuilder& file) { file.keyCount = kMany; });
        row("array", [](GgufBuilder& file) {
            file.rawKey("x", ValueType::Array, file.payload().arrayHead(ValueType::UInt32, kMany));
        });
        row("strings", [](GgufBuilder& file) {
            file.rawKey("x", ValueType::Array, file.payload().arrayHead(ValueType::String, kMany));
        });
        row("string", [](GgufBuilder& file) { file.rawKey("x", ValueType::String, file.payload().length(kMany)); });
    }
    // A file of 100 MiB whose header claims more than it can have: the reader refuses it, and the first claim is not
    // enough to fetch all of it at once.
    void countsAreNotBelieved() {
        QFETCH(Claim, claim);
        GgufBuilder file;
        file.key("general.architecture", "llama");
        claim(file);
        file.trailing.resize(100 << 20);
        const auto source = std::make_shared<const CountingSource>(file.build());
        std::uint64_t longestJump = 0;
        std::uint64_t before = 0;
        const auto model = gguf::readGrowing(source, {}, [&](const Model&) {
            longestJump = std::max(longestJump, source->reach - before);
            before = source->reach;
        });
        QVERIFY(!model.has_value());
        QVERIFY(longestJump <= gguf::kTrustedPart * gguf::kPartGrowth);
        QVERIFY(source->steps >= 3);
    }

    void cancelling() {
        const auto source = std::make_shared<const CountingSource>(modelWith(150'000, 150'000, 400).build());
        std::stop_source stop;
        const auto model =
            gguf::readGrowing(source, {.stop = stop.get_token()}, [&](const Model&) { stop.request_stop(); });
        QVERIFY(!model.has_value());
        QCOMPARE(model.error().code, ErrorCode::Cancelled);
        QCOMPARE(source->steps, 1);
    }
};

GUFO_TEST(TestGrowing)
#include "tst_growing.moc"
