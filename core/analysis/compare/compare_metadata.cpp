#include "analysis/compare/compare_metadata.h"

#include "base/detail.h"
#include "formats/gguf/read/reader.h"
#include "model/array_index.h"
#include "model/name_index.h"
#include "model/token.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace gufo {
namespace {

// Compares two vocabularies by the text of their tokens.
constexpr std::uint64_t kTokensPerStopCheck = 4096;
constexpr std::uint64_t kMaxTokens = 1U << 28U; // far fewer than NameIndex can number; no real vocabulary is larger

const ArrayView* arrayOf(const Metadata& metadata, std::string_view key, ValueType type) {
    const ArrayView* array = metadata.array(key);
    return array != nullptr && array->elementType == type ? array : nullptr;
}

class Tokens {
public:
    static Result<Tokens> read(const Metadata& metadata, const JobContext& job) {
        Tokens tokens;
        tokens.m_scores = arrayOf(metadata, kTokenScoresKey, ValueType::Float32);
        tokens.m_types = arrayOf(metadata, kTokenTypesKey, ValueType::Int32);
        const ArrayView* texts = arrayOf(metadata, kTokensKey, ValueType::String);
        if (texts == nullptr) {
            return tokens;
        }
        if (texts->length > kMaxTokens) {
            return fail(ErrorCode::LimitExceeded, Place::key(std::string(kTokensKey)),
                        {Detail::Tokens, texts->length, kMaxTokens});
        }
        Bytes rest = texts->bytes;
        for (std::uint64_t i = 0; i < texts->length; ++i) {
            if (i % kTokensPerStopCheck == 0 && job.stopRequested()) {
                return fail(ErrorCode::Cancelled);
            }
            const auto value = valueAt(ValueType::String, rest, texts->layout);
            if (!value) {
                return fail(ErrorCode::Truncated, Place::key(std::string(kTokensKey), i), {Detail::Token, i + 1, i});
            }
            rest = rest.subspan(value->bytes);
            tokens.m_texts.push_back(std::get<std::string_view>(value->value));
            tokens.m_index.add(tokens.m_texts.back(), static_cast<std::uint32_t>(i),
                               [&](std::uint32_t at) { return tokens.m_texts[at]; });
        }
        return tokens;
    }

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(m_texts.size()); }
    [[nodiscard]] std::string_view text(std::uint32_t id) const { return m_texts[id]; }
    // The id of a text; `preferred` if that id has the text.
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view text, std::uint32_t preferred) const {
        if (preferred < size() && m_texts[preferred] == text) {
            return preferred;
        }
        return m_index.find(text, [&](std::uint32_t at) { return m_texts[at]; });
    }
    [[nodiscard]] std::optional<float> score(std::uint32_t id) const { return element<float>(m_scores, id); }
    [[nodiscard]] std::optional<std::int32_t> type(std::uint32_t id) const {
        return element<std::int32_t>(m_types, id);
    }

private:
    template<typename T>
    static std::optional<T> element(const ArrayView* array, std::uint32_t id) {
        if (array == nullptr || id >= array->length) {
            return std::nullopt;
        }
        return load<T>(array->bytes.data() + std::size_t{id} * sizeof(T), array->layout.order);
    }

    std::vector<std::string_view> m_texts;
    NameIndex m_index;
    const ArrayView* m_scores = nullptr;
    const ArrayView* m_types = nullptr;
};

bool sameScore(std::optional<float> a, std::optional<float> b) {
    return a.has_value() == b.has_value() &&
           (!a || std::bit_cast<std::uint32_t>(*a) == std::bit_cast<std::uint32_t>(*b));
}

// A model without a vocabulary counts as having no tokens. If several tokens have the same text, the one with the same
// id is compared, or else the first. At most `maxTokens` differences are kept for the reference's tokens, and as many
// for tokens that only the other model has. Errors: Cancelled, Truncated (the file has changed).
Result<TokenizerDifference> compareTokenizers(const Metadata& reference, const Metadata& other, std::size_t maxTokens,
                                              const JobContext& job) {
    const auto from = GUFO_TRY(Tokens::read(reference, job));
    const auto to = GUFO_TRY(Tokens::read(other, job));
    TokenizerDifference difference{.referenceTokens = from.size(), .otherTokens = to.size()};
    for (std::uint32_t id = 0; id < from.size(); ++id) {
        if (id % kTokensPerStopCheck == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        TokenDifference token{.text = from.text(id),
                              .referenceId = id,
                              .otherId = to.find(from.text(id), id),
                              .referenceScore = from.score(id),
                              .referenceType = from.type(id)};
        if (token.otherId) {
            token.otherScore = to.score(*token.otherId);
            token.otherType = to.type(*token.otherId);
        }
        const bool ids = token.otherId && *token.otherId != id;
        const bool scores = token.otherId && !sameScore(token.referenceScore, token.otherScore);
        const bool types = token.otherId && token.referenceType != token.otherType;
        difference.onlyInReference += token.otherId ? 0U : 1U;
        difference.otherIds += ids ? 1U : 0U;
        difference.otherScores += scores ? 1U : 0U;
        difference.otherTypes += types ? 1U : 0U;
        if ((!token.otherId || ids || scores || types) && difference.first.size() < maxTokens) {
            difference.first.push_back(token);
        }
    }
    std::size_t kept = 0;
    for (std::uint32_t id = 0; id < to.size(); ++id) {
        if (id % kTokensPerStopCheck == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        if (from.find(to.text(id), id)) {
            continue;
        }
        ++difference.onlyInOther;
        if (kept < maxTokens) {
            ++kept;
            difference.first.push_back(
                {.text = to.text(id), .otherId = id, .otherScore = to.score(id), .otherType = to.type(id)});
        }
    }
    return difference;
}

constexpr std::string_view kTemplateKey = "tokenizer.chat_template";

bool isChatTemplate(std::string_view key) {
    return key == kTemplateKey || (key.starts_with(kTemplateKey) && key.substr(kTemplateKey.size()).starts_with('.'));
}

// Whether find() returns this entry, that is, whether it is the first one with its key.
bool isFirst(const Metadata& metadata, std::size_t i) {
    return metadata.indexOf(metadata[KvIndex(i)].key) == KvIndex(i);
}

class Comparer {
public:
    Comparer(std::span<const std::shared_ptr<const Model>> models, std::size_t reference,
             const MetadataOptions& options, const JobContext& job)
        : m_models(models)
        , m_reference(reference)
        , m_options(options)
        , m_job(job) {}

    Result<MetadataComparison> run() {
        MetadataComparison result{.models = {m_models.begin(), m_models.end()}, .reference = m_reference};
        for (std::size_t k = 0; k < m_models.size(); ++k) {
            // The reference first, then the others in order.
            const std::size_t model = k == 0 ? m_reference : k <= m_reference ? k - 1 : k;
            const Metadata& metadata = m_models[model]->metadata;
            for (std::size_t i = 0; i < metadata.size(); ++i) {
                const std::string_view key = metadata[KvIndex(i)].key;
                if (key == gguf::kReservedKey || !isFirst(metadata, i) || hasBefore(k, key)) {
                    continue;
                }
                auto row = GUFO_TRY(compareKey(key));
                result.rows.push_back(std::move(row));
            }
        }
        for (std::size_t model = 0; model < m_models.size(); ++model) {
            TokenizerDifference difference;
            if (model != m_reference) {
                difference = GUFO_TRY(compareTokenizers(m_models[m_reference]->metadata, m_models[model]->metadata,
                                                        m_options.maxTokens, m_job));
            }
            result.tokenizers.push_back(std::move(difference));
        }
        return result;
    }

private:
    // Whether one of the first k models in run()'s order has the key.
    [[nodiscard]] bool hasBefore(std::size_t k, std::string_view key) const {
        for (std::size_t i = 0; i < k; ++i) {
            const std::size_t model = i == 0 ? m_reference : i <= m_reference ? i - 1 : i;
            if (m_models[model]->metadata.indexOf(key)) {
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] Result<MetadataRow> compareKey(std::string_view key) const {
        MetadataRow row{.key = key, .chatTemplate = isChatTemplate(key)};
        const Value* reference = m_models[m_reference]->metadata.find(key);
        for (std::size_t model = 0; model < m_models.size(); ++model) {
            MetadataRow::Cell cell{.index = m_models[model]->metadata.indexOf(key)};
            const Value* other = m_models[model]->metadata.find(key);
            if (model == m_reference) {
                cell.status = other != nullptr ? KeyStatus::Same : KeyStatus::Removed;
            } else if (other != nullptr && reference == nullptr) {
                cell.status = KeyStatus::Added;
            } else if (other != nullptr) {
                GUFO_TRY(compareValues(*reference, *other, cell));
            }
            row.cells.push_back(std::move(cell));
        }
        return row;
    }

    [[nodiscard]] Result<> compareValues(const Value& reference, const Value& other, MetadataRow::Cell& cell) const {
        const ArrayView* a = asArray(reference);
        const ArrayView* b = asArray(other);
        if (a == nullptr || b == nullptr) {
            cell.status = sameValue(reference, other) ? KeyStatus::Same : KeyStatus::Changed;
            cell.typeOnly = cell.status == KeyStatus::Changed && sameNumber(reference, other);
            return {};
        }
        auto difference = GUFO_TRY(compareArrays(*a, *b, m_options.maxElements, m_job));
        if (difference.differing == 0 && a->elementType == b->elementType) {
            cell.status = KeyStatus::Same;
            return {};
        }
        cell.status = KeyStatus::Changed;
        cell.typeOnly = difference.differing == 0;
        cell.elements = std::move(difference);
        return {};
    }

    std::span<const std::shared_ptr<const Model>> m_models;
    std::size_t m_reference;
    const MetadataOptions& m_options;
    const JobContext& m_job;
};

} // namespace

bool MetadataRow::same() const {
    return std::ranges::all_of(cells, [](const Cell& cell) { return cell.status == KeyStatus::Same; });
}

bool MetadataComparison::same(std::size_t model) const {
    return std::ranges::all_of(rows, [&](const MetadataRow& row) {
        const bool absent = !row.cells[reference].index && !row.cells[model].index; // only other models have the key
        return absent || row.cells[model].status == KeyStatus::Same;
    });
}

Result<MetadataComparison> compareMetadata(std::span<const std::shared_ptr<const Model>> models, std::size_t reference,
                                           const MetadataOptions& options, const JobContext& job) {
    if (reference >= models.size()) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::NoSuchReference});
    }
    return Comparer(models, reference, options, job).run();
}

namespace {

constexpr std::uint64_t kElementsPerStopCheck = 16'384;

// Iterates over the elements of an array.
class Elements {
public:
    explicit Elements(const ArrayView& array)
        : m_array(array)
        , m_rest(array.bytes)
        , m_size(valueTypeFact(array.elementType).bytes) {}

    [[nodiscard]] std::optional<Value> next() {
        const auto value = valueAt(m_array.elementType, m_rest, m_array.layout);
        if (!value) {
            return std::nullopt;
        }
        m_rest = m_rest.subspan(value->bytes);
        return value->value;
    }
    // Only for elements of fixed size.
    void skip(std::uint64_t count) { m_rest = m_rest.subspan(count * m_size); }
    [[nodiscard]] Bytes rest() const { return m_rest; }
    [[nodiscard]] std::uint64_t elementBytes() const { return m_size; }

private:
    const ArrayView& m_array;
    Bytes m_rest;
    std::uint64_t m_size; // size of an element; 0 if it varies
};

bool sameBytes(Bytes a, Bytes b) { return a.size() == b.size() && std::ranges::equal(a, b); }

bool sameArrays(const ArrayView& a, const ArrayView& b) {
    if (a.elementType != b.elementType || a.length != b.length) {
        return false;
    }
    if (a.layout == b.layout) {
        return sameBytes(a.bytes, b.bytes);
    }
    Elements from(a);
    Elements to(b);
    for (std::uint64_t i = 0; i < a.length; ++i) {
        const auto x = from.next();
        const auto y = to.next();
        if (!x || !y || !sameValue(*x, *y)) {
            return false;
        }
    }
    return true;
}

// The number of elements, at most `left`, that are known to be equal at the front of both. Elements of fixed size are
// compared in bulk; for others the result is 0.
std::uint64_t equalRun(const Elements& a, const Elements& b, std::uint64_t left) {
    const std::uint64_t count = std::min<std::uint64_t>(left, 4096);
    const std::uint64_t bytes = count * a.elementBytes();
    const bool equal = bytes != 0 && bytes <= a.rest().size() && bytes <= b.rest().size() &&
                       std::memcmp(a.rest().data(), b.rest().data(), bytes) == 0;
    return equal ? count : 0;
}

} // namespace

bool sameValue(const Value& a, const Value& b) {
    return std::visit(
        [](const auto& x, const auto& y) {
            using T = std::remove_cvref_t<decltype(x)>;
            if constexpr (!std::is_same_v<T, std::remove_cvref_t<decltype(y)>>) {
                return false;
            } else if constexpr (std::is_same_v<T, float>) {
                return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
            } else if constexpr (std::is_same_v<T, double>) {
                return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
            } else if constexpr (std::is_same_v<T, ArrayView>) {
                return sameArrays(x, y);
            } else {
                return x == y;
            }
        },
        a, b);
}

bool sameNumber(const Value& a, const Value& b) {
    const bool integers = valueTypeFact(typeOf(a)).integer && valueTypeFact(typeOf(b)).integer;
    if (integers) {
        const auto x = asInt(a);
        const auto y = asInt(b);
        return x && y ? x == y : !x && !y && asUInt(a) == asUInt(b);
    }
    const auto x = asDouble(a);
    const auto y = asDouble(b);
    return x && y && *x == *y;
}

Result<ArrayDifference> compareArrays(const ArrayView& a, const ArrayView& b, std::size_t maxElements,
                                      const JobContext& job) {
    ArrayDifference difference{.referenceLength = a.length, .otherLength = b.length};
    const bool sameType = a.elementType == b.elementType;
    const bool sameLayout = sameType && a.layout == b.layout;
    Elements from(a);
    Elements to(b);
    const std::uint64_t common = std::min(a.length, b.length);
    const std::uint64_t longer = std::max(a.length, b.length);
    for (std::uint64_t i = 0; i < longer; ++i) {
        if (i % kElementsPerStopCheck == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        if (i % 4096 == 0 && sameLayout && i < common) {
            if (const std::uint64_t equal = equalRun(from, to, common - i)) {
                from.skip(equal);
                to.skip(equal);
                i += equal - 1;
                continue;
            }
        }
        if (i >= common && difference.first.size() >= maxElements) {
            break;
        }
        std::optional<Value> x;
        std::optional<Value> y;
        if (i < a.length && !(x = from.next())) {
            return fail(ErrorCode::Truncated, {}, {Detail::Array, a.length, i});
        }
        if (i < b.length && !(y = to.next())) {
            return fail(ErrorCode::Truncated, {}, {Detail::Array, b.length, i});
        }
        if (x && y && (sameType ? sameValue(*x, *y) : sameNumber(*x, *y))) {
            continue;
        }
        difference.differing += i < common ? 1U : 0U;
        if (difference.first.size() < maxElements) {
            difference.first.push_back({i, x, y});
        }
    }
    difference.differing += longer - common;
    return difference;
}

} // namespace gufo
