#include "convert/model_facts.h"

#include "convert/architecture.h"

namespace gufo::convert {

ModelFacts::ModelFacts(const SourceFolder& source)
    : m_source(source)
    , m_blocks(number(kBlockNames))
    , m_heads(number(kHeadNames))
    , m_kvHeads(number(kKvHeadNames))
    , m_hidden(number(kHiddenNames))
    , m_headWidth(number(kHeadWidthNames))
    , m_experts(number(kExpertNames))
    , m_draftBlocks(number(kDraftBlockNames)) {
    const auto firstOf = [](const JsonValue* classes) {
        return classes != nullptr && !classes->elements.empty() ? classes->elements.front().text : std::string();
    };
    const auto classes = source.find("architectures");
    m_class = firstOf(classes ? classes->value : nullptr);
    m_classFrom = classes ? classes->from : std::string(source.configName());
    m_outerClass = firstOf(source.config().find("architectures"));
    if (m_class.empty() && m_outerClass.empty()) {
        takeClassOfType();
    }
    m_kvHeads = m_kvHeads == 0 ? m_heads : m_kvHeads;
    m_headWidth = m_headWidth == 0 && m_heads != 0 ? m_hidden / m_heads : m_headWidth;
}

// Of the text model if its type is known, or else of the whole.
void ModelFacts::takeClassOfType() {
    constexpr std::string_view kType = "model_type";
    const bool embeds = m_source.file("modules.json").value_or(std::nullopt).has_value();
    const auto inner = m_source.find(kType);
    const JsonValue* outer = m_source.config().find(kType);
    if (inner) {
        m_class = classOfType(inner->string().value_or(""), embeds);
        m_classFrom = inner->from;
    }
    if (m_class.empty() && outer != nullptr) {
        m_class = classOfType(outer->text, embeds);
        m_classFrom = std::string(m_source.configName()) + ":" + std::string(kType);
    }
}

std::optional<Setting> ModelFacts::find(const SettingNames& names) const {
    for (const std::string_view name : names) {
        if (name.empty()) {
            break;
        }
        if (auto setting = m_source.find({name})) {
            return setting;
        }
    }
    return std::nullopt;
}

std::uint64_t ModelFacts::number(const SettingNames& names) const {
    const auto setting = find(names);
    return setting ? setting->natural().value_or(0) : 0;
}

std::string ModelFacts::ropeScaling() const {
    auto type = findScaling(*this, "rope_type");
    type = type ? type : findScaling(*this, "type");
    const std::string name(type ? type->string().value_or("") : "");
    return name == "default" ? std::string() : name;
}

std::optional<Setting> findScaling(const ModelFacts& facts, std::string_view member) {
    const std::string older = "rope_scaling." + std::string(member);
    const std::string full = "rope_parameters.full_attention." + std::string(member);
    const std::string newer = "rope_parameters." + std::string(member);
    return facts.source().find({std::string_view(older), std::string_view(full), std::string_view(newer)});
}

} // namespace gufo::convert
