// JSON schemas as grammars: conforming documents match and others do not, unsupported schemas are refused with a place,
// and random text drawn from a grammar is conforming JSON.
#include "base/error.h"
#include "base/json_reader.h"
#include "core/text/tokenizer_helpers.h"
#include "inference/grammar/grammar_constraint.h"
#include "inference/grammar/json_schema.h"
#include "schema_samples.h"
#include "support/test_unit.h"

#include <QDate>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>
#include <QUuid>

#include <cmath>

using namespace gufo;
using namespace gufo::inference;

namespace {

std::shared_ptr<const Grammar> compiled(const QString& schema) {
    const auto text = grammarOfJsonSchema(schema.toStdString());
    if (!text) {
        qWarning("%s: %s", text.error().args[0].text().c_str(), text.error().args.back().text().c_str());
    }
    return Grammar::parse(text.value()).value();
}

bool matches(const std::shared_ptr<const Grammar>& grammar, const QString& text) {
    GrammarMatcher matcher(grammar);
    return matcher.accepts(matcher.step(matcher.start(), text.toStdString()));
}

// A separate validator for the schemas of these tests.
bool conforms(const QJsonValue& value, const QJsonValue& schema, const QJsonObject& root) {
    if (schema.isBool()) {
        return schema.toBool();
    }
    const QJsonObject rules = schema.toObject();
    const auto each = [&](const QJsonValue& part) { return conforms(value, part, root); };
    if (rules.contains("$ref")) {
        QJsonValue target = root;
        for (const QString& step : rules["$ref"].toString().mid(1).split('/', Qt::SkipEmptyParts)) {
            target = target.toObject()[step];
        }
        return each(target);
    }
    const QJsonArray any = rules["anyOf"].toArray();
    const QJsonArray all = rules["allOf"].toArray();
    const QJsonArray one = rules["oneOf"].toArray();
    if ((!any.isEmpty() && std::none_of(any.begin(), any.end(), each)) || !std::all_of(all.begin(), all.end(), each) ||
        (!one.isEmpty() && std::count_if(one.begin(), one.end(), each) != 1)) {
        return false;
    }
    if ((rules.contains("const") && value != rules["const"]) ||
        (rules.contains("enum") && !rules["enum"].toArray().contains(value))) {
        return false;
    }
    if (rules.contains("type")) {
        const QJsonArray types = rules["type"].isArray() ? rules["type"].toArray() : QJsonArray{rules["type"]};
        const double number = value.toDouble();
        const bool integer = value.isDouble() && std::trunc(number) == number;
        const bool fits = (value.isObject() && types.contains("object")) ||
                          (value.isArray() && types.contains("array")) ||
                          (value.isString() && types.contains("string")) ||
                          (value.isDouble() && types.contains("number")) || (integer && types.contains("integer")) ||
                          (value.isBool() && types.contains("boolean")) || (value.isNull() && types.contains("null"));
        if (!fits) {
            return false;
        }
    }
    if (value.isDouble() && ((rules.contains("minimum") && value.toDouble() < rules["minimum"].toDouble()) ||
                             (rules.contains("maximum") && value.toDouble() > rules["maximum"].toDouble()))) {
        return false;
    }
    if (value.isString()) {
        const auto length = value.toString().toUcs4().size();
        if (length < rules["minLength"].toInt(0) || length > rules["maxLength"].toInt(1 << 30)) {
            return false;
        }
        if (rules.contains("pattern") && !value.toString().contains(QRegularExpression(rules["pattern"].toString()))) {
            return false;
        }
        const QString text = value.toString();
        const QString format = rules["format"].toString();
        if ((format == "date" && !QDate::fromString(text, "yyyy-MM-dd").isValid() && !text.startsWith("0000")) ||
            (format == "uuid" &&
             QUuid::fromString("{" + text + "}").toString(QUuid::WithoutBraces) != text.toLower())) {
            return false;
        }
    }
    if (value.isArray()) {
        const QJsonArray elements = value.toArray();
        if (elements.size() < rules["minItems"].toInt(0) || elements.size() > rules["maxItems"].toInt(1 << 30)) {
            return false;
        }
        const QJsonArray prefix = rules["prefixItems"].toArray();
        for (qsizetype i = 0; i < elements.size(); ++i) {
            const QJsonValue item = i < prefix.size() ? prefix[i] : rules.value("items");
            if (!item.isUndefined() && !conforms(elements[i], item, root)) {
                return false;
            }
        }
    }
    if (value.isObject()) {
        const QJsonObject object = value.toObject();
        for (const QJsonValue& name : rules["required"].toArray()) {
            if (!object.contains(name.toString())) {
                return false;
            }
        }
        const QJsonObject properties = rules["properties"].toObject();
        for (auto at = object.begin(); at != object.end(); ++at) {
            const QJsonValue item =
                properties.contains(at.key()) ? properties[at.key()] : rules.value("additionalProperties");
            if (!item.isUndefined() && !conforms(at.value(), item, root)) {
                return false;
            }
        }
    }
    return true;
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
        const auto grammar = grammarOfJsonSchema(schema.toStdString());
        QVERIFY(!grammar);
        QCOMPARE(grammar.error().code, ErrorCode::SchemaNotUsable);
        QCOMPARE(QString::fromStdString(grammar.error().args[0].text()), place);
        QCOMPARE(QString::fromStdString(grammar.error().args[1].text()), why);
    }

    void refusesWhatIsNoJson() {
        QCOMPARE(grammarOfJsonSchema("{\"type\":").error().code, ErrorCode::BadSyntax);
        QCOMPARE(grammarOfJsonSchema("").error().code, ErrorCode::BadSyntax);
        QCOMPARE(grammarOfJsonSchema(std::string(100'000, '[')).error().code, ErrorCode::NestingTooDeep);
        std::string wide = "{\"anyOf\":[";
        for (int i = 0; i < 250'000; ++i) {
            wide += "true,";
        }
        QCOMPARE(grammarOfJsonSchema(wide + "true]}").error().code, ErrorCode::LimitExceeded);
    }

    // Whatever is drawn is JSON for a strict reader, and conforms to the schema.
    void drawsConform_data() { matchesWhatConforms_data(); }
    void drawsConform() {
        QFETCH(QString, schema);
        const auto tokenizer = test::made("gpt2");
        const auto trie = std::make_shared<const TokenTrie>(*tokenizer);
        const auto grammar = compiled(schema);
        const QJsonDocument rules = QJsonDocument::fromJson(schema.toUtf8());
        const std::string closing = "\"}]0b"; // and a letter that one pattern requires
        std::mt19937 random(11);
        for (int i = 0; i < 40; ++i) {
            auto constraint = GrammarConstraint::make(grammar, trie, *tokenizer).value();
            std::string text;
            for (int length = 0;; ++length) {
                const TokenMask mask = constraint->mask();
                std::vector<TokenId> allowed;
                for (std::size_t token = 0; token < trie->vocabulary(); ++token) {
                    const bool closes = closing.find(tokenizer->bytesOf(TokenId(token))) != std::string::npos;
                    // Brings long answers to an end.
                    for (int copies = closes ? 1 + length * length / 20 : 1;
                         contains(mask, TokenId(token)) && copies > 0; --copies) {
                        allowed.emplace_back(token);
                    }
                }
                if (constraint->mayEnd() && (allowed.empty() || random() % 3 == 0)) {
                    break;
                }
                QVERIFY(!allowed.empty() && length < 3'000);
                const TokenId token = allowed[random() % allowed.size()];
                constraint->accept(token);
                text += tokenizer->bytesOf(token);
            }
            JsonReader reader(text);
            QVERIFY2(reader.skipValue().has_value(), text.c_str());
            const QByteArray wrapped = "[" + QByteArray::fromStdString(text) + "]";
            const QJsonDocument document = QJsonDocument::fromJson(wrapped);
            QVERIFY2(document.isArray(), text.c_str());
            if (rules.isObject()) { // not for the schema "true"
                QVERIFY2(conforms(document[0], rules.object(), rules.object()), text.c_str());
            }
        }
    }
};

GUFO_TEST(TestJsonSchema)
#include "tst_json_schema.moc"
