#include "convert/vocabulary/special_tokens.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace gufo::convert {
namespace {

using Kind = JsonValue::Kind;

constexpr std::string_view kConfigFile = "tokenizer_config.json";
constexpr std::string_view kPostProcessor = "tokenizer.json:post_processor";

struct RoleRow {
    std::string_view name; // as in "bos_token" and "bos_token_id"
    std::string_view key;  // of the id; empty: GGUF has none
};
constexpr auto kRoles = std::to_array<RoleRow>({
    {"bos", "tokenizer.ggml.bos_token_id"},
    {"eos", "tokenizer.ggml.eos_token_id"},
    {"unk", "tokenizer.ggml.unknown_token_id"},
    {"sep", "tokenizer.ggml.seperator_token_id"}, // spelled so by the specification
    {"pad", "tokenizer.ggml.padding_token_id"},
    {"cls", ""}, // runtimes use bos, which takes its text from cls
    {"mask", "tokenizer.ggml.mask_token_id"},
    {"eot", "tokenizer.ggml.eot_token_id"},
    {"eom", "tokenizer.ggml.eom_token_id"},
    {"fim_pre", "tokenizer.ggml.fim_pre_token_id"}, // around a gap that is filled in
    {"fim_suf", "tokenizer.ggml.fim_suf_token_id"},
    {"fim_mid", "tokenizer.ggml.fim_mid_token_id"},
    {"fim_sep", "tokenizer.ggml.fim_sep_token_id"}, // between files
});
constexpr auto kAddedRoles = std::to_array<std::string_view>({"bos", "eos", "sep"});

const JsonValue* member(const JsonValue* object, std::string_view name) {
    return object == nullptr ? nullptr : object->find(name);
}

std::string text(const JsonValue* value) { return value != nullptr && value->is(Kind::String) ? value->text : ""; }

// The special token that an item of a template stands for; empty if it is a sequence.
std::string specialOf(const JsonValue& item) { return text(member(item.find("SpecialToken"), "id")); }
std::string sequenceOf(const JsonValue& item) { return text(member(item.find("Sequence"), "id")); }

std::string inConfig(std::string_view name) { return memberOf(kConfigFile, name); }

class SpecialTokens {
public:
    SpecialTokens(KeyList& keys, FindingList& findings, const SpecialTokenSources& sources)
        : m_keys(keys)
        , m_findings(findings)
        , m_sources(sources) {
        for (std::size_t i = 0; i < kFixedRoles; ++i) {
            m_roles.push_back(kRoles[i].name);
        }
    }

    void add() {
        readTexts();
        if (m_sources.tokenizer != nullptr) {
            // Tokens that no template adds are not added.
            m_added["bos"] = {false, std::string(kPostProcessor)};
            m_added["eos"] = {false, std::string(kPostProcessor)};
            readPostProcessor(m_sources.tokenizer->postProcessor);
        }
        addIds();
        addFlags();
    }

private:
    static constexpr std::size_t kFixedRoles = 7; // the roles that need no reason

    // A token is written as its text or as an object that contains it.
    void readTexts() {
        for (const std::string_view role : m_roles) {
            const JsonValue* entry = member(m_sources.tokenizerConfig, std::string(role) + "_token");
            m_texts[std::string(role)] =
                entry != nullptr && entry->is(Kind::Object) ? text(entry->find("content")) : text(entry);
        }
        for (const auto& [role, content] : m_sources.defaults.texts) {
            std::string& known = m_texts[std::string(role)];
            known = known.empty() ? std::string(content) : known;
        }
        if (m_sources.tokenizer == nullptr && m_sources.defaults.texts.empty()) {
            return;
        }
        if (m_texts["bos"].empty()) {
            m_texts["bos"] = m_texts["cls"];
        }
        if (m_texts["eos"].empty()) {
            m_texts["eos"] = m_texts["sep"];
        }
    }

    void readPostProcessor(const JsonValue& node) {
        const JsonValue* inner = node.find("processors");
        if (inner != nullptr) {
            for (const JsonValue& processor : inner->elements) {
                readProcessor(processor);
            }
        } else {
            readProcessor(node);
        }
    }

    void readProcessor(const JsonValue& node) {
        const std::string type = text(node.find("type"));
        if (type == "RobertaProcessing") {
            for (const std::string_view role : kAddedRoles) {
                setAdded(role, true);
            }
            takeFirst("cls", node.find("cls"));
            takeFirst("sep", node.find("sep"));
        } else if (type == "BertProcessing") {
            setAdded("bos", true);
            setAdded("eos", true);
            takeFirst("cls", node.find("cls"));
            takeFirst("sep", node.find("sep"));
        } else if (type == "TemplateProcessing") {
            readTemplate(node);
        }
    }

    // ["</s>", 2]
    void takeFirst(const std::string& role, const JsonValue* pair) {
        if (m_texts[role].empty() && pair != nullptr && !pair->elements.empty()) {
            m_texts[role] = text(&pair->elements.front());
        }
    }

    void readTemplate(const JsonValue& node) {
        const JsonValue* single = node.find("single");
        std::string first;
        std::string last;
        if (single != nullptr && single->elements.size() > 1) {
            first = specialOf(single->elements.front());
            last = specialOf(single->elements.back());
        }
        if (!first.empty()) {
            if (m_sources.tokenizerConfig == nullptr) {
                m_texts["bos"] = first;
            }
            setAdded("bos", first == m_texts["bos"] || first == m_texts["cls"]);
        }
        if (!last.empty()) {
            endWith(last);
        }
        if (const JsonValue* pair = node.find("pair")) {
            readPair(pair->elements, first, last);
        }
    }

    // The token that ends a text is eos. If the configuration names another one, that one ends a turn.
    void endWith(const std::string& last) {
        const std::string& stated = m_texts["eos"];
        if (m_sources.tokenizerConfig != nullptr && last != stated && !stated.empty()) {
            const std::string role = m_texts.contains("eot") ? "eom" : "eot";
            m_texts[role] = stated;
            m_roles.push_back(role == "eot" ? "eot" : "eom");
        }
        m_texts["eos"] = last;
        setAdded("eos", true);
    }

    // first A [separator [separator]] B last
    void readPair(std::span<const JsonValue> items, const std::string& first, const std::string& last) {
        if (!items.empty() && !first.empty() && specialOf(items.front()) == first) {
            items = items.subspan(1);
        }
        if (!items.empty() && !last.empty() && specialOf(items.back()) == last) {
            items = items.first(items.size() - 1);
        }
        if (items.size() < 3 || sequenceOf(items.front()) != "A" || sequenceOf(items.back()) != "B") {
            return;
        }
        items = items.subspan(1, items.size() - 2);
        const auto separates = [&](const JsonValue& item) {
            const std::string special = specialOf(item);
            return !special.empty() && (special == m_texts["sep"] || special == m_texts["eos"]);
        };
        // A single separator after a text that has an end token is that end token.
        const bool added = (separates(items[0]) && last.empty()) || (items.size() == 2 && separates(items[1]));
        setAdded("sep", added);
        if (added && m_texts["sep"].empty()) {
            m_texts["sep"] = m_texts["eos"];
        }
    }

    void setAdded(std::string_view role, bool added) { m_added[role] = {added, std::string(kPostProcessor)}; }

    void addIds() {
        for (const std::string_view role : m_roles) {
            const std::string& content = m_texts[std::string(role)];
            if (m_sources.tokenizer == nullptr || content.empty()) {
                continue;
            }
            const auto& added = m_sources.tokenizer->added;
            const auto token = std::ranges::find(added, content, &AddedToken::text);
            if (token != added.end()) {
                addSpecialToken(m_keys, m_findings, role, token->id, m_sources.tokens,
                                inConfig(std::string(role) + "_token"));
            }
        }
        for (const std::string_view role : m_roles) {
            const auto id = m_sources.source.find(std::string(role) + "_token_id");
            if (const auto number = id ? id->natural() : std::nullopt) {
                addSpecialToken(m_keys, m_findings, role, *number, m_sources.tokens, id->from);
            }
        }
        // A list of end tokens in config.json does not say which of them is the usual one, but the text does.
        for (const std::string_view role : m_roles) {
            const bool always = role == "bos" || role == "eos" || !m_sources.defaults.texts.empty();
            if (!always) {
                continue;
            }
            const std::string& content = m_texts[std::string(role)];
            const auto id = content.empty() ? std::nullopt : m_sources.tokens.find(content);
            if (id) {
                addSpecialToken(m_keys, m_findings, role, *id, m_sources.tokens,
                                inConfig(std::string(role) + "_token"));
            }
        }
        for (const auto& [role, content] : m_sources.defaults.further) {
            if (const auto id = m_sources.tokens.find(content)) {
                addSpecialToken(m_keys, m_findings, role, *id, m_sources.tokens, {});
            }
        }
    }

    void addFlags() {
        for (const std::string_view role : kAddedRoles) {
            const std::string name = "add_" + std::string(role) + "_token";
            const JsonValue* stated = member(m_sources.tokenizerConfig, name);
            const auto derived = m_added.find(role);
            const std::string key = "tokenizer.ggml." + name;
            if (stated != nullptr && stated->isBool()) {
                m_keys.setFlag(key, stated->is(Kind::True), inConfig(name));
            } else if (derived != m_added.end()) {
                m_keys.setFlag(key, derived->second.added, derived->second.from);
            } else if (const auto other = byDefault(role)) {
                m_keys.setFlag(key, *other, {});
            }
        }
    }

    [[nodiscard]] std::optional<bool> byDefault(std::string_view role) const {
        return role == "bos" ? m_sources.defaults.addBos : role == "eos" ? m_sources.defaults.addEos : std::nullopt;
    }

    struct Added {
        bool added = false;
        std::string from;
    };

    KeyList& m_keys;
    FindingList& m_findings;
    const SpecialTokenSources& m_sources;
    std::vector<std::string_view> m_roles;
    std::map<std::string, std::string> m_texts; // by role
    std::map<std::string_view, Added> m_added;  // by role
};

void addFlag(KeyList& keys, std::string_view name, bool on, bool wordPiece) {
    if (on || wordPiece) {
        keys.setFlag("tokenizer.ggml.normalizer." + std::string(name), on, "tokenizer.json:normalizer");
    }
}

} // namespace

SpecialTokenDefaults mistralSpecialTokens() {
    return {.texts = {{"bos", "<s>"}, {"eos", "</s>"}, {"unk", "<unk>"}, {"pad", "<pad>"}},
            .addBos = true,
            .addEos = false};
}

void addSpecialToken(KeyList& keys, FindingList& findings, std::string_view role, std::uint64_t id,
                     const TokenTable& tokens, std::string from) {
    const auto* row = std::ranges::find(kRoles, role, &RoleRow::name);
    if (row == kRoles.end() || row->key.empty() || keys.has(row->key)) {
        return;
    }
    if (id >= tokens.size()) {
        findings.add(FindingCode::TokenIdUnusable, Place::key(std::string(row->key)), {id, tokens.size()});
        return;
    }
    keys.set(row->key, Value(static_cast<std::uint32_t>(id)), std::move(from));
}

void addSpecialTokens(KeyList& keys, FindingList& findings, const SpecialTokenSources& sources) {
    SpecialTokens(keys, findings, sources).add();
}

void addNormalizerKeys(KeyList& keys, const JsonValue& normalizer, bool wordPiece) {
    const std::string type = text(normalizer.find("type"));
    if (type == "Sequence") {
        if (const JsonValue* inner = normalizer.find("normalizers")) {
            for (const JsonValue& node : inner->elements) {
                addNormalizerKeys(keys, node, wordPiece);
            }
        }
    } else if (type == "NFC") {
        addFlag(keys, "nfc", true, wordPiece);
    } else if (type == "Lowercase") {
        addFlag(keys, "lowercase", true, wordPiece);
    } else if (type == "StripAccents") {
        addFlag(keys, "strip_accents", true, wordPiece);
    } else if (type == "BertNormalizer") {
        const JsonValue* lower = normalizer.find("lowercase");
        addFlag(keys, "lowercase", lower == nullptr || !lower->is(Kind::False), wordPiece);
        if (const JsonValue* accents = normalizer.find("strip_accents"); accents != nullptr && accents->isBool()) {
            addFlag(keys, "strip_accents", accents->is(Kind::True), wordPiece);
        }
    }
}

} // namespace gufo::convert
