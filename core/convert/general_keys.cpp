#include "convert/general_keys.h"

#include "convert/vocabulary/key_list.h"
#include "formats/sets/front_matter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

namespace gufo::convert {
namespace {

constexpr std::string_view kCard = "README.md";
constexpr std::string_view kGeneration = "generation_config.json";
constexpr std::string_view kHub = "https://huggingface.co/";
constexpr std::uint64_t kMaxCardBytes = 4U << 20U;

struct SamplingRow {
    std::string_view key; // after "general.sampling."
    std::string_view member;
    ValueType type;
};
constexpr auto kSampling = std::to_array<SamplingRow>({
    {"sequence", "sequence", ValueType::String},
    {"top_k", "top_k", ValueType::Int32},
    {"top_p", "top_p", ValueType::Float32},
    {"min_p", "min_p", ValueType::Float32},
    {"xtc_probability", "xtc_probability", ValueType::Float32},
    {"xtc_threshold", "xtc_threshold", ValueType::Float32},
    {"temp", "temperature", ValueType::Float32},
    {"penalty_last_n", "penalty_last_n", ValueType::Int32},
    {"penalty_repeat", "repetition_penalty", ValueType::Float32},
    {"mirostat", "mirostat", ValueType::Int32},
    {"mirostat_tau", "mirostat_tau", ValueType::Float32},
    {"mirostat_eta", "mirostat_eta", ValueType::Float32},
});

// The keys with one text, in the order in which they are written, and the members of a model card that give them.
struct TextFact {
    std::string_view key; // after "general."
    std::vector<std::string_view> members;
};
const std::vector<TextFact>& textFacts() {
    static const std::vector<TextFact> facts{
        {"name", {"name", "model_name"}},
        {"author", {"author", "model_author", "model_creator"}},
        {"version", {"version", "model_version"}},
        {"organization", {"organization", "model_organization"}},
        {"finetune", {"finetune", "model_finetune"}},
        {"basename", {"basename", "model_basename", "model_type"}},
        {"description", {"description", "model_description"}},
        {"quantized_by", {"quantized_by"}},
        {"size_label", {"size_label", "model_size_label"}},
        {"license", {"license"}},
        {"license.name", {"license_name"}},
        {"license.link", {"license_link"}},
        {"source.url", {"url", "model_url"}},
        {"source.doi", {"doi", "model_doi"}},
        {"source.uuid", {"uuid", "model_uuid"}},
        {"source.repo_url", {"repo_url", "model_repo_url"}},
    };
    return facts;
}

std::vector<std::string> textsOf(const ArrayView& array) {
    std::vector<std::string> out;
    const std::byte* at = array.bytes.data();
    for (std::uint64_t i = 0; array.elementType == ValueType::String && i < array.length; ++i) {
        const auto length = static_cast<std::size_t>(array.layout.loadLength(at));
        at += array.layout.lengthBytes();
        out.emplace_back(reinterpret_cast<const char*>(at), length);
        at += length;
    }
    return out;
}

// The front matter of the model card.
class Card {
public:
    explicit Card(const SourceFolder& source) {
        m_model.files.push_back({});
        const auto file = source.file(kCard, kMaxCardBytes);
        if (file && *file) {
            MetadataBuilder builder(m_model);
            addFrontMatter(builder, (*file)->text, "card");
        }
    }

    // The values of a member: its only value, or the elements of a list; numbers as text.
    [[nodiscard]] std::vector<std::string> values(std::string_view member) const {
        const Value* value = m_model.metadata.find("card." + std::string(member));
        if (value == nullptr) {
            return {};
        }
        if (const ArrayView* array = asArray(*value)) {
            return textsOf(*array);
        }
        if (const auto text = asString(*value)) {
            return text->empty() ? std::vector<std::string>() : std::vector{std::string(*text)};
        }
        char number[32];
        std::snprintf(number, sizeof number, "%.10g", asDouble(*value).value_or(0));
        return {number};
    }

private:
    Model m_model;
};

struct Found {
    std::string text;
    std::string from;
};

class GeneralKeys {
public:
    GeneralKeys(const SourceFolder& source, const GeneralOptions& options)
        : m_source(source)
        , m_options(options)
        , m_card(source) {}

    std::vector<PlannedKey> plan() && {
        m_keys.setText("general.type", std::string(m_options.kind), {});
        addSampling();
        findTexts();
        for (const TextFact& fact : textFacts()) {
            if (const auto found = m_texts.find(fact.key); found != m_texts.end()) {
                m_keys.setText("general." + std::string(fact.key), found->second.text, found->second.from);
            }
        }
        addOrigins("base_model", {"base_model", "base_models", "base_model_sources"}, m_options.baseModel,
                   m_options.baseModelFrom);
        addOrigins("dataset", {"datasets", "dataset", "dataset_sources"});
        addList("general.tags", {"tags", "pipeline_tag"});
        addList("general.languages", {"languages", "language"});
        return std::move(m_keys).take();
    }

private:
    void addSampling() {
        const auto config = m_source.json(kGeneration);
        if (!config || !*config) {
            return;
        }
        for (const SamplingRow& row : kSampling) {
            const JsonValue* value = (*config)->find(row.member);
            if (value == nullptr) {
                continue;
            }
            const std::string key = "general.sampling." + std::string(row.key);
            const std::string from = memberOf(kGeneration, row.member);
            const auto real = value->real();
            const auto whole = value->whole();
            if (row.type == ValueType::String && value->is(JsonValue::Kind::String)) {
                m_keys.setText(key, value->text, from);
            } else if (row.type == ValueType::Float32 && real) {
                m_keys.set(key, Value(static_cast<float>(*real)), from);
            } else if (row.type == ValueType::Int32 && whole && std::abs(*whole) <= INT32_MAX) {
                m_keys.set(key, Value(static_cast<std::int32_t>(*whole)), from);
            }
        }
    }

    void set(std::string_view key, std::string text, std::string from) {
        if (!text.empty()) {
            m_texts.try_emplace(std::string(key), std::move(text), std::move(from));
        }
    }

    // Each text comes from the first source that states it: the option, the card, the name in the configuration, or the
    // name of the folder.
    void findTexts() {
        if (m_options.name) {
            set("name", *m_options.name, {});
        }
        for (const TextFact& fact : textFacts()) {
            for (const std::string_view member : fact.members) {
                std::string text;
                for (const std::string& value : m_card.values(member)) {
                    text += (text.empty() ? "" : ",") + value;
                }
                set(fact.key, text, memberOf(kCard, member));
            }
        }
        const JsonValue* named = m_source.config().find("_name_or_path");
        if (named != nullptr && named->is(JsonValue::Kind::String) && std::ranges::count(named->text, '/') <= 1) {
            setParts(named->text, "config.json:_name_or_path");
        }
        const std::string name = m_source.name();
        setParts(name, name);
        set("size_label", m_options.parameters.total == 0 ? std::string() : sizeLabel(m_options.parameters), {});
    }

    void setParts(const std::string& id, const std::string& from) {
        const NameParts parts = namePartsOf(id, m_options.parameters.total);
        set("name", titleOf(parts.name), from);
        set("organization", titleOf(parts.organization), from);
        set("basename", parts.basename, from);
        set("finetune", parts.finetune, from);
        set("version", parts.version, from);
        set("size_label", parts.sizeLabel, from);
    }

    // The models or data that this one was made of: identifiers of the hub or addresses.
    void addOrigins(const std::string& kind, std::initializer_list<std::string_view> members,
                    const std::string& fallback = {}, const std::string& fallbackFrom = {}) {
        std::vector<std::string> ids;
        std::string from;
        for (const std::string_view member : members) {
            if (ids.empty()) {
                ids = m_card.values(member);
                from = memberOf(kCard, member);
            }
        }
        if (ids.empty() && !fallback.empty()) {
            ids.push_back(fallback);
            from = fallbackFrom;
        }
        if (ids.empty()) {
            return;
        }
        const std::string prefix = "general." + kind + ".";
        m_keys.set(prefix + "count", Value(static_cast<std::uint32_t>(ids.size())), from);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            addOrigin(prefix + std::to_string(i) + ".", ids[i], from);
        }
    }

    void addOrigin(const std::string& prefix, const std::string& id, const std::string& from) {
        const bool address = id.starts_with("http://") || id.starts_with("https://") || id.starts_with("ssh://");
        std::string_view named = id;
        if (address) {
            named = id.starts_with(kHub) ? named.substr(kHub.size()) : std::string_view();
            named = std::ranges::count(named, '/') == 1 ? named : std::string_view();
        }
        const NameParts parts = namePartsOf(named, m_options.parameters.total);
        const auto setPart = [&](std::string_view key, std::string text) {
            if (!text.empty()) {
                m_keys.setText(prefix + std::string(key), std::move(text), from);
            }
        };
        setPart("name", titleOf(parts.name));
        setPart("version", parts.version);
        setPart("organization", titleOf(parts.organization));
        if (address) {
            setPart("repo_url", id);
        } else if (!parts.organization.empty()) {
            setPart("repo_url", std::string(kHub) + parts.organization + "/" + parts.name);
        }
    }

    void addList(std::string_view key, std::initializer_list<std::string_view> members) {
        std::vector<std::string> list;
        std::string from;
        for (const std::string_view member : members) {
            for (std::string& value : m_card.values(member)) {
                list.push_back(std::move(value));
                from = memberOf(kCard, member);
            }
        }
        if (!list.empty()) {
            m_keys.set(key, OwnedValue::strings(list), from);
        }
    }

    const SourceFolder& m_source;
    const GeneralOptions& m_options;
    Card m_card;
    KeyList m_keys;
    std::map<std::string, Found, std::less<>> m_texts; // by the part of the key after "general."
};

} // namespace

void ParameterCounts::add(std::string_view name, std::span<const std::uint64_t> shape) {
    std::uint64_t size = 1;
    for (const std::uint64_t length : shape) {
        size *= length;
    }
    total += size;
    constexpr std::size_t kExperts = 2; // the dimension; biases have fewer and are counted whole
    if (name.find("_exps.") == name.npos || shape.size() <= kExperts || shape[kExperts] == 0) {
        shared += size;
        return;
    }
    perExpert += size / shape[kExperts];
    expertSum += shape[kExperts];
    ++expertTensors;
}

std::string sizeLabel(const ParameterCounts& counts) {
    struct ScaleRow {
        double factor;
        char suffix;
    };
    constexpr auto kScales = std::to_array<ScaleRow>({{1e12, 'T'}, {1e9, 'B'}, {1e6, 'M'}});
    const std::uint64_t experts = counts.experts();
    const auto weights = static_cast<double>(experts > 0 ? counts.shared + counts.perExpert : counts.total);
    const auto* scale = std::ranges::find_if(kScales, [&](const ScaleRow& row) { return weights > row.factor; });
    const double scaled = weights / (scale == kScales.end() ? 1e3 : scale->factor);
    const char suffix = scale == kScales.end() ? 'K' : scale->suffix;
    // At least two digits are shown.
    const int decimals = std::nearbyint(scaled) >= 10 ? 0 : std::nearbyint(scaled) >= 1 ? 1 : 2;
    char text[64];
    std::snprintf(text, sizeof text, "%.*f%c", decimals, scaled, suffix);
    return experts > 0 ? std::to_string(experts) + "x" + text : text;
}

std::vector<PlannedKey> planGeneralKeys(const SourceFolder& source, const GeneralOptions& options) {
    return GeneralKeys(source, options).plan();
}

} // namespace gufo::convert
