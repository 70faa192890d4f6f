#include "ui/vocabulary/token_arrays.h"

#include "model/key_catalogue.h"
#include "model/token.h"
#include "ui/messages/key_text.h"

#include <algorithm>

namespace gufo::ui {

namespace {

std::optional<char> hexPair(std::string_view digits) {
    bool ok = false;
    const int value = QByteArray::fromRawData(digits.data(), static_cast<qsizetype>(digits.size())).toInt(&ok, 16);
    return ok && digits.size() == 2 ? std::optional(static_cast<char>(value)) : std::nullopt;
}

} // namespace

QByteArray decodeSpaceMarks(std::string_view token) {
    QByteArray bytes(token.data(), static_cast<qsizetype>(token.size()));
    return bytes.replace("\xE2\x96\x81", " ");
}

std::optional<QByteArray> decodeByteToken(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') {
        return std::nullopt;
    }
    const auto byte = hexPair(token.substr(3, 2));
    return byte ? std::optional(QByteArray(1, *byte)) : std::nullopt;
}

QByteArray decodeEscapes(std::string_view token) {
    QByteArray bytes;
    for (std::size_t i = 0; i < token.size(); ++i) {
        if (token[i] != '\\' || i + 1 == token.size()) {
            bytes += token[i];
            continue;
        }
        const char escape = token[++i];
        const auto hex = escape == 'x' ? hexPair(token.substr(std::min(i + 1, token.size()), 2)) : std::nullopt;
        if (hex) {
            bytes += *hex;
            i += 2;
        } else {
            bytes += escape == 'n' ? '\n' : escape == 't' ? '\t' : escape == 'r' ? '\r' : escape;
        }
    }
    return bytes;
}

namespace {

constexpr std::string_view kPrefix = "tokenizer.ggml.";

bool isString(ValueType type) { return type == ValueType::String; }
bool isInteger(ValueType type) { return valueTypeFact(type).integer; }
bool isReal(ValueType type) { return type == ValueType::Float32 || type == ValueType::Float64; }

} // namespace

Result<std::shared_ptr<const TokenArrays>> TokenArrays::load(std::shared_ptr<const Model> model,
                                                             const JobContext& job) {
    struct PartRow {
        std::string_view key;
        bool (*fits)(ValueType);
        std::optional<ArrayIndex> TokenArrays::* member;
    };
    static constexpr auto kParts = std::to_array<PartRow>({
        {kTokensKey, isString, &TokenArrays::m_tokens},
        {kTokenTypesKey, isInteger, &TokenArrays::m_types},
        {kTokenScoresKey, isReal, &TokenArrays::m_scores},
        {"tokenizer.ggml.merges", isString, &TokenArrays::m_merges},
    });
    auto vocabulary = std::make_shared<TokenArrays>();
    vocabulary->m_model = std::move(model);
    vocabulary->m_family = vocabulary->m_model->metadata.string("tokenizer.ggml.model").value_or(std::string_view());
    for (const PartRow& part : kParts) {
        const ArrayView* array = vocabulary->m_model->metadata.array(part.key);
        if (array == nullptr || !part.fits(array->elementType)) {
            continue;
        }
        auto index = GUFO_TRY(ArrayIndex::build(*array, job));
        (*vocabulary).*part.member = std::move(index);
    }
    return vocabulary;
}

std::string_view TokenArrays::text(std::uint64_t id) const {
    return asString(m_tokens->at(id)).value_or(std::string_view());
}

std::optional<std::int64_t> TokenArrays::type(std::uint64_t id) const {
    return m_types && id < m_types->size() ? asInt(m_types->at(id)) : std::nullopt;
}

std::optional<double> TokenArrays::score(std::uint64_t id) const {
    return m_scores && id < m_scores->size() ? asDouble(m_scores->at(id)) : std::nullopt;
}

const ArrayIndex* TokenArrays::arrayOf(std::string_view key) const {
    const std::optional<ArrayIndex>* array = key == kTokensKey        ? &m_tokens
                                             : key == kTokenTypesKey  ? &m_types
                                             : key == kTokenScoresKey ? &m_scores
                                                                      : nullptr;
    return array != nullptr && *array ? &**array : nullptr;
}

bool TokenArrays::hasValue(std::string_view key, std::uint64_t id) const {
    const ArrayIndex* array = arrayOf(key);
    return array != nullptr && id < array->size();
}

std::optional<Value> TokenArrays::value(std::string_view key, std::uint64_t id) const {
    return hasValue(key, id) ? std::optional(arrayOf(key)->at(id)) : std::nullopt;
}

TokenArrays::Merge TokenArrays::merge(std::uint64_t rank) const {
    const std::string_view rule = asString(m_merges->at(rank)).value_or(std::string_view());
    const std::size_t space = rule.find(' ', 1);
    return space == std::string_view::npos ? Merge{rule, {}} : Merge{rule.substr(0, space), rule.substr(space + 1)};
}

QByteArray TokenArrays::bytes(std::uint64_t id) const {
    const std::string_view stored = TokenArrays::text(id);
    const auto verbatim = [&] { return QByteArray(stored.data(), static_cast<qsizetype>(stored.size())); };
    const auto kind = type(id);
    if (kind == static_cast<std::int64_t>(TokenType::Control) ||
        kind == static_cast<std::int64_t>(TokenType::UserDefined)) {
        return verbatim();
    }
    if (const auto byte = m_family != "gpt2" ? decodeByteToken(stored) : std::nullopt) {
        return *byte;
    }
    if (m_family == "gpt2") {
        std::string bytes;
        appendUnwritten(bytes, stored);
        return QByteArray::fromStdString(bytes);
    }
    if (m_family == "rwkv") {
        return decodeEscapes(stored);
    }
    return m_family == "llama" || m_family == "bert" || m_family == "t5" ? decodeSpaceMarks(stored) : verbatim();
}

std::vector<TokenArrays::Special> TokenArrays::specials() const {
    static constexpr std::string_view kSuffix = "_token_id";
    std::vector<Special> found;
    for (const KeyValue& entry : m_model->metadata) {
        const auto id = asUInt(entry.value);
        if (!id || !entry.key.starts_with(kPrefix) || !entry.key.ends_with(kSuffix)) {
            continue;
        }
        const std::string_view name =
            entry.key.substr(kPrefix.size(), entry.key.size() - kPrefix.size() - kSuffix.size());
        found.push_back({entry.key, latin1(name).toUpper().replace(u'_', u' '), *id});
    }
    return found;
}

QString tokenTypeName(std::int64_t type) {
    const auto name = enumName(kTokenTypesKey, {}, type);
    return name ? latin1(*name) : QString::number(type);
}

QString hexBytes(const QByteArray& bytes) { return QString::fromLatin1(bytes.toHex(' ').toUpper()); }

} // namespace gufo::ui
