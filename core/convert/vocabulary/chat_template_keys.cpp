#include "convert/vocabulary/chat_template_keys.h"

#include "base/ascii.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace gufo::convert {
namespace {

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

} // namespace

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

} // namespace gufo::convert
