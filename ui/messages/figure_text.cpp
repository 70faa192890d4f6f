#include "ui/messages/figure_text.h"

#include "base/utf8.h"
#include "model/array_index.h"
#include "text/tensor_filter.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/escaped_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QLocale>
#include <QStringDecoder>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

namespace gufo::ui {

namespace {

constexpr QChar kMinus(0x2212);
constexpr QChar kEllipsis(0x2026);
constexpr QChar kTimes(0x00D7);

// The translations know them, because some languages write them in their own script.
constexpr auto kByteUnits =
    std::to_array<const char*>({"", QT_TRANSLATE_NOOP("gufo::Format", "KiB"), QT_TRANSLATE_NOOP("gufo::Format", "MiB"),
                                QT_TRANSLATE_NOOP("gufo::Format", "GiB"), QT_TRANSLATE_NOOP("gufo::Format", "TiB"),
                                QT_TRANSLATE_NOOP("gufo::Format", "PiB"), QT_TRANSLATE_NOOP("gufo::Format", "EiB")});

// The shortest digits that read back as the same value, with an exponent only to avoid many zeros.
template<typename T>
QString exactReal(T value) {
    const T size = std::abs(value);
    const bool plain = size == 0 || (size >= T(1e-4) && size < T(1e9));
    std::array<char, 64> buffer{};
    const auto format = plain ? std::chars_format::fixed : std::chars_format::general;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr;
    return QString::fromLatin1(buffer.data(), static_cast<qsizetype>(end - buffer.data()));
}

// Formats `value` with one of `units`, each `step` times the previous one, to three significant figures.
QString withUnit(double value, double step, std::span<const char* const> units) {
    std::size_t unit = 0;
    while (value >= step * 0.99995 && unit + 1 < units.size()) {
        value /= step;
        ++unit;
    }
    const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    const QString number = figureLocale().toString(value, 'f', unit == 0 ? 0 : decimals);
    return unit == 0 ? number : number + QLatin1Char(' ') + QCoreApplication::translate("gufo::Format", units[unit]);
}

QString elementText(const Value& value) {
    if (const auto text = asString(value)) {
        return displayText(text->substr(0, 64));
    }
    const QString text = formatValue(value);
    return asArray(value) != nullptr ? QStringLiteral("[%1]").arg(text) : text;
}

// U+2028 and U+2029 end the line; U+202A … U+202E and U+2066 … U+2069 change the direction of what follows, so that one
// name could pose as another.
bool breaksLayout(char32_t code) { return (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069); }

} // namespace

QString displayText(std::string_view bytes) {
    QString text;
    text.reserve(static_cast<qsizetype>(bytes.size()));
    while (!bytes.empty()) {
        const auto first = static_cast<unsigned char>(bytes.front());
        const Char c = decodeChar(bytes);
        if (first == '\n') {
            text += QLatin1String("\\n");
        } else if (first == '\r') {
            text += QLatin1String("\\r");
        } else if (first == '\t') {
            text += QLatin1String("\\t");
        } else if (!c.isValid() || first < 0x20 || first == 0x7F) {
            text += hexEscape(first);
        } else if (c.code >= 0x80 && c.code < 0xA0) { // terminals interpret these as controls
            text += hexEscape(first) + hexEscape(static_cast<unsigned char>(bytes[1]));
        } else if (breaksLayout(c.code)) {
            for (std::size_t i = 0; i < c.bytes; ++i) {
                text += hexEscape(static_cast<unsigned char>(bytes[i]));
            }
        } else {
            text += QString::fromUtf8(bytes.data(), static_cast<qsizetype>(c.bytes));
        }
        bytes.remove_prefix(c.bytes);
    }
    return text;
}

QString displayPath(const std::filesystem::path& path) {
    const QString text = displayText(path.native());
    const QString home = QDir::homePath();
    return home.size() > 1 && text.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + text.mid(home.size())
                                                                       : text;
}

QString formatCount(std::uint64_t n) { return figureLocale().toString(static_cast<qulonglong>(n)); }

QString formatBytes(std::uint64_t bytes) {
    if (bytes < 1024) {
        return QCoreApplication::translate("gufo::Format", "%n bytes", nullptr, numerus(bytes));
    }
    return withUnit(static_cast<double>(bytes), 1024, kByteUnits);
}

std::optional<std::uint64_t> typedBytes(const QString& typed) {
    QString text = QString(typed).replace(figureLocale().decimalPoint(), QStringLiteral("."));
    text.removeIf([](QChar c) { return c.isSpace(); });
    const auto unit = std::ranges::find_if(text, [](QChar c) { return c.isLetter(); }) - text.begin();
    const QString written = text.mid(unit);
    for (const char* known : std::span(kByteUnits).subspan(1)) {
        const QString own = QCoreApplication::translate("gufo::Format", known);
        for (const QString& form : {own, QString(own.front()) + own.back(), QString(own.front())}) {
            if (written.compare(form, Qt::CaseInsensitive) == 0) {
                return text::parseByteSize(text.left(unit) + QLatin1Char(known[0]));
            }
        }
    }
    return text::parseByteSize(text);
}

QString formatParameters(std::uint64_t n) {
    static constexpr auto kUnits = std::to_array<const char*>({"", "K", "M", "B", "T"});
    return withUnit(static_cast<double>(n), 1000, kUnits);
}

QString formatShape(const Shape& shape) {
    QStringList dims;
    for (const std::uint64_t dim : shape.dims()) {
        dims << formatCount(dim);
    }
    return dims.isEmpty() ? QCoreApplication::translate("gufo::Format", "scalar")
                          : dims.join(QStringLiteral(" %1 ").arg(kTimes));
}

QString formatBitsPerWeight(double bits) { return figureLocale().toString(bits, 'f', 2); }

QString formatFixed(double value, int decimals) {
    return figureLocale().toString(value, 'f', decimals).replace(QLatin1Char('-'), kMinus);
}

QString formatReal(double value, int significant) {
    if (std::isnan(value)) {
        return QStringLiteral("NaN");
    }
    if (std::isinf(value)) {
        return value > 0 ? QStringLiteral("∞") : kMinus + QStringLiteral("∞");
    }
    QString text = QString::number(value, 'g', significant).replace(QLatin1Char('.'), figureLocale().decimalPoint());
    if (text.startsWith(QLatin1Char('-'))) {
        text[0] = kMinus;
    }
    return text;
}

QString formatValue(const Value& value, int head) {
    if (const auto text = asString(value)) {
        return displayText(*text);
    }
    if (const auto* flag = std::get_if<BoolValue>(&value)) {
        return flag->raw == 0   ? QStringLiteral("false")
               : flag->raw == 1 ? QStringLiteral("true")
                                : QStringLiteral("true (%1)").arg(flag->raw);
    }
    if (const ArrayView* array = asArray(value)) {
        QStringList texts;
        for (const Value& element : arrayHead(*array, static_cast<std::size_t>(head))) {
            texts << elementText(element);
        }
        if (array->length > static_cast<std::uint64_t>(texts.size())) {
            texts << QString(kEllipsis);
        }
        return texts.join(QStringLiteral(", "));
    }
    if (const auto* single = std::get_if<float>(&value)) {
        return exactReal(*single);
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return exactReal(*real);
    }
    if (const auto whole = asUInt(value)) {
        return QString::number(*whole);
    }
    return QString::number(asInt(value).value_or(0));
}

QString formatValueType(const Value& value) {
    const ArrayView* array = asArray(value);
    const auto name = [](ValueType type) {
        const std::string_view text = valueTypeFact(type).name;
        return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
    };
    return array == nullptr ? name(typeOf(value))
                            : QStringLiteral("%1[%2]").arg(name(array->elementType)).arg(array->length);
}

// ---- speeds --------------------------------------------------------------------------------------------------------

namespace {

constexpr std::int64_t kRateAfterMs = 400; // a rate is not meaningful earlier
constexpr double kMilliseconds = 1000;
constexpr int kSecondsShown = 90;

QString timeLeft(double seconds) {
    constexpr int kMinute = 60;
    constexpr double kLongest = 1e9; // as many seconds as an int can hold
    const auto whole = static_cast<int>(std::clamp(seconds, 1.0, kLongest));
    return whole < kSecondsShown ? QCoreApplication::translate("gufo::SpeedText", "%n s left", nullptr, whole)
                                 : QCoreApplication::translate("gufo::SpeedText", "%n min left", nullptr,
                                                               (whole + kMinute / 2) / kMinute);
}

} // namespace

QString speedText(double perSecond) { return figureLocale().toString(perSecond, 'f', perSecond < 100 ? 1 : 0); }

QString transferText(std::uint64_t done, std::uint64_t total, std::int64_t elapsedMs) {
    if (elapsedMs < kRateAfterMs || done == 0 || total == 0) {
        return {};
    }
    const double rate = static_cast<double>(done) * kMilliseconds / static_cast<double>(elapsedMs);
    return QCoreApplication::translate("gufo::SpeedText", "%1/s, %2")
        .arg(formatBytes(static_cast<std::uint64_t>(rate)),
             timeLeft(static_cast<double>(total - std::min(done, total)) / rate));
}

} // namespace gufo::ui
