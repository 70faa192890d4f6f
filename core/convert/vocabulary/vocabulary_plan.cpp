#include "convert/vocabulary/vocabulary_plan.h"

#include "base/ascii.h"
#include "convert/source_folder.h"
#include "convert/vocabulary/key_list.h"
#include "convert/vocabulary/special_tokens.h"
#include "convert/vocabulary/vocabulary_draft.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <span>

namespace gufo::convert {
namespace {

// The chat templates of a folder: a file of its own, or a member of tokenizer_config.json, and templates for other
// purposes, which have names.

// Sets tokenizer.chat_template.NAME, tokenizer.chat_templates and tokenizer.chat_template. `tokenizerConfig` may be
// null. `ranking` is the template by which a reranker reads a query and a text, unless it is empty or the folder has
// one. Errors: the errors of reading the files.
[[nodiscard]] Result<> addChatTemplates(KeyList& keys, const SourceFolder& source, const JsonValue* tokenizerConfig,
                                        std::string_view ranking = {});

namespace fs = std::filesystem;
using Kind = JsonValue::Kind;

constexpr std::uint64_t kMaxTemplateBytes = 4U << 20U;
constexpr std::string_view kDefault = "default";
constexpr std::string_view kRanking = "rerank";
constexpr std::string_view kFolder = "additional_chat_templates";
constexpr std::string_view kSuffix = ".jinja";
constexpr std::size_t kMaxTemplates = 64;

struct Template {
    std::string name;
    std::string text;
    std::string from;
};

Result<> readFile(std::vector<Template>& templates, const SourceFolder& source, std::string name,
                  const std::string& file) {
    auto text = GUFO_TRY(source.file(file, kMaxTemplateBytes));
    if (text) {
        templates.push_back({std::move(name), std::string(text->text), file});
    }
    return {};
}

// The names of the templates beside the default one, without their suffix.
std::vector<std::string> additionalNames(const SourceFolder& source) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(source.folder() / kFolder, error), end;
         !error && it != end && names.size() < kMaxTemplates; it.increment(error)) {
        const std::string name = it->path().filename().native();
        if (name.ends_with(kSuffix) && name.size() > kSuffix.size()) {
            names.push_back(name.substr(0, name.size() - kSuffix.size()));
        }
    }
    std::ranges::sort(names);
    return names;
}

// A text, or a list of objects with a name and a template.
void takeValue(std::vector<Template>& templates, const JsonValue* value, const std::string& from) {
    if (value != nullptr && value->is(Kind::String)) {
        templates.push_back({std::string(kDefault), value->text, from});
    }
    if (value == nullptr || !value->is(Kind::Array)) {
        return;
    }
    for (const JsonValue& choice : value->elements) {
        const JsonValue* name = choice.find("name");
        const JsonValue* text = choice.find("template");
        if (name != nullptr && text != nullptr && text->is(Kind::String)) {
            templates.push_back({name->text, text->text, from});
        }
    }
}

Result<std::vector<Template>> readTemplates(const SourceFolder& source, const JsonValue* tokenizerConfig) {
    std::vector<Template> templates;
    GUFO_TRY(readFile(templates, source, std::string(kDefault), "chat_template.jinja"));
    if (!templates.empty()) {
        for (const std::string& name : additionalNames(source)) {
            std::string file(kFolder);
            file.append("/").append(name).append(kSuffix);
            GUFO_TRY(readFile(templates, source, name, file));
        }
        return templates;
    }
    const auto file = GUFO_TRY(source.json("chat_template.json"));
    if (file) {
        takeValue(templates, file->find("chat_template"), "chat_template.json");
    }
    if (templates.empty() && tokenizerConfig != nullptr) {
        takeValue(templates, tokenizerConfig->find("chat_template"), "tokenizer_config.json:chat_template");
    }
    return templates;
}

// The name of a template becomes part of a key.
std::string keyPart(std::string name) {
    std::ranges::replace_if(name, [](char c) { return !isAsciiLetterOrDigit(static_cast<unsigned char>(c)); }, '_');
    return name;
}

Result<> addChatTemplates(KeyList& keys, const SourceFolder& source, const JsonValue* tokenizerConfig,
                          std::string_view ranking) {
    auto templates = GUFO_TRY(readTemplates(source, tokenizerConfig));
    if (!ranking.empty() && std::ranges::find(templates, kRanking, &Template::name) == templates.end()) {
        templates.push_back({std::string(kRanking), std::string(ranking), {}});
    }
    std::set<std::string> names;
    std::string from;
    const Template* main = nullptr;
    for (const Template& row : templates) {
        const std::string name = keyPart(row.name);
        if (name == kDefault) {
            main = &row;
        } else if (!name.empty()) {
            keys.setText("tokenizer.chat_template." + name, row.text, row.from);
            names.insert(name);
            from = row.from;
        }
    }
    if (!names.empty()) {
        const std::vector<std::string> list(names.begin(), names.end());
        keys.set("tokenizer.chat_templates", OwnedValue::strings(list), from);
    }
    if (main != nullptr) {
        keys.setText("tokenizer.chat_template", main->text, main->from);
    }
    return {};
}

// Keys with constant values that the converters of some architectures write, before or after the others.
struct FlagRow {
    std::string_view architecture;
    std::string_view key;
    bool value;
};
constexpr auto kFirstFlags = std::to_array<FlagRow>({
    {"phi2", "tokenizer.ggml.add_bos_token", false},
    {"modern-bert", "tokenizer.ggml.add_bos_token", true},
    {"modern-bert", "tokenizer.ggml.add_eos_token", true},
    {"modern-bert", "tokenizer.ggml.add_sep_token", true},
});
constexpr auto kLastFlags = std::to_array<FlagRow>({
    {"gemma", "tokenizer.ggml.add_space_prefix", false},
    {"gemma2", "tokenizer.ggml.add_space_prefix", false},
    {"gemma3", "tokenizer.ggml.add_space_prefix", false},
    {"gemma3n", "tokenizer.ggml.add_space_prefix", false},
    {"gemma-embedding", "tokenizer.ggml.add_space_prefix", false},
    {"gemma4", "tokenizer.ggml.add_space_prefix", false},
    {"gemma4", "tokenizer.ggml.add_bos_token", true},
});

// Tokens that end a turn and the like, which no file of these architectures names.
struct TokenRow {
    std::string_view architecture;
    SpecialTokenDefaults::RoleText token;
};
constexpr auto kTokens = std::to_array<TokenRow>({
    {"chatglm", {"eot", "<|user|>"}},
    {"chatglm", {"unk", "<|endoftext|>"}},
    {"glm4", {"eot", "<|user|>"}},
    {"glm4", {"unk", "<|endoftext|>"}},
});
// No file of these models states its special tokens. The number of tokens tells these models apart from others of the
// LLaMA architecture.
struct SizedTokenRow {
    std::uint64_t tokens; // of the vocabulary
    std::string_view role;
    std::uint64_t id;
};
constexpr auto kSizedTokens = std::to_array<SizedTokenRow>({
    {32'016, "fim_pre", 32'007}, // Code Llama
    {32'016, "fim_suf", 32'008},
    {32'016, "fim_mid", 32'009},
    {32'016, "eot", 32'010},
});
// CodeGemma's, which no file names. The other models of its architecture have unused tokens in their places.
constexpr auto kGemmaInfill = std::to_array<SpecialTokenDefaults::RoleText>({
    {"fim_pre", "<|fim_prefix|>"},
    {"fim_suf", "<|fim_suffix|>"},
    {"fim_mid", "<|fim_middle|>"},
    {"fim_sep", "<|file_separator|>"},
});
constexpr std::uint64_t kWithoutBos = 49'152; // the first Granite models
constexpr std::string_view kGemmaTurnEnd = "<end_of_turn>";
constexpr std::uint64_t kGemmaTurnEndId = 107; // in all its vocabularies

// The architectures whose configuration of the tokenizer says whether a space is put before a text.
constexpr auto kSpacePrefixStated = std::to_array<std::string_view>({"llama", "granite", "granitemoe", "smollm3"});

constexpr std::string_view kSpacePrefixKey = "tokenizer.ggml.add_space_prefix";
constexpr std::string_view kTypeCountKey = "tokenizer.ggml.token_type_count";

void addFlags(KeyList& keys, std::span<const FlagRow> flags, std::string_view architecture) {
    for (const FlagRow& flag : flags) {
        if (flag.architecture == architecture) {
            keys.setFlag(flag.key, flag.value, {});
        }
    }
}

class Planner {
public:
    Planner(const SourceFolder& source, const VocabularyOptions& options, const JobContext& job)
        : m_source(source)
        , m_options(options)
        , m_job(job) {}

    Result<VocabularyPlan> plan() {
        m_files = GUFO_TRY(readVocabularyFiles(m_source, m_job));
        if (!m_files.hasTokenizer() && !m_files.hasList()) {
            m_findings.add(FindingCode::TokenizerMissing);
            return VocabularyPlan{.keys = {}, .tokens = 0, .findings = std::move(m_findings).take()};
        }
        const DraftContext context{m_files, rows(), m_options.architecture, m_findings, m_source.isMistralFormat()};
        const bool fromPieces = m_files.pieces && !(m_files.tokenizer && isByteLevel(*m_files.tokenizer));
        auto draft = GUFO_TRY(fromPieces          ? draftOfPieces(context)
                              : m_files.tokenizer ? draftOfTokenizerJson(context)
                                                  : draftOfList(context, m_job));
        for (const auto& [architecture, token] : kTokens) {
            if (architecture == m_options.architecture) {
                draft.specials.further.push_back(token);
            }
        }
        GUFO_TRY(addKeys(draft));
        return VocabularyPlan{
            .keys = std::move(m_keys).take(), .tokens = draft.tokens.size(), .findings = std::move(m_findings).take()};
    }

private:
    [[nodiscard]] std::optional<std::uint64_t> rows() const {
        if (m_options.embeddingRows) {
            return m_options.embeddingRows;
        }
        const auto stated = m_source.find("vocab_size");
        return stated ? stated->natural() : std::nullopt;
    }

    void addTypeCount() {
        const auto stated = m_source.find("type_vocab_size");
        const auto count = stated ? stated->natural() : std::nullopt;
        m_keys.set(kTypeCountKey, Value(static_cast<std::uint32_t>(count.value_or(1))),
                   count ? stated->from : std::string());
    }

    Result<> addKeys(const VocabularyDraft& draft) {
        addFlags(m_keys, kFirstFlags, m_options.architecture);
        if (draft.model == "bert") {
            addTypeCount();
        }
        m_keys.setText("tokenizer.ggml.model", draft.model, draft.from);
        if (!draft.pre.empty()) {
            const bool recognised = draft.model == "gpt2" && draft.from == "tokenizer.json";
            m_keys.setText("tokenizer.ggml.pre", draft.pre,
                           recognised ? memberOf(draft.from, "pre_tokenizer") : std::string());
        }
        draft.tokens.addKeys(m_keys, draft.scores, draft.from);
        addNormalisation(draft);
        if (draft.mergeCount > 0) {
            m_keys.set("tokenizer.ggml.merges", draft.merges, draft.from);
        }
        const TokenizerJson* tokenizer = m_files.tokenizer ? &*m_files.tokenizer : nullptr;
        addSpecialTokens(m_keys, m_findings,
                         {.source = m_source,
                          .tokenizer = tokenizer,
                          .tokenizerConfig = m_files.config(),
                          .tokens = draft.tokens,
                          .defaults = draft.specials});
        GUFO_TRY(addChatTemplates(m_keys, m_source, m_files.config(), m_options.rankingTemplate));
        if (tokenizer != nullptr) {
            addNormalizerKeys(m_keys, tokenizer->normalizer, draft.model == "bert");
        }
        addLast(draft);
        return {};
    }

    void addNormalisation(const VocabularyDraft& draft) {
        if (draft.spacePrefix) {
            m_keys.setFlag(kSpacePrefixKey, *draft.spacePrefix, draft.from);
        }
        if (draft.model == "t5" && m_options.architecture == "bert") {
            addTypeCount();
        }
        if (draft.removeExtraWhitespaces) {
            m_keys.setFlag("tokenizer.ggml.remove_extra_whitespaces", *draft.removeExtraWhitespaces, draft.from);
        }
        if (!draft.charsmap.empty()) {
            const ArrayView view{.elementType = ValueType::UInt8,
                                 .length = draft.charsmap.size(),
                                 .bytes = std::as_bytes(std::span(draft.charsmap)),
                                 .layout = {}};
            m_keys.set("tokenizer.ggml.precompiled_charsmap", Value(view), draft.from);
        }
    }

    void addLast(const VocabularyDraft& draft) {
        const std::string_view architecture = m_options.architecture;
        if (architecture == "gemma") {
            const auto id = draft.tokens.find(kGemmaTurnEnd);
            addSpecialToken(m_keys, m_findings, "eot", id.value_or(kGemmaTurnEndId), draft.tokens, draft.from);
            for (const auto& [role, text] : kGemmaInfill) {
                if (const auto infill = draft.tokens.find(text)) {
                    addSpecialToken(m_keys, m_findings, role, *infill, draft.tokens, draft.from);
                }
            }
        }
        if (architecture == "llama") {
            for (const SizedTokenRow& token : kSizedTokens) {
                if (token.tokens == draft.tokens.size()) {
                    addSpecialToken(m_keys, m_findings, token.role, token.id, draft.tokens, draft.from);
                }
            }
            if (draft.tokens.size() == kWithoutBos) {
                m_keys.setFlag("tokenizer.ggml.add_bos_token", false, {});
            }
        }
        if (draft.model == "gpt2" && architecture == "bert") {
            addTypeCount();
        }
        const JsonValue* config = m_files.config();
        const JsonValue* stated = config == nullptr ? nullptr : config->find("add_prefix_space");
        if (std::ranges::find(kSpacePrefixStated, architecture) != kSpacePrefixStated.end() && stated != nullptr &&
            stated->isBool()) {
            m_keys.setFlag(kSpacePrefixKey, stated->is(JsonValue::Kind::True),
                           "tokenizer_config.json:add_prefix_space");
        }
        addFlags(m_keys, kLastFlags, architecture);
    }

    const SourceFolder& m_source;
    const VocabularyOptions& m_options;
    const JobContext& m_job;
    VocabularyFiles m_files;
    KeyList m_keys;
    FindingList m_findings;
};

} // namespace

Result<VocabularyPlan> planVocabulary(const SourceFolder& source, const VocabularyOptions& options,
                                      const JobContext& job) {
    return Planner(source, options, job).plan();
}

} // namespace gufo::convert
