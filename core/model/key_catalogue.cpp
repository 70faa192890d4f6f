#include "model/key_catalogue.h"

#include "base/ascii.h"
#include "model/index.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

namespace gufo {
namespace {

constexpr std::string_view kArch = "{arch}";
constexpr std::string_view kNumber = "{n}";
constexpr std::string_view kName = "{name}";
constexpr std::size_t kLongestKey = 128; // no longer key is in the catalogue

// Rows of keyFacts() in order of their keys.
const std::vector<std::uint16_t>& sortedRows() {
    static const std::vector<std::uint16_t> rows = [] {
        std::vector<std::uint16_t> order(keyFacts().size());
        std::iota(order.begin(), order.end(), std::uint16_t{0});
        std::ranges::sort(order, {}, [](std::uint16_t row) { return keyFacts()[row].key; });
        return order;
    }();
    return rows;
}

const KeyFact* findPattern(std::string_view pattern) {
    const auto& rows = sortedRows();
    const auto keyOf = [](std::uint16_t row) { return keyFacts()[row].key; };
    const auto found = std::ranges::lower_bound(rows, pattern, {}, keyOf);
    return found != rows.end() && keyOf(*found) == pattern ? &keyFacts()[*found] : nullptr;
}

bool isNumber(std::string_view text) { return !text.empty() && std::ranges::all_of(text, isAsciiDigit); }

// A key with its architecture and its numbers replaced by what the catalogue writes for them.
class Pattern {
public:
    Pattern(std::string_view key, std::string_view architecture) {
        std::string_view rest = key;
        const std::string_view first = key.substr(0, key.find('.'));
        if (!architecture.empty() && rest.starts_with(architecture) && rest.size() > architecture.size() &&
            rest[architecture.size()] == '.') {
            append(kArch);
            rest.remove_prefix(architecture.size());
        } else if (first.size() < key.size() && findArchitecture(first) != nullptr) {
            append(kArch);
            rest.remove_prefix(first.size());
        }
        while (!rest.empty()) {
            const std::size_t dot = std::min(rest.find('.', 1), rest.size());
            const std::string_view segment = rest.substr(rest[0] == '.' ? 1 : 0, dot - (rest[0] == '.' ? 1 : 0));
            append(rest[0] == '.' ? "." : "");
            append(isNumber(segment) ? kNumber : segment);
            rest.remove_prefix(dot);
        }
    }

    [[nodiscard]] std::string_view text() const { return {m_text.data(), m_fits ? m_size : 0}; }
    // With the last segment replaced by {name}.
    [[nodiscard]] std::string_view named() {
        const std::size_t dot = text().rfind('.');
        if (dot != std::string_view::npos) {
            m_size = dot + 1;
            append(kName);
        }
        return text();
    }

private:
    void append(std::string_view part) {
        m_fits = m_fits && part.size() <= m_text.size() - m_size;
        if (m_fits) {
            std::ranges::copy(part, m_text.begin() + static_cast<std::ptrdiff_t>(m_size));
            m_size += part.size();
        }
    }

    std::array<char, kLongestKey> m_text{};
    std::size_t m_size = 0;
    bool m_fits = true;
};

struct KeyGroup {
    std::string_view prefix;
    std::string_view meaning;
};
constexpr auto kGroups = std::to_array<KeyGroup>({
    {"general", "The model as a whole"},
    {"general.license", "Licence"},
    {"general.source", "What the file was made from"},
    {"general.source.huggingface", "What the file was made from, on Hugging Face"},
    {"general.base_model", "Models that this one is based on"},
    {"general.base_model.{n}", "One of the base models"},
    {"general.dataset", "Data sets of the training"},
    {"general.dataset.{n}", "One of the data sets"},
    {"general.sampling", "Sampling that its makers recommend"},
    {"{arch}", "Hyper-parameters of the architecture"},
    {"{arch}.attention", "Attention"},
    {"{arch}.attention.indexer", "Choice of the tokens that sparse attention sees"},
    {"{arch}.rope", "Rotary positions"},
    {"{arch}.diffusion", "Diffusion"},
    {"{arch}.rope.local", "Rotary positions of local blocks"},
    {"{arch}.rope.scaling", "Stretching of positions to longer contexts"},
    {"{arch}.ssm", "State spaces"},
    {"{arch}.wkv", "Time mix of RWKV"},
    {"{arch}.kda", "Linear attention"},
    {"{arch}.shortconv", "Short convolutions"},
    {"{arch}.altup", "Alternating updates"},
    {"{arch}.classifier", "Classifier"},
    {"{arch}.posnet", "Position network"},
    {"{arch}.convnext", "ConvNeXt network"},
    {"{arch}.encoder", "Encoder"},
    {"{arch}.encoder.attention", "Attention of the encoder"},
    {"{arch}.decoder", "Decoder"},
    {"{arch}.decoder.attention", "Attention of the decoder"},
    {"{arch}.vision", "Image encoder"},
    {"{arch}.vision.attention", "Attention of the image encoder"},
    {"{arch}.vision.projector", "Projector of images"},
    {"{arch}.vision.sam", "SAM encoder"},
    {"{arch}.audio", "Audio encoder"},
    {"{arch}.audio.attention", "Attention of the audio encoder"},
    {"{arch}.audio.projector", "Projector of audio"},
    {"{arch}.text", "Text encoder"},
    {"{arch}.text.attention", "Attention of the text encoder"},
    {"tokenizer", "Tokenizer and chat template"},
    {"tokenizer.ggml", "Vocabulary"},
    {"tokenizer.ggml.normalizer", "Normalisation of text"},
    {"tokenizer.huggingface", "Tokenizer of Hugging Face"},
    {"tokenizer.rwkv", "Tokenizer of RWKV"},
    {"tokenizer.chat_template", "Further chat templates"},
    {"tokenizer.embedded", "Vocabulary, as the draft of version 1 had it"},
    {"split", "Parts of a model in several files"},
    {"split.tensors", "Tensors of all parts"},
    {"adapter", "Adapter of a model"},
    {"adapter.lora", "Low-rank adapter"},
    {"adapter.alora", "Activated low-rank adapter"},
    {"quantize", "How the file was quantised"},
    {"quantize.imatrix", "Importance matrix that quantisation used"},
    {"imatrix", "Importance matrix"},
    {"training", "State of a training"},
    {"training.lora", "Adapter in training"},
    {"training.lora.rank", "Ranks of an adapter in training"},
    {"optimizer", "State of the optimiser"},
    {"xielu", "xIELU activation"},
    {"diffusion", "Diffusion"},
    {"gufo", "Gufo"},
});

bool listHas(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (list.substr(0, comma) == word) {
            return true;
        }
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return false;
}

// The row's suffix if it is a hyper-parameter: "{arch}.block_count" → "block_count".
std::string_view suffixOf(std::string_view key) {
    return key.starts_with(kArch) ? key.substr(kArch.size() + 1) : std::string_view();
}

} // namespace

const KeyFact* describeKey(std::string_view key, std::string_view architecture) {
    // Keys such as "clip.use_gelu" stand in the catalogue as they are, though "clip" is an architecture.
    if (const KeyFact* fact = findPattern(key)) {
        return key.find('{') == std::string_view::npos ? fact : nullptr;
    }
    Pattern pattern(key, architecture);
    if (pattern.text().empty() || key.find('{') != std::string_view::npos) {
        return nullptr;
    }
    const KeyFact* fact = findPattern(pattern.text());
    return fact != nullptr ? fact : findPattern(pattern.named());
}

std::string standardKey(std::string_view key, std::string_view architecture) {
    const KeyFact* fact = describeKey(key, architecture);
    const std::string_view suffix = fact != nullptr ? suffixOf(fact->aliasOf) : std::string_view();
    if (suffix.empty()) {
        return fact != nullptr ? std::string(fact->aliasOf) : std::string();
    }
    return std::string(key.substr(0, key.size() - suffixOf(fact->key).size())).append(suffix);
}

std::string_view describeKeyGroup(std::string_view prefix, std::string_view architecture) {
    const auto find = [](std::string_view text) {
        const auto* row = std::ranges::find(kGroups, text, &KeyGroup::prefix);
        return row != kGroups.end() ? row->meaning : std::string_view();
    };
    if (!architecture.empty() && prefix == architecture) {
        return find(kArch);
    }
    return find(findArchitecture(prefix) != nullptr ? kArch : Pattern(prefix, architecture).text());
}

Requirement requirementOf(const KeyFact& fact, std::string_view architecture) {
    const std::string_view suffix = suffixOf(fact.key);
    if (suffix.empty()) {
        return fact.requirement;
    }
    const ArchitectureFact* facts = findArchitecture(architecture);
    if (facts == nullptr) {
        return fact.requirement;
    }
    return listHas(facts->required, suffix) ? Requirement::Required : Requirement::Optional;
}

const Value* findHyperParameter(const Metadata& metadata, std::string_view suffix) {
    if (const Value* value = metadata.find(metadata.architectureKey(suffix))) {
        return value;
    }
    // Few rows are other spellings; they are found once.
    static const std::vector<const KeyFact*> spellings = [] {
        std::vector<const KeyFact*> rows;
        for (const KeyFact& fact : keyFacts()) {
            if (!suffixOf(fact.aliasOf).empty()) {
                rows.push_back(&fact);
            }
        }
        return rows;
    }();
    for (const KeyFact* fact : spellings) {
        if (suffixOf(fact->aliasOf) == suffix) {
            if (const Value* value = metadata.find(metadata.architectureKey(suffixOf(fact->key)))) {
                return value;
            }
        }
    }
    return nullptr;
}

bool acceptsType(const KeyFact& fact, const Value& value) {
    const auto matches = [&](ValueType expected, ValueType found) {
        return found == expected ||
               (fact.anyInteger && (valueTypeInfo(expected).integer || expected == ValueType::Bool) &&
                valueTypeInfo(found).integer);
    };
    const ArrayView* array = asArray(value);
    if (array != nullptr && (fact.type == ValueType::Array || fact.scalarOrArray)) {
        return matches(fact.elementType, array->elementType);
    }
    return fact.type != ValueType::Array && matches(fact.type, typeOf(value));
}

} // namespace gufo
