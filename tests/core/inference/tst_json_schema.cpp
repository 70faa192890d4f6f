// JSON schemas as grammars: conforming documents match and others do not, as a reference validator finds too;
// unsupported schemas are refused with a place, or relaxed; and random text drawn from a grammar is conforming JSON.
#include "base/error.h"
#include "base/json_reader.h"
#include "base/json_value.h"
#include "core/text/tokenizer_helpers.h"
#include "inference/grammar/grammar_constraint.h"
#include "inference/grammar/json_schema.h"
#include "schema_samples.h"
#include "support/test_unit.h"
#include "support/yardstick.h"

#include <QTest>

#include <array>
#include <fstream>

using namespace gufo;
using namespace gufo::inference;

namespace {

std::shared_ptr<const Grammar> compiled(const QString& schema) {
    const auto parsed = parseJsonSchema(schema.toStdString());
    if (!parsed) {
        qWarning("%s: %s", parsed.error().args[0].text().c_str(), parsed.error().args.back().text().c_str());
    }
    return parsed.value().grammar;
}

// A vocabulary with a token for each byte, and some that end one part of a JSON text and begin the next.
struct ByteVocabulary {
    std::shared_ptr<const text::Tokenizer> tokenizer;
    std::shared_ptr<const TokenTrie> trie;
    std::vector<std::string> texts{}; // by token
    std::array<TokenId, 256> of{};    // tokens by their byte
};
const ByteVocabulary& bytes() {
    static const ByteVocabulary made = [] {
        test::VocabularyMaker maker = test::makeGpt2();
        for (const char* token : {"\",\"", "\":", "[\"", "\"]", "},{\"", "1,", "1,1", ",1", "\"a\"", "a\",\"a"}) {
            maker.add(token);
        }
        ByteVocabulary bytes{.tokenizer = text::makeTokenizer(*gguf::read(maker.file().source()).value()).value()};
        bytes.trie = std::make_shared<const TokenTrie>(*bytes.tokenizer);
        for (std::size_t i = 0; i < bytes.trie->vocabulary(); ++i) {
            const std::string& text = bytes.texts.emplace_back(bytes.tokenizer->bytesOf(TokenId(i)));
            if (text.size() == 1) {
                bytes.of[static_cast<unsigned char>(text[0])] = TokenId(i);
            }
        }
        return bytes;
    }();
    return made;
}

std::unique_ptr<GrammarConstraint> constraintOf(const std::shared_ptr<const Grammar>& grammar) {
    return GrammarConstraint::make(grammar, bytes().trie, *bytes().tokenizer).value();
}

bool matches(const std::shared_ptr<const Grammar>& grammar, const std::string& text) {
    const auto constraint = constraintOf(grammar);
    for (const char c : text) {
        const TokenId token = bytes().of[static_cast<unsigned char>(c)];
        if (!constraint->allows(token)) {
            return false;
        }
        constraint->accept(token);
    }
    return constraint->mayEnd();
}
bool matches(const std::shared_ptr<const Grammar>& grammar, const QString& text) {
    return matches(grammar, text.toStdString());
}

struct Draw {
    std::string text;
    bool ended = false;
};
// Draws tokens that the constraint allows; half of the draws end a string, array or object where one may end. Once the
// text is long, only printable ASCII characters are drawn, if any is allowed. `ended` is false if no token is allowed
// although the text is not complete, or the text became too long.
Draw draw(const std::shared_ptr<const Grammar>& grammar, std::mt19937& random) {
    constexpr std::size_t kLong = 60;
    const auto constraint = constraintOf(grammar);
    Draw drawn;
    std::vector<TokenId> allowed;
    std::vector<TokenId> simple;
    std::vector<TokenId> closing;
    for (std::size_t length = 0; length < 5'000; ++length) {
        const TokenMask mask = constraint->mask();
        allowed.clear();
        simple.clear();
        closing.clear();
        for (std::size_t i = 0; i < bytes().texts.size(); ++i) {
            const std::string& text = bytes().texts[i];
            if (!contains(mask, TokenId(i))) {
                continue;
            }
            allowed.emplace_back(i);
            if (text.size() == 1 && text[0] > ' ' && text[0] < '\x7F') {
                simple.emplace_back(i);
            }
            if (text == "\"" || text == "]" || text == "}") {
                closing.emplace_back(i);
            }
        }
        drawn.ended = constraint->mayEnd() && (allowed.empty() || length > kLong || random() % 3 == 0);
        if (drawn.ended || allowed.empty()) {
            return drawn;
        }
        const auto& any = length > kLong && !simple.empty() ? simple : allowed;
        const auto& among = !closing.empty() && random() % 2 == 0 ? closing : any;
        const TokenId token = among[random() % among.size()];
        constraint->accept(token);
        drawn.text += bytes().texts[token.value];
    }
    return drawn;
}

// The schemas that a reference validator was tried on: each line is a schema, documents that it accepted, and documents
// that it refused (tests/tools/schema_cases.py).
struct ReferenceCase {
    std::string schema;
    std::vector<std::string> accepted;
    std::vector<std::string> refused;
};
std::vector<ReferenceCase> referenceCases() {
    std::ifstream file(GUFO_TEST_DATA "/grammar/schema_cases.jsonl", std::ios::binary);
    std::vector<ReferenceCase> cases;
    for (std::string line; std::getline(file, line);) {
        const JsonValue row = gufo::readJson(std::string_view(line)).value();
        ReferenceCase one{.schema = writeJson(row.elements.at(0))};
        for (const JsonValue& text : row.elements.at(1).elements) {
            one.accepted.push_back(text.text);
        }
        for (const JsonValue& text : row.elements.at(2).elements) {
            one.refused.push_back(text.text);
        }
        cases.push_back(std::move(one));
    }
    return cases;
}

} // namespace

class TestJsonSchema : public QObject {
    Q_OBJECT

private slots:
    void matchesWhatConforms_data() {
        QTest::addColumn<QString>("schema");
        QTest::addColumn<QStringList>("valid");
        QTest::addColumn<QStringList>("invalid");
        for (const test::SchemaSample& sample : test::schemaSamples()) {
            QTest::newRow(sample.name) << sample.schema << sample.valid << sample.invalid;
        }
    }
    void matchesWhatConforms() {
        QFETCH(QString, schema);
        QFETCH(QStringList, valid);
        QFETCH(QStringList, invalid);
        const auto grammar = compiled(schema);
        for (const QString& document : valid) {
            QVERIFY2(matches(grammar, document), qPrintable(document));
        }
        for (const QString& document : invalid) {
            QVERIFY2(!matches(grammar, document), qPrintable(document));
        }
    }

    void everyBoundOfIntegers() {
        for (const auto& [minimum, maximum] :
             {std::pair(-123, 1045), std::pair(0, 9), std::pair(8, 113), std::pair(-9, -9), std::pair(99, 100),
              std::pair(-1001, -99), std::pair(500, 1499)}) {
            const auto grammar =
                compiled(QString(R"({"type":"integer","minimum":%1,"maximum":%2})").arg(minimum).arg(maximum));
            for (int i = -1200; i <= 1600; ++i) {
                QCOMPARE(matches(grammar, QString::number(i)), i >= minimum && i <= maximum);
            }
        }
    }

    void everyBoundOfFractions() {
        for (const auto& [minimum, maximum] : {std::pair(-123, 145), std::pair(5, 95), std::pair(-95, -5),
                                               std::pair(120, 129), std::pair(-7, 0), std::pair(99, 101)}) {
            for (const bool open : {false, true}) {
                const QString names =
                    open ? R"("exclusiveMinimum":%1,"exclusiveMaximum":%2)" : R"("minimum":%1,"maximum":%2)";
                const auto grammar =
                    compiled(QString(R"({"type":"number",%1})").arg(names.arg(minimum / 100.0).arg(maximum / 100.0)));
                for (int i = -150; i <= 150; ++i) {
                    const bool inside = open ? i > minimum && i < maximum : i >= minimum && i <= maximum;
                    if (i != 0) { // the sign of −0 is optional
                        QCOMPARE(matches(grammar, QString::number(i / 100.0, 'f', 2)), inside);
                        QCOMPARE(matches(grammar, QString::number(i / 100.0)), inside);
                    }
                }
            }
        }
    }

    void refuses_data() {
        QTest::addColumn<QString>("schema");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("why");
        for (const test::RefusedSchema& refused : test::refusedSchemas()) {
            QTest::newRow(refused.name) << QString(refused.schema) << QString(refused.place) << QString(refused.why);
        }
    }
    void refuses() {
        QFETCH(QString, schema);
        QFETCH(QString, place);
        QFETCH(QString, why);
        const auto grammar = parseJsonSchema(schema.toStdString());
        QVERIFY(!grammar);
        QCOMPARE(grammar.error().code, ErrorCode::SchemaNotUsable);
        QCOMPARE(QString::fromStdString(grammar.error().args[0].text()), place);
        QCOMPARE(QString::fromStdString(grammar.error().args[1].text()), why);
    }

    void refusesWhatIsNoJson() {
        QCOMPARE(parseJsonSchema("{\"type\":").error().code, ErrorCode::BadSyntax);
        QCOMPARE(parseJsonSchema("").error().code, ErrorCode::BadSyntax);
        QCOMPARE(parseJsonSchema(std::string(100'000, '[')).error().code, ErrorCode::NestingTooDeep);
        std::string wide = "{\"anyOf\":[";
        for (int i = 0; i < 250'000; ++i) {
            wide += "true,";
        }
        QCOMPARE(parseJsonSchema(wide + "true]}").error().code, ErrorCode::LimitExceeded);
    }

    void checksValues_data() { matchesWhatConforms_data(); }
    void checksValues() {
        QFETCH(QString, schema);
        QFETCH(QStringList, valid);
        QFETCH(QStringList, invalid);
        for (const QString& document : valid) {
            QVERIFY2(conformsToJsonSchema(document.toStdString(), schema.toStdString()).value(), qPrintable(document));
        }
        for (const QString& document : invalid) {
            const auto conforms = conformsToJsonSchema(document.toStdString(), schema.toStdString());
            // Documents may conform that the grammar does not generate, such as those with undeclared properties.
            QVERIFY2(conforms || conforms.error().code == ErrorCode::BadSyntax, qPrintable(document));
        }
    }

    // A property that the schema does not name is valid, but a model does not invent any unless the schema says so.
    void writesDeclaredPropertiesOnly_data() {
        QTest::addColumn<QString>("schema");
        QTest::addColumn<bool>("isWritten");
        const QString declared = R"("type":"object","properties":{"a":{"type":"integer"}},"required":["a"])";
        QTest::newRow("not mentioned") << '{' + declared + '}' << false;
        QTest::newRow("permitted") << '{' + declared + R"(,"additionalProperties":true})" << true;
        QTest::newRow("any schema") << '{' + declared + R"(,"additionalProperties":{}})" << true;
    }
    void writesDeclaredPropertiesOnly() {
        QFETCH(QString, schema);
        QFETCH(bool, isWritten);
        const std::string document = R"({"a":1,"z":[true]})";
        QVERIFY(conformsToJsonSchema(document, schema.toStdString()).value());
        QCOMPARE(matches(compiled(schema), document), isWritten);
    }

    // Whatever is drawn is JSON for a strict reader, and conforms to the schema.
    void drawsConform_data() { matchesWhatConforms_data(); }
    void drawsConform() {
        QFETCH(QString, schema);
        const auto grammar = compiled(schema);
        std::mt19937 random(11);
        const int draws = schema.contains("70000") ? 0 : 20;
        for (int i = 0; i < draws; ++i) {
            const Draw drawn = draw(grammar, random);
            QVERIFY2(drawn.ended, drawn.text.c_str());
            JsonReader reader(drawn.text);
            QVERIFY2(reader.skipValue().has_value(), drawn.text.c_str());
            QVERIFY2(conformsToJsonSchema(drawn.text, schema.toStdString()).value(), drawn.text.c_str());
        }
    }

    // Nothing that the reference validator refuses is accepted, and nothing is generated that does not conform.
    void agreesWithTheReference() {
        const auto cases = referenceCases();
        QCOMPARE(cases.size(), std::size_t{1'000});
        std::size_t refusedSchemas = 0;
        std::size_t accepted = 0;
        std::size_t valid = 0;
        std::size_t endless = 0; // arrays whose random items never contain what they must
        std::mt19937 random(5);
        for (const ReferenceCase& one : cases) {
            for (const std::string& document : one.accepted) {
                QVERIFY2(conformsToJsonSchema(document, one.schema).value(), (one.schema + document).c_str());
            }
            for (const std::string& document : one.refused) {
                QVERIFY2(!conformsToJsonSchema(document, one.schema).value(), (one.schema + document).c_str());
            }
            const auto parsed = parseJsonSchema(one.schema);
            if (!parsed) {
                QVERIFY2(parsed.error().code == ErrorCode::SchemaNotUsable, one.schema.c_str());
                ++refusedSchemas;
                continue;
            }
            for (const std::string& document : one.refused) {
                QVERIFY2(!matches(parsed->grammar, document), (one.schema + document).c_str());
            }
            for (const std::string& document : one.accepted) {
                accepted += matches(parsed->grammar, document) ? 1 : 0;
            }
            valid += one.accepted.size();
            const Draw drawn = draw(parsed->grammar, random);
            if (!drawn.ended) {
                ++endless;
                continue;
            }
            QVERIFY2(conformsToJsonSchema(drawn.text, one.schema).value(), (one.schema + drawn.text).c_str());
        }
        // The others are contradictory or not supported, or have properties that the schema does not declare.
        QVERIFY2(endless <= 3, qPrintable(QString::number(endless)));
        QVERIFY2(refusedSchemas <= 160, qPrintable(QString::number(refusedSchemas)));
        QVERIFY2(accepted * 100 >= valid * 88, qPrintable(QString("%1 of %2").arg(accepted).arg(valid)));
    }

    // The mask and single tokens are found in different ways.
    void tokensOfSeveralParts_data() {
        QTest::addColumn<QString>("schema");
        QTest::newRow("strings") << R"({"type":"array","items":{"type":"string","maxLength":2},"uniqueItems":true})";
        QTest::newRow("values")
            << R"({"type":"array","items":{"enum":["a","aa",1,11]},"uniqueItems":true,"minItems":2})";
        QTest::newRow("names") << R"({"type":"object","minProperties":3,"additionalProperties":{"type":"string"}})";
        QTest::newRow("within") << R"({"items":{"properties":{"a":{"items":{"enum":["a","b"]},"uniqueItems":true}}}})";
    }
    void tokensOfSeveralParts() {
        QFETCH(QString, schema);
        const auto grammar = compiled(schema);
        std::mt19937 random(3);
        for (int i = 0; i < 20; ++i) {
            const auto constraint = constraintOf(grammar);
            for (int length = 0; length < 60; ++length) {
                const TokenMask mask = constraint->mask();
                std::vector<TokenId> allowed;
                for (std::size_t token = 0; token < bytes().trie->vocabulary(); ++token) {
                    const bool is = contains(mask, TokenId(token));
                    QCOMPARE(constraint->allows(TokenId(token)), is);
                    if (is) {
                        allowed.emplace_back(token);
                    }
                }
                if (allowed.empty()) {
                    QVERIFY(constraint->mayEnd());
                    break;
                }
                constraint->accept(allowed[random() % allowed.size()]);
            }
        }
    }

    void relaxes_data() {
        QTest::addColumn<QString>("schema");
        QTest::addColumn<QStringList>("relaxed");
        QTest::addColumn<QString>("now"); // a document that is accepted without these keywords
        QTest::newRow("nothing") << R"({"type":"integer"})" << QStringList() << "1";
        QTest::newRow("a pattern")
            << R"({"properties":{"a":{"type":"string","pattern":"\\bx","maxLength":3}},"required":["a"]})"
            << QStringList{"#/properties/a/pattern"} << R"({"a":"abc"})";
        QTest::newRow("two keywords")
            << R"({"type":"array","items":{"pattern":"(a)\\1","type":"string"},"unevaluatedItems":false})"
            << QStringList{"#/unevaluatedItems", "#/items/pattern"} << R"(["x"])";
        QTest::newRow("oneOf becomes anyOf")
            << R"({"oneOf":[{"type":"object","propertyNames":{"maxLength":1}},{"type":"object","propertyNames":{"maxLength":2}}]})"
            << QStringList{"#/oneOf"} << R"({"a":1})";
        QTest::newRow("not as a whole") << R"({"type":"object","not":{"propertyNames":{"maxLength":3}}})"
                                        << QStringList{"#/not"} << "{}";
        QTest::newRow("a property called not")
            << R"({"properties":{"not":{"type":"string","pattern":"\\ba"}},"required":["not"]})"
            << QStringList{"#/properties/not/pattern"} << R"({"not":"x"})";
        QTest::newRow("another document")
            << R"({"$ref":"https://e.org/x","type":"null"})" << QStringList{"#/$ref"} << "null";
    }
    void relaxes() {
        QFETCH(QString, schema);
        QFETCH(QStringList, relaxed);
        QFETCH(QString, now);
        QCOMPARE(parseJsonSchema(schema.toStdString()).has_value(), relaxed.isEmpty());
        const auto parsed = parseJsonSchema(schema.toStdString(), {.relaxed = true}).value();
        QStringList places;
        for (const std::string& place : parsed.relaxed) {
            places << QString::fromStdString(place);
        }
        QCOMPARE(places, relaxed);
        QVERIFY(matches(parsed.grammar, now));
    }
    void mistakesAreNotRelaxed() {
        for (const char* schema : {R"({"type":"text"})", R"({"$ref":"#/nowhere"})", R"({"pattern":"("})", "false",
                                   R"({"type":"integer","minimum":3,"maximum":2})"}) {
            QVERIFY2(!parseJsonSchema(schema, {.relaxed = true}), schema);
        }
    }

    // Each takes a moment, a few seconds at most, and ends in a grammar or an error.
    void boundsWork_data() {
        QTest::addColumn<QString>("schema");
        for (const test::HostileSchema& hostile : test::hostileSchemas()) {
            QTest::newRow(hostile.name) << hostile.schema;
        }
    }
    void boundsWork() {
        QFETCH(QString, schema);
        Result<SchemaGrammar> parsed = SchemaGrammar();
        constexpr double kSeconds = 60; // three
        QVERIFY(isQuickWork([&] { parsed = parseJsonSchema(schema.toStdString()); }, kSeconds));
        QVERIFY(parsed || parsed.error().code == ErrorCode::LimitExceeded ||
                parsed.error().code == ErrorCode::SchemaNotUsable);
    }
};

GUFO_TEST(TestJsonSchema)
#include "tst_json_schema.moc"
