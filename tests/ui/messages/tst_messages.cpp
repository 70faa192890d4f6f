#include "base/detail.h"
#include "model/finding_code.h"
#include "support/test_unit.h"
#include "ui/messages/detail_text.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/messages/save_text.h"

#include <QTest>

#include <cerrno>
#include <limits>

using namespace gufo;
using namespace gufo::ui;

class TestMessages : public QObject {
    Q_OBJECT

private slots:
    void limitsSayWhatToDo_data();
    void limitsSayWhatToDo();
    void markersWithoutRoom();
    void hintsAboutKeys();
    void hintsOfOtherFormats();
    void displaysAnyBytes_data();
    void displaysAnyBytes();
    void formatsFigures();
    void formatsValuesExactly();
    void everyFindingHasWords();
    void remarksOnAlignmentsAgree();
    void memoryOfAPartOfAModel();
    void memoryOfAModelThatCannotRun();
    void memoryOfOtherContainers();
    void memoryOfSlidingWindows();
    void forecastTellsTheHeaderFromItsJournal();
    void forecastTellsReasonAndTime();
    void argumentsAreNotSearchedForPlaces();
    void errorLineNamesFilePlaceAndReason();
    void aSilentEndHasNoQuotation();
    void aServersTemplateIsSaidToo();
    void keysOfOtherFilesSayWhatToDo();
    void faultsOfServersSayWhatToDo_data();
    void faultsOfServersSayWhatToDo();
    void blocksThatPredictFurtherTokensAreOneItem();
};

void TestMessages::blocksThatPredictFurtherTokensAreOneItem() {
    const auto textOf = [](const std::vector<std::string>& names) { return leftOutText(names); };
    QCOMPARE(textOf({}), QString());
    QCOMPARE(
        textOf({"rope_freqs.weight", "blk.3.attn_q.weight", "blk.3.nextn.enorm.weight", "blk.0.attn_rot_embd.weight",
                "blk.3.ffn_up.weight"}),
        "Ignored, because they do not affect the answers: rope_freqs.weight, blk.3 (3 tensors that predict further "
        "tokens), blk.0.attn_rot_embd.weight.");
    QCOMPARE(textOf({"v.a", "v.b", "v.c", "v.d", "blk.9.x", "blk.9.nextn.y"}),
             "Ignored, because they do not affect the answers: v.a, v.b, v.c, v.d and 2 more tensors.");
}

void TestMessages::displaysAnyBytes_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("plain") << QByteArray("blk.0") << "blk.0";
    QTest::newRow("utf-8") << QByteArray("Grüße 你好 🦉") << QStringLiteral("Grüße 你好 🦉");
    QTest::newRow("newline, tab") << QByteArray("a\n\tb\r") << "a\\n\\tb\\r";
    QTest::newRow("control") << QByteArray("\x01\x7F", 2) << "\\x01\\x7F";
    QTest::newRow("control of terminals") << QByteArray("\xC2\x9B\x33\x31m") << "\\xC2\\x9B31m";
    QTest::newRow("turned around") << QByteArray("\xE2\x80\xAE"
                                                 "fugg.\xE2\x81\xA9")
                                   << "\\xE2\\x80\\xAEfugg.\\xE2\\x81\\xA9";
    QTest::newRow("line separator") << QByteArray("a\xE2\x80\xA8"
                                                  "b")
                                    << "a\\xE2\\x80\\xA8b";
    QTest::newRow("ordinary right-to-left") << QByteArray("שלום‏…") << QStringLiteral("שלום‏…");
    QTest::newRow("nul") << QByteArray("a\0b", 3) << "a\\x00b";
    QTest::newRow("lone continuation") << QByteArray("\x80") << "\\x80";
    QTest::newRow("overlong slash") << QByteArray("\xC0\xAF") << "\\xC0\\xAF";
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << "\\xED\\xA0\\x80";
    QTest::newRow("cut off") << QByteArray("\xE4\xBD") << "\\xE4\\xBD";
    QTest::newRow("past the last code point") << QByteArray("\xF4\x90\x80\x80") << "\\xF4\\x90\\x80\\x80";
}

void TestMessages::displaysAnyBytes() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, text);
    QCOMPARE(displayText({bytes.constData(), static_cast<std::size_t>(bytes.size())}), text);
}

void TestMessages::formatsFigures() {
    QCOMPARE(formatCount(0), "0");
    QCOMPARE(formatCount(999), "999");
    QCOMPARE(formatCount(1'234'567), "1,234,567");
    QCOMPARE(formatBytes(512), "512 bytes");
    QCOMPARE(formatBytes(14'008'320), "13.4 MiB");
    QCOMPARE(formatBytes(1023), "1,023 bytes");
    QCOMPARE(formatBytes(1024), "1.00 KiB");
    QCOMPARE(formatBytes(1'048'575), "1.00 MiB");
    QCOMPARE(formatParameters(4'022'468'096), "4.02 B");
    QCOMPARE(formatParameters(260), "260");
    QCOMPARE(formatReal(-3.1e-06, 2), QStringLiteral("−3.1e-06"));
    QCOMPARE(formatReal(std::numeric_limits<double>::infinity()), QStringLiteral("∞"));
    const std::array<std::uint64_t, 2> dims{2560, 9728};
    QCOMPARE(formatShape(Shape(dims)), QStringLiteral("2,560 × 9,728"));
    QCOMPARE(formatShape(Shape()), QStringLiteral("scalar"));
}

void TestMessages::formatsValuesExactly() {
    QCOMPARE(formatValue(Value(std::numeric_limits<std::uint64_t>::max())), "18446744073709551615");
    QCOMPARE(formatValue(Value(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808");
    QCOMPARE(formatValue(Value(1e-6F)), "1e-06");
    QCOMPARE(formatValue(Value(0.1)), "0.1");
    QCOMPARE(formatValue(Value(500000.0F)), "500000");
    QCOMPARE(formatValue(Value(-1e6F)), "-1000000");
    QCOMPARE(formatValue(Value(0.0F)), "0");
    QCOMPARE(formatValue(Value(1e30F)), "1e+30");
    QCOMPARE(formatValue(Value(std::numeric_limits<double>::quiet_NaN())), "nan");
    QCOMPARE(formatValue(Value(BoolValue{0})), "false");
    QCOMPARE(formatValue(Value(BoolValue{7})), "true (7)");
    const std::array<std::byte, 3> bytes{std::byte{1}, std::byte{2}, std::byte{3}};
    const Value array(ArrayView{.elementType = ValueType::UInt8, .length = 3, .bytes = bytes, .layout = {}});
    QCOMPARE(formatValue(array, 2), QStringLiteral("1, 2, …"));
    QCOMPARE(formatValue(array, 3), QStringLiteral("1, 2, 3"));
    QCOMPARE(formatValueType(array), "u8[3]");
}

void TestMessages::everyFindingHasWords() {
    for (const FindingFact& fact : findingFacts()) {
        const Finding finding{
            .code = fact.code,
            .place = {},
            .args = {std::string("one"), std::string("two"), std::string("three"), std::string("four")}};
        QVERIFY2(!findingTitle(finding).isEmpty(), fact.name.data());
        QVERIFY2(!findingMessage(finding).isEmpty(), fact.name.data());
        QVERIFY2(!findingMessage(finding).contains(QLatin1Char('%')), fact.name.data());
    }
}

// An alignment such as 13 breaks two rules. Neither finding may excuse it.
void TestMessages::remarksOnAlignmentsAgree() {
    for (const FindingCode code : {FindingCode::AlignmentNotPowerOfTwo, FindingCode::AlignmentNotMultipleOf8}) {
        const QString message = findingMessage({code, Place::key("general.alignment"), {13}});
        QVERIFY2(!message.contains(QStringLiteral("legal")), qPrintable(message));
        QVERIFY2(message.contains(QStringLiteral("13")), qPrintable(message));
    }
}

void TestMessages::memoryOfAPartOfAModel() {
    inference::MemoryForecast forecast;
    forecast.needs = {.context = 32, .trainedContext = 64, .weights = 1000};
    forecast.longestContext = 64;
    const inference::MachineMemory machine{.total = 1U << 30U, .available = 1U << 29U};
    QVERIFY(memorySuffices(forecast));
    QVERIFY(memoryVerdictText(forecast, machine).startsWith(QStringLiteral("Fits")));
    forecast.partial = true;
    QVERIFY(!memorySuffices(forecast));
    QVERIFY(!memoryVerdictText(forecast, machine).contains(QStringLiteral("Fits")));
    forecast.verdict = inference::MemoryVerdict::WeightsExceed;
    QVERIFY(!memorySuffices(forecast));
}

void TestMessages::memoryOfAModelThatCannotRun() {
    const inference::MachineMemory machine{.total = 1U << 30U, .available = 1U << 29U};
    inference::MemoryForecast forecast;
    forecast.needs = {.context = 32, .trainedContext = 64, .weights = 1000};
    forecast.longestContext = 64;
    const std::string tensor = "blk.0.ffn_up.weight";
    for (const ErrorCode code : {ErrorCode::NoSuchTensor, ErrorCode::TensorsNotUsed}) {
        forecast.refusal = Error{code, {}, Place::tensor(tensor), {tensor}, 0};
        QVERIFY(!memorySuffices(forecast));
        const QString verdict = memoryVerdictText(forecast, machine);
        QVERIFY2(verdict.contains(QStringLiteral("cannot be run")), qPrintable(verdict));
        QVERIFY2(!verdict.startsWith(QStringLiteral("Fits")), qPrintable(verdict));
        const QString estimate = memoryEstimateText(forecast);
        QVERIFY2(estimate.contains(QString::fromStdString(tensor)), qPrintable(estimate));
        QVERIFY2(!estimate.contains(QStringLiteral("Gufo's engine")), qPrintable(estimate));
    }
    // Another engine may know the architecture.
    forecast.refusal = Error{ErrorCode::NotRunnable, {}, Place::key("general.architecture"), {std::string("grok")}, 0};
    QVERIFY(memorySuffices(forecast));
    QVERIFY(memoryEstimateText(forecast).contains(QStringLiteral("Gufo's engine")));
}

void TestMessages::memoryOfOtherContainers() {
    Model model;
    model.container = "safetensors";
    model.tensors.emplace_back();
    const QString text = memoryProblemText(model, Error{ErrorCode::NoSuchKey, {}, Place::key(".block_count"), {}, 0});
    QVERIFY2(text.contains("keys of GGUF") && !text.contains("block_count"), qPrintable(text));
}

// The KV cache of such a model is much larger than its growth times the context.
void TestMessages::memoryOfSlidingWindows() {
    QCOMPARE(kvGrowthText({.kvPerToken = 256}), QStringLiteral("256 bytes per token"));
    QCOMPARE(kvGrowthText({.kvPerToken = 256, .slidingWindows = true}),
             QStringLiteral("256 bytes per token past the sliding windows"));
}

void TestMessages::forecastTellsTheHeaderFromItsJournal() {
    SavePlan plan;
    plan.files.push_back({.strategy = SaveStrategy::Shift, .bytesToWrite = 300, .journalBytes = 100});
    const QString text = savePlanText(plan, 1000);
    QVERIFY2(text.contains(QStringLiteral("200 bytes of header")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("100 bytes to a journal")), qPrintable(text));
    // A file that another program has overwritten may have no bytes left that could be saved under another name.
    plan.refusal = Error{ErrorCode::FileChangedOnDisk, "owl.gguf", {}, {}, 0};
    QVERIFY2(savePlanText(plan, 1000).startsWith("Saving asks what to do: another program changed it"),
             qPrintable(savePlanText(plan, 1000)));
}

void TestMessages::forecastTellsReasonAndTime() {
    SavePlan plan;
    FilePlan file{.strategy = SaveStrategy::Copy, .reason = SaveReason::OpenElsewhere, .bytesToWrite = 2U << 30U};
    file.seconds = 11.2;
    plan.files.push_back(file);
    plan.files.push_back({.strategy = SaveStrategy::Copy, .reason = SaveReason::SeveralFiles});
    std::ranges::reverse(plan.files); // the file that causes the copies need not be the first
    const QString text = savePlanText(plan, 1000);
    QVERIFY2(text.contains(QStringLiteral("another program has the file open")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("It takes about 12 s.")), qPrintable(text));
    QVERIFY2(!text.contains(QStringLiteral("not written")), qPrintable(text));
    using namespace std::chrono_literals;
    QCOMPARE(timeLeftText(0s), QStringLiteral("about 1 s left"));
    QCOMPARE(timeLeftText(89s), QStringLiteral("about 89 s left"));
    QCOMPARE(timeLeftText(90s), QStringLiteral("about 2 min left"));
    QCOMPARE(timeLeftText(3h), QStringLiteral("about 3 h left"));
}

void TestMessages::argumentsAreNotSearchedForPlaces() {
    QCOMPARE(sentence("Details", "%1 and %2", {std::string("%2"), std::string("\n")}), "%2 and \\n");
    QCOMPARE(sentence("Details", "100 % of %1", {}), "100 % of ");
}

void TestMessages::errorLineNamesFilePlaceAndReason() {
    const Error error{.code = ErrorCode::Truncated,
                      .file = "a\xFF.gguf",
                      .place = Place::atOffset(12'345),
                      .args = {Detail::Header, 24, 3}};
    const QString line = errorLine(error);
    QVERIFY(
        line.startsWith(QStringLiteral("a\\xFF.gguf: byte 12,345: it ends before the end of the header: 24 bytes")));
    QVERIFY(!line.contains(QLatin1Char('\n')));
    QCOMPARE(
        errorLine({ErrorCode::WriteFailed, "no/such.gguf", {}, {}, ENOENT}),
        QStringLiteral("no/such.gguf: the folder for it does not exist. Create the folder, or choose another one."));
}

// A server that runs another model may use another chat template as well; an error says both.
void TestMessages::aServersTemplateIsSaidToo() {
    using inference::Agreement;
    inference::ServerMatch match{.vocabulary = Agreement::Different};
    const QString model = serverMatchText(match);
    QCOMPARE(model, argumentText(Detail::ServerRunsOther));
    match.chatTemplate = Agreement::Different;
    QCOMPARE(serverMatchText(match), model + QStringLiteral("; its chat template is not the one of this file"));
    QVERIFY(errorReason({ErrorCode::InvalidArgument, {}, {}, {serverMatchDetail(match)}, 0})
                .contains(serverMatchText(match)));
}

// The process of an engine may end without having written anything.
void TestMessages::aSilentEndHasNoQuotation() {
    for (const Detail detail :
         {Detail::EngineKilled, Detail::EngineExited, Detail::EngineSilent, Detail::EngineStuck}) {
        const QString silent = errorReason({ErrorCode::NotRunnable, {}, {}, {{detail, {9, std::string()}}}, 0});
        QVERIFY2(silent.contains(u'9') && !silent.contains(u'"'), qPrintable(silent));
        const QString words = errorReason({ErrorCode::NotRunnable, {}, {}, {{detail, {9, std::string("lost")}}}, 0});
        QVERIFY2(words.startsWith(silent) && words.endsWith("\"lost\""), qPrintable(words));
    }
    const QString broken =
        errorReason({ErrorCode::NotRunnable, {}, {}, {{Detail::EngineProtocolBroken, {std::string()}}}, 0});
    QVERIFY2(!broken.contains(u'"'), qPrintable(broken));
}

// The weights' own container can be changed; the key is stated by another file of the folder.
void TestMessages::keysOfOtherFilesSayWhatToDo() {
    Error error{.code = ErrorCode::FormatReadOnly, .file = "folder", .args = {std::string_view("json")}};
    QVERIFY(errorLine(error).contains(QStringLiteral("which can be read, but not changed")));
    const Error tensors{.code = ErrorCode::FormatReadOnly, .file = "a", .args = {std::string_view("safetensors")}};
    QVERIFY2(errorLine(tensors).contains(QStringLiteral("this is safetensors, of which only the metadata")),
             qPrintable(errorLine(tensors)));
    error.place = Place::key("config.hidden_size");
    const QString line = errorLine(error);
    QVERIFY2(line.contains(QStringLiteral("a file beside the weights")), qPrintable(line));
    QVERIFY2(line.contains(QStringLiteral("text editor")), qPrintable(line));
}

void TestMessages::faultsOfServersSayWhatToDo_data() {
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<Arguments>("what");
    const auto row = [](ErrorCode code, const Argument& what) {
        QTest::newRow(what.text().c_str()) << code << Arguments{what};
    };
    for (const Detail detail : {Detail::AddressMalformed, Detail::AddressWithPassword}) {
        row(ErrorCode::AddressRefused, detail);
    }
    row(ErrorCode::AddressRefused, {Detail::SchemeRefused, {std::string("ftp")}});
    row(ErrorCode::AddressRefused, {Detail::RedirectLimit, {8}});
    for (const Detail detail : {Detail::PlainHttpRefused, Detail::RedirectUnencrypted, Detail::RedirectInside}) {
        row(ErrorCode::AddressRefused, {detail, {std::string("owl.example")}});
    }
    for (const Detail detail :
         {Detail::RangesIgnored, Detail::LengthMissing, Detail::ReplyNotJson, Detail::ConnectionClosed}) {
        row(ErrorCode::ReplyUnusable, detail);
    }
    row(ErrorCode::ReplyUnusable, {Detail::ReplyEncoded, {std::string("gzip")}});
    row(ErrorCode::ReplyUnusable, {Detail::ReplyTooLong, {100}});
    row(ErrorCode::ReplyUnusable, {Detail::RangeWrong, {std::string("bytes=0-1"), std::string("bytes 2-3/4")}});
    for (const Detail detail : {Detail::ReplyCut, Detail::RemoteFileTooLarge, Detail::SizeDiffers}) {
        row(ErrorCode::ReplyUnusable, {detail, {10, 20}});
    }
}

// A message has a file, a reason and advice, and nothing that was not filled in.
void TestMessages::faultsOfServersSayWhatToDo() {
    QFETCH(ErrorCode, code);
    QFETCH(Arguments, what);
    const Error error{code, "https://owl.example/m.gguf", {}, what, 0};
    QVERIFY2(errorHint(error).endsWith(QLatin1Char('.')), qPrintable(errorHint(error)));
    const QString line = errorLine(error);
    QVERIFY2(line.contains("https://owl.example/m.gguf") && line.contains(errorHint(error)), qPrintable(line));
    QVERIFY2(!line.contains(QLatin1Char('%')), qPrintable(line));
    // A server that runs models has no files, and is none of the Hub's.
    const QString ofEngine = errorHint(error, ServerKind::Engine);
    QVERIFY2(ofEngine.endsWith(QLatin1Char('.')), qPrintable(ofEngine));
    QVERIFY2(!ofEngine.contains("Hugging Face") && !ofEngine.contains("browser and opened"), qPrintable(ofEngine));
    QVERIFY2(!ofEngine.contains("gufo-cli") && !ofEngine.contains("GUFO_"), qPrintable(ofEngine));
    QVERIFY(!errorHint(error, ServerKind::ConsoleEngine).contains("Open Address"));
    QVERIFY(errorLine(error, ServerKind::Engine).endsWith(ofEngine));
}

void TestMessages::limitsSayWhatToDo_data() {
    QTest::addColumn<Arguments>("what");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("hint");
    const auto row = [](const char* name, Detail counted, std::uint64_t count, std::uint64_t limit, const char* reason,
                        const char* hint) {
        QTest::newRow(name) << Arguments{counted, count, limit} << QString::fromUtf8(reason) << QString::fromUtf8(hint);
    };
    constexpr std::uint64_t kGiB = std::uint64_t{1} << 30U;
    row("a text", Detail::Bytes, 3 * kGiB, kGiB, "it takes 3.00 GiB; the limit is 1.00 GiB", "divide it");
    row("a text that is barely too long", Detail::Bytes, kGiB + 1, kGiB,
        "it takes 1,073,741,825 bytes; the limit is 1,073,741,824 bytes", "divide it");
    row("a header", Detail::HeaderBytes, 2 * kGiB, kGiB, "it takes 2.00 GiB; the limit is 1.00 GiB", "damaged");
    row("a prompt", Detail::ContextTokens, 5'000, 4'096, "it has 5,000 tokens of context; the limit is 4,096",
        "larger context");
    row("a grammar", Detail::GrammarElements, 100'001, 100'000,
        "it has 100,001 elements of the grammar; the limit is 100,000", "Simplify");
    row("a schema", Detail::SchemaWork, 11, 10, "; the limit is 10", "Simplify");
    row("a hostile file", Detail::Tensors, 2'000'000, 1'000'000, "it has 2,000,000 tensors; the limit is 1,000,000",
        "damaged or hostile");
}

// A limit that was exceeded: what, the limit, and what to do, which differs for files and for what a user wrote.
void TestMessages::limitsSayWhatToDo() {
    QFETCH(const Arguments, what);
    QFETCH(const QString, reason);
    QFETCH(const QString, hint);
    const Error error{ErrorCode::LimitExceeded, "owl.bin", {}, what, 0};
    QVERIFY2(errorReason(error).endsWith(reason), qPrintable(errorReason(error)));
    QVERIFY2(errorHint(error).contains(hint), qPrintable(errorHint(error)));
    QCOMPARE(errorHint(error).contains("hostile"), hint.contains("hostile"));
    QVERIFY(errorLine(error).size() < 500);
}

// A marker that is not in the vocabulary is told with what can be done about it in this file.
void TestMessages::markersWithoutRoom() {
    const auto finding = [](std::string spare) {
        return Finding{FindingCode::TemplateTokenUnknown,
                       Place::key("tokenizer.chat_template"),
                       {std::string("<|start|>"), 7, std::move(spare)}};
    };
    QVERIFY2(!findingMessage(finding("[PAD5]")).contains("unused"), qPrintable(findingMessage(finding("[PAD5]"))));
    QVERIFY(findingHint(finding("[PAD5]")).contains("add the token"));
    const QString none = findingMessage(finding({}));
    QVERIFY2(none.contains("<|start|>, in line 7,") && none.contains("No token of the vocabulary is unused"),
             qPrintable(none));
    QVERIFY(findingHint(finding({})).contains("--vocab extend:TOKEN"));
}

// The window has a field for the key, and the console options.
void TestMessages::hintsAboutKeys() {
    for (const int status : {401, 403}) {
        Error error{ErrorCode::HttpStatus, "http://127.0.0.1:1/v1/models", {}, {status, std::string("No")}, 0};
        QVERIFY(errorHint(error, ServerKind::ConsoleEngine).contains("another key than that of --engine-key-file"));
        QVERIFY(errorHint(error, ServerKind::Engine).contains("another key"));
        error.args.emplace_back(Detail::Key);
        QVERIFY(errorHint(error, ServerKind::ConsoleEngine).contains("--engine-key-file"));
        for (const ServerKind kind : {ServerKind::ConsoleEngine, ServerKind::Engine}) {
            QVERIFY(!errorHint(error, kind).contains("another"));
            QCOMPARE(errorLine(error, kind).count(": No. It needs a key"), 1);
        }
        QVERIFY(!errorHint(error, ServerKind::Engine).contains("gufo-cli"));
        QVERIFY(!errorHint(error, ServerKind::Engine).contains("GUFO"));
    }
}

// Advice that cannot be followed is not given: neither of these files can be converted as it is.
void TestMessages::hintsOfOtherFormats() {
    using namespace std::literals;
    const auto hint = [](std::string_view format) {
        return errorHint({ErrorCode::OtherFormat, "m.bin", {}, {format}, 0});
    };
    QVERIFY(hint("hdf5"sv).contains(QLatin1String("convert")));
    for (const std::string_view format : {"silero_vad"sv, "zip"sv, "gzip"sv, "7z"sv}) {
        QVERIFY(!hint(format).isEmpty());
        QVERIFY2(!hint(format).contains(QLatin1String("convert")), format.data());
    }
}

GUFO_TEST(TestMessages)
#include "tst_messages.moc"
