#include "ui/messages/key_text.h"

#include "base/utf8.h"
#include "model/array_index.h"
#include "model/key_catalogue.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <span>

namespace gufo::ui {
namespace {

constexpr std::size_t kCellBytes = 400;
constexpr std::size_t kElementBytes = 48;
constexpr int kHeadElements = 8;

constexpr auto kKeys = std::to_array<const char*>({
#define GUFO_KEY(fact, words) words,
#include "model/key_facts.inc"
#undef GUFO_KEY
});
constexpr auto kGroups = std::to_array<const char*>({
#define GUFO_KEY_GROUP(prefix, words) words,
#include "model/key_groups.inc"
#undef GUFO_KEY_GROUP
});

QString translated(const char* words) { return QCoreApplication::translate("Keys", words); }

QString arrayText(std::string_view key, const ArrayView& array, std::string_view architecture) {
    QStringList head;
    for (const Value& element : arrayHead(array, kHeadElements)) {
        head << elementText(key, element, architecture);
    }
    const QString text = head.join(QStringLiteral(", "));
    if (array.length <= static_cast<std::uint64_t>(head.size())) {
        return text;
    }
    return QCoreApplication::translate("gufo::ui", "%1 … %n elements", nullptr, numerus(array.length)).arg(text);
}

constexpr std::size_t kLineBytes = 4096;

} // namespace

QString latin1(std::string_view text) { return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size())); }

QString headText(std::string_view bytes, std::size_t maxBytes) {
    if (bytes.size() <= maxBytes) {
        return displayText(bytes);
    }
    return displayText(bytes.substr(0, cutBetweenCharacters(bytes, maxBytes))) + QChar(0x2026);
}

QString elementText(std::string_view key, const Value& value, std::string_view architecture) {
    if (const auto text = asString(value)) {
        return headText(*text, kElementBytes);
    }
    if (const ArrayView* nested = asArray(value)) {
        return QStringLiteral("[%1]").arg(arrayText(key, *nested, architecture));
    }
    return namedValue(key, value, architecture);
}

bool containsText(std::string_view bytes, const QString& text) {
    constexpr std::size_t kPiece = std::size_t{1} << 20U;
    const std::size_t overlap =
        static_cast<std::size_t>(text.size()) * 4; // number of bytes that the text can occupy in UTF-8
    for (std::size_t start = 0; start < bytes.size(); start += kPiece) {
        const std::string_view piece = bytes.substr(start, kPiece + overlap);
        if (QString::fromUtf8(piece.data(), static_cast<qsizetype>(piece.size())).contains(text, Qt::CaseInsensitive)) {
            return true;
        }
    }
    return false;
}

QString valueText(std::string_view key, const Value& value, std::string_view architecture) {
    if (const auto text = asString(value)) {
        return headText(*text, kCellBytes);
    }
    if (const ArrayView* array = asArray(value)) {
        return arrayText(key, *array, architecture);
    }
    return elementText(key, value, architecture);
}

QByteArray verbatim(const Value& value, std::uint64_t maxElements) {
    if (const auto text = asString(value)) {
        return {text->data(), static_cast<qsizetype>(text->size())};
    }
    if (const ArrayView* array = asArray(value)) {
        QByteArray all;
        for (const Value& element : arrayHead(*array, static_cast<std::size_t>(std::min(array->length, maxElements)))) {
            all += verbatim(element, maxElements) + '\n';
        }
        return all;
    }
    return formatValue(value).toUtf8();
}

QString keyMeaning(std::string_view key, std::string_view architecture) {
    const KeyFact* fact = describeKey(key, architecture);
    return fact != nullptr ? translated(kKeys[static_cast<std::size_t>(fact - keyFacts().data())]) : QString();
}

QString groupMeaning(std::string_view prefix, std::string_view architecture) {
    const auto groups = keyGroups();
    const std::string_view group = keyGroup(prefix, architecture);
    const auto index = static_cast<std::size_t>(std::ranges::find(groups, group) - groups.begin());
    return index < kGroups.size() ? translated(kGroups[index]) : QString();
}

bool isTokenIdKey(std::string_view key) {
    return key.starts_with("tokenizer.ggml.") && (key.ends_with("_token_id") || key.ends_with("_token_ids"));
}

QString namedValue(std::string_view key, const Value& value, std::string_view architecture, int head) {
    if (const auto text = asString(value)) { // texts of many megabytes occur, and a line shows little of them
        return headText(*text, kLineBytes);
    }
    const auto number = asInt(value);
    const auto name = number ? enumName(key, architecture, *number) : std::nullopt;
    return name ? QStringLiteral("%1 (%2)").arg(latin1(*name), formatValue(value)) : formatValue(value, head);
}

QString valueInLine(std::string_view key, const Value& value, std::string_view architecture, int characters) {
    const auto longest = static_cast<std::size_t>(characters);
    QString text;
    bool cut = false;
    if (const auto string = asString(value)) {
        text = displayText(string->substr(0, longest));
        cut = string->size() > longest;
    } else if (asArray(value) != nullptr) {
        text = formatValueType(value) + QLatin1Char(' ') + formatValue(value, 4);
    } else {
        text = namedValue(key, value, architecture);
    }
    if (text.size() > characters || cut) {
        text = text.left(characters - 1) + QChar(0x2026);
    }
    return text;
}

} // namespace gufo::ui
