#include "base/detail.h"
#include "model/finding_code.h"
#include "model/value_text.h"
#include "validate/checks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo {
namespace {

// Calls use(word) for each word of a comma-separated list.
template<typename Use>
void forEachWord(std::string_view list, Use use) {
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        use(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
}

std::string typeText(const Value& value) {
    const ArrayView* array = asArray(value);
    return array != nullptr ? "arr[" + std::string(valueTypeFact(array->elementType).name) + "]"
                            : std::string(valueTypeFact(typeOf(value)).name);
}

Argument typeText(const KeyFact& fact) {
    const std::string element(valueTypeFact(fact.elementType).name);
    const std::string_view scalar = valueTypeFact(fact.type).name;
    return fact.type == ValueType::Array ? Argument("arr[" + element + "]")
           : fact.scalarOrArray          ? Argument(Detail::EitherOf, {scalar, "arr[" + element + "]"})
                                         : Argument(scalar);
}

// What a value of the key must be; the key has limits.
Argument limitsText(const KeyFact& fact) {
    const auto number = [](double limit) { return std::to_string(static_cast<std::int64_t>(limit)); };
    return fact.type == ValueType::String ? Argument(Detail::ValueNotEmpty)
           : fact.least == kAboveZero     ? Argument(Detail::ValueAboveZero)
           : std::isfinite(fact.most)     ? Argument(Detail::ValueFromTo, {number(fact.least), number(fact.most)})
                                          : Argument(Detail::ValueAtLeast, {number(fact.least)});
}

// Calls use(entry, fact) for each key that is in the catalogue.
template<typename Use>
void forEachKnownKey(const CheckContext& context, Use use) {
    auto fact = context.facts.begin();
    for (const KeyValue& entry : context.metadata) {
        if (*fact != nullptr) {
            use(entry, **fact);
        }
        ++fact;
    }
}

// Whether runtimes read the key before they run a model, so that a wrong type makes them refuse it.
bool isReadByRuntimes(const KeyFact& fact) {
    constexpr auto kKeys = std::to_array<std::string_view>(
        {"general.architecture", "general.file_type", "general.quantization_version", "split.no", "split.count",
         "split.tensors.count", "adapter.type", "adapter.lora.alpha"});
    return fact.key.starts_with("{arch}.") || fact.key.starts_with("tokenizer.ggml.") ||
           fact.key.starts_with("clip.") || std::ranges::find(kKeys, fact.key) != kKeys.end();
}

void requireKey(const CheckContext& context, FindingList& findings, const std::string& key) {
    if (context.metadata.find(key) == nullptr) {
        findings.add(FindingCode::RequiredKeyMissing, Place::key(key), {key, std::string(context.architectureName)});
    }
}

// Checks of single numbers; `args` are in the order that the finding's code documents.
class Parameters {
public:
    Parameters(const CheckContext& context, FindingList& findings)
        : m_context(context)
        , m_findings(findings) {}

    void add(FindingCode code, std::string_view suffix, Arguments args, std::optional<std::uint64_t> element = {}) {
        m_findings.add(code, Place::key(m_context.key(suffix), element), std::move(args));
    }

    void mustBePossible() {
        forEachKnownKey(m_context, [&](const KeyValue& entry, const KeyFact& fact) {
            if (!isPossible(fact, entry.value)) {
                m_findings.add(
                    FindingCode::ValueImpossible, Place::key(std::string(entry.key)),
                    {asString(entry.value) == "" ? std::string("\"\"") : shortText(entry.value), limitsText(fact)});
            }
        });
    }

    // A block may do without attention, but not all blocks of an architecture that is not recurrent.
    void headsMustNotBeZero() {
        const bool recurrent = m_context.architecture != nullptr && m_context.architecture->recurrent;
        if (!recurrent && m_context.parameters.uint("attention.head_count") == 0U) {
            add(FindingCode::ValueImpossible, "attention.head_count", {0, Argument(Detail::ValueAtLeast, {1})});
        }
    }

    // The width must be a multiple of the number of heads, and query heads a multiple of KV heads.
    void headsMustDivide() {
        const std::uint64_t width = m_context.parameters.uint("embedding_length").value_or(0);
        const bool ownLength = m_context.parameters.uint("attention.key_length").has_value();
        const BlockValues allHeads = m_context.parameters.blockValues("attention.head_count");
        const BlockValues allShared = m_context.parameters.blockValues("attention.head_count_kv");
        const std::uint64_t blocks =
            allHeads.isArray() || allShared.isArray() ? m_context.blocks : std::min<std::uint64_t>(m_context.blocks, 1);
        for (std::uint64_t i = 0; i < blocks; ++i) {
            const std::uint64_t heads = allHeads.at(i).value_or(0);
            const std::uint64_t shared = allShared.at(i).value_or(0);
            const auto element = allShared.isArray() ? std::optional(i) : std::nullopt;
            if (heads != 0 && shared != 0 && heads % shared != 0) {
                add(FindingCode::HeadsNotDivisible, "attention.head_count_kv", {heads, shared}, element);
            }
            if (heads != 0 && !ownLength && width % heads != 0) {
                add(FindingCode::WidthNotDivisible, "attention.head_count", {width, heads},
                    allHeads.isArray() ? std::optional(i) : std::nullopt);
            }
        }
    }

    void rotaryDimensions() {
        const auto rotary = m_context.parameters.uint("rope.dimension_count");
        const std::uint64_t heads = m_context.parameters.uintAt("attention.head_count", 0).value_or(0);
        const std::uint64_t width = m_context.parameters.uint("embedding_length").value_or(0);
        std::uint64_t head = m_context.parameters.uint("attention.key_length").value_or(heads != 0 ? width / heads : 0);
        head = std::max(head, m_context.parameters.uint("attention.key_length_mla").value_or(0));
        if (rotary && ((head != 0 && *rotary > head) || *rotary % 2 != 0)) {
            add(FindingCode::RotaryDimensions, "rope.dimension_count", {*rotary, head});
        }
    }

    void experts() {
        const auto count = m_context.parameters.uint("expert_count");
        const auto used = m_context.parameters.uint("expert_used_count");
        if (used && *used > count.value_or(0)) {
            add(FindingCode::ExpertCounts, "expert_used_count", {*used, count.value_or(0)});
        } else if (count && *count > 0 && used == 0U) {
            add(FindingCode::ExpertCounts, "expert_used_count", {0, *count});
        }
    }

    // Published models of the architectures that people convert most, with a factor of ten on either side. For other
    // architectures, the usual values are not known.
    void ropeBase() {
        struct UsualRow {
            std::string_view architecture;
            double least;
            double most;
        };
        constexpr auto kUsual = std::to_array<UsualRow>({{"gemma", 1e4, 1e4},
                                                         {"gemma2", 1e4, 1e4},
                                                         {"gemma3", 1e4, 1e6},
                                                         {"llama", 1e4, 1e7},
                                                         {"phi3", 1e4, 1e7},
                                                         {"qwen2", 1e4, 1e7},
                                                         {"qwen3", 1e6, 1e7},
                                                         {"qwen3moe", 1e6, 1e7}});
        constexpr double kFactor = 10;
        const auto base = m_context.parameters.number("rope.freq_base");
        const auto* row = std::ranges::find(kUsual, m_context.architectureName, &UsualRow::architecture);
        if (row == kUsual.end()) {
            return;
        }
        const UsualRow& usual = *row;
        if (base && std::isfinite(*base) && *base > 0 &&
            (*base * kFactor < usual.least || *base > usual.most * kFactor)) {
            const auto number = [](double value) {
                return std::to_string(static_cast<std::int64_t>(std::min(value, 9e18)));
            };
            add(FindingCode::RopeBaseFar, "rope.freq_base", {number(*base), number(usual.least), number(usual.most)});
        }
    }

    void trainedContext() {
        const auto context = m_context.parameters.uint("context_length");
        const auto trained = m_context.parameters.uint("rope.scaling.original_context_length");
        const Value* type = m_context.parameters.find("rope.scaling.type");
        const std::string_view scaling = type != nullptr ? asString(*type).value_or("none") : "none";
        if (!context || !trained || *trained == 0 || *context <= *trained || scaling != "none") {
            return;
        }
        // Factors of each frequency are a scaling, too. They are looked for last, because the first search for a name
        // makes an index of all tensors.
        if (!m_context.model.findTensor("rope_freqs.weight") &&
            !m_context.model.findTensor("rope_factors_long.weight")) {
            add(FindingCode::ContextBeyondTrained, "context_length", {*context, *trained, std::string(scaling)});
        }
    }

    // Arrays with one value for each block must be as long as the number of blocks.
    void arraysOfBlocks() {
        forEachKnownKey(m_context, [&](const KeyValue& entry, const KeyFact& fact) {
            const ArrayView* array = asArray(entry.value);
            // A pattern of windows may be shorter, because it is repeated.
            if (array != nullptr && fact.scalarOrArray && fact.elementType != ValueType::Bool &&
                fact.key.starts_with("{arch}.") && m_context.blocks != 0 && array->length != m_context.blocks) {
                m_findings.add(FindingCode::BlockArrayLength, Place::key(std::string(entry.key)),
                               {array->length, m_context.blocks});
            }
        });
    }

    void numbersMustBeFinite() {
        auto fact = m_context.facts.begin();
        for (const KeyValue& entry : m_context.metadata) {
            const bool limited = *fact != nullptr && hasLimits(**fact); // these have an error
            ++fact;
            const bool real = std::holds_alternative<float>(entry.value) || std::holds_alternative<double>(entry.value);
            if (real && !limited && !std::isfinite(*asDouble(entry.value))) {
                m_findings.add(FindingCode::NumberNotFinite, Place::key(std::string(entry.key)),
                               {std::string(entry.key)});
            }
        }
    }

private:
    const CheckContext& m_context;
    FindingList& m_findings;
};

} // namespace

Result<CheckOutcome> checkRequiredKeys(const CheckContext& context, FindingList& findings) {
    forEachWord(requiredKeys(context.kind),
                [&](std::string_view key) { requireKey(context, findings, std::string(key)); });
    // A vocabulary needs no hyper-parameters, and an unknown architecture has no required ones.
    if (context.kind != FileKind::Model || context.architectureName.empty()) {
        return CheckOutcome::Ran;
    }
    if (context.architecture == nullptr) {
        for (const KeyFact& fact : keyFacts()) {
            const std::string_view suffix = fact.key.substr(std::min(fact.key.find('.') + 1, fact.key.size()));
            if (fact.key.starts_with("{arch}.") && fact.requirement == Requirement::Required &&
                context.parameters.find(suffix) == nullptr) {
                // Most architectures need the key, but it is not known whether this one does.
                findings.add(FindingCode::ExpectedKeyMissing, Place::key(context.key(suffix)),
                             {context.key(suffix), std::string(context.architectureName)});
            }
        }
        return CheckOutcome::Ran;
    }
    const auto check = [&](std::string_view list, FindingCode code) {
        forEachWord(list, [&](std::string_view suffix) {
            if (context.parameters.find(suffix) == nullptr) {
                findings.add(code, Place::key(context.key(suffix)),
                             {context.key(suffix), std::string(context.architectureName)});
            }
        });
    };
    check(context.architecture->required, FindingCode::RequiredKeyMissing);
    check(context.architecture->expected, FindingCode::ExpectedKeyMissing);
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkValueTypes(const CheckContext& context, FindingList& findings) {
    forEachKnownKey(context, [&](const KeyValue& entry, const KeyFact& fact) {
        // The reader has a separate finding for the alignment.
        if (fact.key != "general.alignment" && !acceptsType(fact, entry.value)) {
            findings.add(isReadByRuntimes(fact) ? FindingCode::WrongValueType : FindingCode::UnusualValueType,
                         Place::key(std::string(entry.key)), {typeText(fact), typeText(entry.value)});
        }
    });
    return CheckOutcome::Ran;
}

// Finds other spellings of standard keys, unless the standard key exists too.
Result<CheckOutcome> checkKeyNames(const CheckContext& context, FindingList& findings) {
    forEachKnownKey(context, [&](const KeyValue& entry, const KeyFact&) {
        const std::string standard = standardKey(entry.key, context.architectureName);
        if (!standard.empty() && context.metadata.find(standard) == nullptr) {
            findings.add(FindingCode::KeyAlias, Place::key(std::string(entry.key)), {std::string(entry.key), standard});
        }
    });
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkKnownValues(const CheckContext& context, FindingList& findings) {
    if (!context.architectureName.empty() && context.architecture == nullptr) {
        findings.add(FindingCode::UnknownArchitecture, Place::key("general.architecture"),
                     {std::string(context.architectureName)});
    }
    forEachKnownKey(context, [&](const KeyValue& entry, const KeyFact&) {
        // The checks of tokenizers report more precisely on two of these, and a licence may be one that no hub knows.
        const bool isElsewhere =
            entry.key == "tokenizer.ggml.model" || entry.key == "tokenizer.ggml.pre" || entry.key == "general.license";
        const auto choices = keyChoices(entry.key, context.architectureName);
        const auto text = asString(entry.value);
        if (!isElsewhere && !choices.empty() && text && std::ranges::find(choices, *text) == choices.end()) {
            findings.add(FindingCode::UnknownValue, Place::key(std::string(entry.key)), {std::string(*text)});
        }
        const auto number = asInt(entry.value);
        if (number && !enumNames(entry.key, context.architectureName).empty() &&
            !enumName(entry.key, context.architectureName, *number)) {
            findings.add(FindingCode::UnknownValue, Place::key(std::string(entry.key)), {*number});
        }
    });
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkHyperParameters(const CheckContext& context, FindingList& findings) {
    Parameters parameters(context, findings);
    parameters.numbersMustBeFinite();
    parameters.mustBePossible();
    if (context.kind != FileKind::Model && context.kind != FileKind::Vocabulary) {
        return CheckOutcome::Ran;
    }
    parameters.headsMustNotBeZero();
    parameters.headsMustDivide();
    parameters.rotaryDimensions();
    parameters.experts();
    parameters.arraysOfBlocks();
    parameters.ropeBase();
    parameters.trainedContext();
    return CheckOutcome::Ran;
}

} // namespace gufo
