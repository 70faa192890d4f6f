// Checks that every visible string of the sources is in the catalogues of resources/translations, that every sentence
// with a number has its English forms, and that core contains no English.
#include "base/argument.h"
#include "base/detail.h"
#include "model/key_catalogue.h"
#include "model/tensor_role.h"
#include "source_literals.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/detail_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/model_text.h"
#include "ui/messages/save_text.h"

#include <QDir>
#include <QDirIterator>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace gufo;
using namespace gufo::ui;

namespace {

struct Message {
    bool plural = false;
    bool unfinished = false;
    QString source;
    QStringList forms; // of the translation; one unless it has plural forms
};
using Messages = QMap<QString, Message>; // by context and source

Messages messagesOf(const QString& path) {
    QFile file(path);
    Messages all;
    if (!file.open(QIODevice::ReadOnly)) {
        qWarning("%s: %s", qPrintable(path), qPrintable(file.errorString()));
        return all;
    }
    QXmlStreamReader xml(&file);
    QString context;
    QString source;
    Message message;
    while (!xml.atEnd()) {
        const auto token = xml.readNext();
        if (token == QXmlStreamReader::EndElement && xml.name() == QLatin1String("message")) {
            all.insert(context + QStringLiteral(": ") + source, message);
        }
        if (token != QXmlStreamReader::StartElement) {
            continue;
        }
        if (xml.name() == QLatin1String("name")) {
            context = xml.readElementText();
        } else if (xml.name() == QLatin1String("message")) {
            message = {.plural = xml.attributes().value(QLatin1String("numerus")) == QLatin1String("yes")};
        } else if (xml.name() == QLatin1String("source")) {
            source = xml.readElementText();
            message.source = source;
        } else if (xml.name() == QLatin1String("comment")) {
            source += QStringLiteral(" / ") + xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            message.unfinished = xml.attributes().value(QLatin1String("type")) == QLatin1String("unfinished");
            if (!message.plural) {
                message.forms << xml.readElementText();
            }
        } else if (xml.name() == QLatin1String("numerusform")) {
            message.forms << xml.readElementText();
        }
    }
    if (xml.hasError()) {
        qWarning("%s: %s", qPrintable(path), qPrintable(xml.errorString()));
    }
    return all;
}

QString catalogue(const QString& folder, const QString& name) { return folder + QLatin1Char('/') + name; }

QStringList sourcesIn(std::initializer_list<const char*> folders, const QStringList& endings) {
    QStringList files;
    for (const char* folder : folders) {
        QDirIterator all(QStringLiteral(GUFO_SOURCE_DIR "/") + QLatin1String(folder), endings, QDir::Files,
                         QDirIterator::Subdirectories);
        while (all.hasNext()) {
            files << all.next();
        }
    }
    files.sort();
    return files;
}

QString textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString lineOf(const QString& text, qsizetype offset) {
    return QString::number(text.left(offset).count(QLatin1Char('\n')) + 1);
}

} // namespace

class TestCatalogue : public QObject {
    Q_OBJECT

private slots:
    void sourcesAndCataloguesAgree();
    void englishFormsAreFilledIn();
    void translationsAreComplete_data();
    void translationsAreComplete();
    void languagesAreChosen();
    void stringsAreWrittenWhereLupdateSeesThem();
    void coreHoldsNoEnglish();
    void everyDetailHasWords();
    void rowsOfCoreHaveTheirWords();
    void formsFollowTheNumber_data();
    void formsFollowTheNumber();
    void figuresOfFormsHaveSeparators();
};

void TestCatalogue::sourcesAndCataloguesAgree() {
    if (qstrlen(GUFO_LUPDATE) == 0 || !QFile::exists(QStringLiteral(GUFO_LUPDATE))) {
        QSKIP("lupdate of Qt Linguist is not installed");
    }
    const QTemporaryDir folder;
    QProcess update;
    update.setProcessChannelMode(QProcess::MergedChannels);
    update.start(QStringLiteral(GUFO_CMAKE),
                 {QStringLiteral("-DLUPDATE=" GUFO_LUPDATE), QStringLiteral("-DFOLDER=") + folder.path(),
                  QStringLiteral("-P"), QStringLiteral(GUFO_TRANSLATIONS_DIR "/update.cmake")});
    QVERIFY(update.waitForFinished(200'000));
    QVERIFY2(update.exitStatus() == QProcess::NormalExit && update.exitCode() == 0, update.readAll().constData());
    const QStringList catalogues = QDir(QStringLiteral(GUFO_TRANSLATIONS_DIR)).entryList({QStringLiteral("gufo_*.ts")});
    QVERIFY(catalogues.size() >= 2);
    for (const QString& name : catalogues) {
        const Messages found = messagesOf(catalogue(folder.path(), name));
        const Messages committed = messagesOf(catalogue(QStringLiteral(GUFO_TRANSLATIONS_DIR), name));
        QVERIFY(!found.isEmpty());
        QStringList wrong;
        for (auto message = found.begin(); message != found.end(); ++message) {
            const auto known = committed.find(message.key());
            if (known == committed.end() || known->plural != message->plural) {
                wrong << QStringLiteral("missing: ") + message.key();
            }
        }
        for (const QString& key : committed.keys()) {
            if (!found.contains(key)) {
                wrong << QStringLiteral("stale: ") + key;
            }
        }
        QVERIFY2(wrong.isEmpty(),
                 qPrintable(QStringLiteral("%1: run ./dev translate\n%2").arg(name, wrong.join(QLatin1Char('\n')))));
    }
}

void TestCatalogue::englishFormsAreFilledIn() {
    const Messages english = messagesOf(catalogue(QStringLiteral(GUFO_TRANSLATIONS_DIR), QStringLiteral("gufo_en.ts")));
    QVERIFY(english.size() > 100);
    for (auto message = english.begin(); message != english.end(); ++message) {
        QVERIFY2(message->plural && !message->unfinished && message->forms.size() == 2 &&
                     !message->forms[0].isEmpty() && !message->forms[1].isEmpty(),
                 qPrintable(message.key()));
    }
}

// lupdate reads literals in tr(), translate() and Qt's markers. It does not see them behind other macros, or as
// arguments of a function that translates its parameter.
void TestCatalogue::translationsAreComplete_data() {
    QTest::addColumn<qsizetype>("forms");
    QTest::newRow("de") << qsizetype{2};
    QTest::newRow("ru") << qsizetype{3};
    QTest::newRow("zh_CN") << qsizetype{1};
}

// Every text has all forms, with the placeholders and tags of the English one.
void TestCatalogue::translationsAreComplete() {
    QFETCH(qsizetype, forms);
    static const QRegularExpression mark(QStringLiteral("%L?[0-9]+|</?[a-zA-Z][^>]*>"));
    const auto marksOf = [](const QString& text) {
        QStringList marks;
        for (const auto& match : mark.globalMatch(text)) {
            marks << match.captured();
        }
        marks.sort();
        return marks;
    };
    const Messages all =
        messagesOf(catalogue(QStringLiteral(GUFO_TRANSLATIONS_DIR),
                             QStringLiteral("gufo_%1.ts").arg(QLatin1String(QTest::currentDataTag()))));
    QVERIFY(all.size() > 5000);
    QStringList wrong;
    for (auto message = all.begin(); message != all.end(); ++message) {
        if (message->unfinished || message->forms.size() != (message->plural ? forms : 1) ||
            message->forms.contains(QString())) {
            wrong << message.key();
            continue;
        }
        for (const QString& form : message->forms) {
            if (marksOf(form) != marksOf(message->source)) {
                wrong << form;
            }
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
}

void TestCatalogue::languagesAreChosen() {
    QCOMPARE(languages(),
             QStringList({QStringLiteral("de"), QStringLiteral("en"), QStringLiteral("ru"), QStringLiteral("zh_CN")}));
    QCOMPARE(nativeLanguageName(QStringLiteral("de")), QStringLiteral("Deutsch"));
    QCOMPARE(nativeLanguageName(QStringLiteral("ru")), QStringLiteral("Русский"));
    setLanguage(QStringLiteral("de"));
    QCOMPARE(formatBytes(5 << 20), QStringLiteral("5,00 MiB"));
    QCOMPARE(formatCount(1'234'567), QStringLiteral("1.234.567"));
    QCOMPARE(formatReal(-1.25e-6), QStringLiteral("−1,25e-06"));
    QCOMPARE(typedBytes(QStringLiteral("1,5 KB")), std::uint64_t{1536});
    QCOMPARE(typedBytes(QStringLiteral("1.5 KiB")), std::uint64_t{1536}); // the point of other programs
    QCOMPARE(typedBytes(QStringLiteral("1,5,5 KB")), std::nullopt);
    QCOMPARE(strategyInSentence(SaveStrategy::Copy), QStringLiteral("Kopieren")); // a noun
    QCOMPARE(strategyInSentence(SaveStrategy::Unchanged), QStringLiteral("unverändert"));
    setLanguage(QStringLiteral("ru"));
    QCOMPARE(typedBytes(QStringLiteral("1,5 ГБ")), std::uint64_t{3} << 29);
    QCOMPARE(typedBytes(QStringLiteral("1,5 ГиБ")), std::uint64_t{3} << 29);
    QCOMPARE(typedBytes(QStringLiteral("1,5 GB")), std::uint64_t{3} << 29);
    QSet<QString> forms;
    for (const int n : {1, 2, 5, 21}) { // one, few, many, one again
        forms << QCoreApplication::translate("gufo::cli::Cli", "%n tokens", nullptr, n).remove(QString::number(n));
    }
    QCOMPARE(forms.size(), 3);
    // Sentences of core are looked up with a number, even those with one form.
    QCOMPARE(QCoreApplication::translate("StructureFacts", "width %1", nullptr, 256), QStringLiteral("ширина: %1"));
    setLanguage(QStringLiteral("zh_CN"));
    QCOMPARE(formatCount(1'234'567), QStringLiteral("1,234,567"));
    QVERIFY(formatBytes(2).contains(QStringLiteral("字节")));
    keepEnglishFigures();
    QCOMPARE(formatBytes(5 << 20), QStringLiteral("5.00 MiB"));
    setLanguage(QStringLiteral("fr")); // without a catalogue: English throughout
    QCOMPARE(formatBytes(2), QStringLiteral("2 bytes"));
    QCOMPARE(formatBytes(5 << 20), QStringLiteral("5.00 MiB"));
    QCOMPARE(typedBytes(QStringLiteral("1.5 KB")), std::uint64_t{1536});
    QCOMPARE(typedBytes(QStringLiteral("1,500 KB")), std::nullopt); // thousands, which nobody types for sizes
    setLanguage({});
}

void TestCatalogue::stringsAreWrittenWhereLupdateSeesThem() {
    static const QRegularExpression macro(QStringLiteral(R"re(#define\s+\w+[^\n]*(?:QT_TR|\btr\(|translate\())re"));
    static const QRegularExpression wrapper(QStringLiteral(
        R"re((\w+)\s*(?:=\s*\[[^\]]*\]\s*)?\(const char\s*\*\s*(\w+)\)[^{;]*\{[^}]*(?:translate\([^}]*,\s*\2\)|\btr\(\2\)))re"));
    QStringList wrong;
    for (const QString& path : sourcesIn({"ui", "app"}, {QStringLiteral("*.cpp"), QStringLiteral("*.h")})) {
        const QString text = textOf(path);
        if (const auto match = macro.match(text); match.hasMatch()) {
            wrong << path + QLatin1Char(':') + lineOf(text, match.capturedStart()) +
                         QStringLiteral(": a macro translates");
        }
        for (auto wrappers = wrapper.globalMatch(text); wrappers.hasNext();) {
            const QString name = wrappers.next().captured(1);
            const QRegularExpression call(QStringLiteral("(?<![\\w:.>])%1\\(\\s*\"").arg(name));
            for (auto calls = call.globalMatch(text); calls.hasNext();) {
                wrong << path + QLatin1Char(':') + lineOf(text, calls.next().capturedStart()) +
                             QStringLiteral(": a literal that %1() translates").arg(name);
            }
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
}

// Two or more consecutive words of at least two letters count as prose.
void TestCatalogue::coreHoldsNoEnglish() {
    static const QRegularExpression prose(QStringLiteral("(?:^|[ (\"])[A-Za-z]?[a-z]+ [a-z]{2,}(?:$|[ ,;.:)\"])"));
    const QStringList allowed{
        QStringLiteral("core/text/conversation/battery.cpp"),      // conversations that templates are tried with
        QStringLiteral("core/text/conversation/conversation.cpp"), // chat templates, written in Jinja
        QStringLiteral("core/inference/grammar/json_grammar.cpp"), // rules of grammars
        QStringLiteral("core/inference/grammar/value_notation.cpp"),
        QStringLiteral("core/inference/generation/call_grammar.cpp"),
        QStringLiteral("core/model/hub_values.cpp"),                // codes of languages
        QStringLiteral("core/text/audit/conversation_threats.cpp"), // conversations that templates are audited with
        QStringLiteral("core/text/audit/faults.cpp"),
        QStringLiteral("core/text/audit/probe.cpp"),
        QStringLiteral("core/formats/detection/failed_downloads.cpp"), // replies of servers, which are recognised
        QStringLiteral("core/convert/architecture_table.cpp"),         // the prompt of published models
    };
    const QStringList names{
        QStringLiteral("Meta AI original pth"),                                 // a value of the GGUF specification
        QStringLiteral("version https://git-lfs.github.com/spec/"),             // how pointers of Git LFS begin
        QStringLiteral("row i has value i: findFileType looks it up by place"), // of a static_assert
        QStringLiteral("short convolution"),                                    // methods, as papers call them
        QStringLiteral("gated delta net"),
        QStringLiteral("Kimi delta attention"),
        QStringLiteral("top-k softmax"),
        QStringLiteral("input sigmoid"),
        QStringLiteral("no string"),
        QStringLiteral("not values"), // keywords that a schema has after it was made flat
        QStringLiteral("not pattern"),
        QStringLiteral("not multiple"),
    };
    QStringList wrong;
    qsizetype literals = 0;
    // Rows of tables have words and remarks, which core does not expand. No expansion uses their parameters.
    static const QRegularExpression expansion(QStringLiteral(
        R"re(#define GUFO_(?!TRY|JOIN)\w+\([^)]*\)([^\n]*\b(?:words|title|message|hint|reason|args)\b[^\n]*))re"));
    for (const QString& path : sourcesIn({"core"}, {QStringLiteral("*.cpp"), QStringLiteral("*.h")})) {
        const QString relative = path.mid(static_cast<qsizetype>(qstrlen(GUFO_SOURCE_DIR)) + 1);
        if (allowed.contains(relative)) {
            continue;
        }
        const QString text = textOf(path);
        if (const auto expanded = expansion.match(text); expanded.hasMatch()) {
            wrong << relative + QStringLiteral(": ") + expanded.captured(0);
        }
        for (const auto& [literal, offset] : test::literalsOf(text)) {
            ++literals;
            if (prose.match(literal).hasMatch() && !names.contains(literal)) {
                wrong << QStringLiteral("%1:%2: \"%3\"").arg(relative, lineOf(text, offset), literal);
            }
        }
    }
    QVERIFY(literals > 1000);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
}

void TestCatalogue::everyDetailHasWords() {
    QSet<QString> names;
    const std::string argument = "x";
    for (std::size_t i = 0; i < kDetailCount; ++i) {
        const auto detail = static_cast<Detail>(i);
        const QString words = argumentText(Argument(detail, {argument, argument}));
        QVERIFY2(!words.isEmpty() && !words.contains(QLatin1Char('%')), detailName(detail).data());
        QVERIFY2(!words.endsWith(QLatin1Char('.')), detailName(detail).data());
        names.insert(QString::fromLatin1(detailName(detail).data(), static_cast<qsizetype>(detailName(detail).size())));
    }
    QCOMPARE(names.size(), static_cast<qsizetype>(kDetailCount));
}

void TestCatalogue::rowsOfCoreHaveTheirWords() {
    for (const KeyFact& fact : keyFacts()) {
        if (fact.key.find('{') == std::string_view::npos) {
            const QString meaning = keyMeaning(fact.key, {});
            QVERIFY2(!meaning.isEmpty() && meaning.size() < 90 && !meaning.endsWith(QLatin1Char('.')), fact.key.data());
        }
    }
    QCOMPARE(keyMeaning("llama.block_count", "llama"), QStringLiteral("Number of blocks"));
    for (const std::string_view group : keyGroups()) {
        if (group.find('{') == std::string_view::npos) {
            QVERIFY2(!groupMeaning(group, {}).isEmpty(), group.data());
        }
    }
    for (const RoleFact& role : roleFacts()) {
        QVERIFY2(!roleMeaning(role).isEmpty(), role.name.data());
    }
}

void TestCatalogue::formsFollowTheNumber_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto truncated = [](std::uint64_t needed) {
        return errorReason(
            {.code = ErrorCode::Truncated, .file = {}, .place = {}, .args = {Detail::Header, needed, 0}});
    };
    QTest::newRow("0 bytes") << formatBytes(0) << "0 bytes";
    QTest::newRow("1 byte") << formatBytes(1) << "1 byte";
    QTest::newRow("2 bytes") << formatBytes(2) << "2 bytes";
    QTest::newRow("an error, one") << truncated(1)
                                   << "it ends before the end of the header: 1 byte is needed, 0 are left";
    QTest::newRow("an error, many") << truncated(24)
                                    << "it ends before the end of the header: 24 bytes are needed, 0 are left";
    QTest::newRow("a detail") << argumentText({Detail::ElementsOf, {1}}) << "1 element";
    QTest::newRow("a number beyond int") << QCoreApplication::translate("gufo::Tensors", "%1 bytes", nullptr,
                                                                        numerus(5'000'000'001))
                                                .arg(formatCount(5'000'000'001))
                                         << "5,000,000,001 bytes";
}

void TestCatalogue::formsFollowTheNumber() {
    QFETCH(QString, text);
    QTEST(text, "expected");
}

void TestCatalogue::figuresOfFormsHaveSeparators() {
    QCOMPARE(QCoreApplication::translate("gufo::cli::Cli", "%n tokens", nullptr, numerus(151'936)),
             QStringLiteral("151,936 tokens"));
}

GUFO_TEST(TestCatalogue)
#include "tst_catalogue.moc"
