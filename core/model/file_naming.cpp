#include "model/file_naming.h"

#include "base/ascii.h"
#include "model/file_kind.h"
#include "model/file_type.h"
#include "model/model.h"
#include "tensor/tensor_type.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

namespace gufo {
namespace {

constexpr bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool isWord(char c) { return isAsciiLetterOrDigit(c) || c == '_'; }
constexpr bool isPlain(char c) { return isAsciiLetterOrDigit(c) || isSpace(c); }

using Words = std::span<const std::string_view>;

// Takes a decimal number from the front of `text`. Returns nothing if there are no digits.
std::optional<double> takeDecimal(std::string_view& text) {
    std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
    if (length == 0) {
        return std::nullopt;
    }
    if (length + 1 < text.size() && text[length] == '.' && isAsciiDigit(text[length + 1])) {
        length = std::min(text.find_first_not_of("0123456789", length + 1), text.size());
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + length, value, std::chars_format::fixed);
    text.remove_prefix(length);
    return error == std::errc() ? std::optional(value) : std::nullopt;
}

struct Size {
    double experts = 1;
    double count = 0;
    char scale = 0; // the letter as written
};

// Parses the first word of a size label: "8x7B", "0.5B", "7b".
std::optional<Size> parseSize(std::string_view word) {
    Size size;
    std::string_view rest = word;
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (digits != 0 && digits + 1 < rest.size() && rest[digits] == 'x') {
        size.experts = takeDecimal(rest).value_or(1);
        rest.remove_prefix(1);
    }
    const auto count = takeDecimal(rest);
    if (!count || rest.size() != 1 || !isAsciiLetter(rest[0])) {
        return std::nullopt;
    }
    size.count = *count;
    size.scale = rest[0];
    return size;
}

// The factor that a scale letter denotes, or 0 for other letters. A small k is not one, because "4k" in a name is a
// context length; neither is a small q.
double scaleOf(char letter) {
    switch (letter) {
    case 'K':
        return 1e3;
    case 'M':
    case 'm':
        return 1e6;
    case 'B':
    case 'b':
        return 1e9;
    case 'T':
    case 't':
        return 1e12;
    case 'Q':
        return 1e15;
    default:
        return 0;
    }
}

// Whether the word may follow a size: "ContextLength4k", "A3B".
bool isSizeAttribute(std::string_view word) {
    const std::size_t letters =
        std::min(static_cast<std::size_t>(std::ranges::find_if_not(word, isAsciiLetter) - word.begin()), word.size());
    std::string_view rest = word.substr(letters);
    return letters != 0 && takeDecimal(rest) && !rest.empty() && std::ranges::all_of(rest, isAsciiLetter);
}

// "v1", "v0.1.2"
bool isVersion(std::string_view word) {
    if (word.size() < 2 || word[0] != 'v') {
        return false;
    }
    bool digitBefore = false;
    for (const char c : word.substr(1)) {
        if (!isAsciiDigit(c) && !(c == '.' && digitBefore)) {
            return false;
        }
        digitBefore = isAsciiDigit(c);
    }
    return digitBefore;
}

bool isType(std::string_view word) { return word == "LoRA" || word == "vocab"; }

bool isEncodingWord(std::string_view word) {
    return !word.empty() && !word.starts_with("LoRA") && !word.starts_with("vocab") &&
           std::ranges::all_of(word, isWord);
}

// Whether the word names an encoding regardless of its context: a tensor type, a mix of types ("Q4_K_M", "IQ3_XXS",
// "KQ2") or a float format.
bool isKnownEncoding(std::string_view word) {
    if (findTensorType(word) != nullptr) {
        return true;
    }
    std::string text(word);
    std::ranges::transform(text, text.begin(), asciiUpper);
    constexpr auto kOthers = std::to_array<std::string_view>({"FP16", "FP32", "FP8", "MXFP4_MOE", "Q4_1_SOME_F16"});
    if (std::ranges::find(kOthers, text) != kOthers.end()) {
        return true;
    }
    std::string_view rest = text;
    for (const std::string_view start : {"IQ", "TQ", "KQ", "Q"}) {
        if (rest.starts_with(start)) {
            rest.remove_prefix(start.size());
            return !rest.empty() && isAsciiDigit(rest[0]) && (rest.size() == 1 || rest[1] == '_') &&
                   std::ranges::all_of(rest, isWord);
        }
    }
    return false;
}

std::optional<std::uint32_t> shardNumber(std::string_view word) {
    std::uint32_t value = 0;
    const bool digits = word.size() == 5 && std::ranges::all_of(word, isAsciiDigit);
    return digits && std::from_chars(word.data(), word.data() + 5, value).ec == std::errc() ? std::optional(value)
                                                                                            : std::nullopt;
}

std::string join(Words words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        text.append(i != 0 ? "-" : "").append(words[i]);
    }
    return text;
}

std::vector<std::string_view> splitAt(std::string_view text, char separator) {
    std::vector<std::string_view> words;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(separator, start), text.size());
        words.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return words;
}

// Whether the word may continue a base name: letters, digits and spaces, and after a leading digit no letters.
bool isBaseWord(std::string_view word) {
    return std::ranges::all_of(word, isPlain) &&
           (word.empty() || isAsciiLetter(word[0]) || isSpace(word[0]) ||
            std::ranges::all_of(word, [](char c) { return isAsciiDigit(c) || isSpace(c); }));
}

// Parses the words between sidecar and shard like the specification's regular expression. No backtracking is needed,
// because no word can be part of a base name and also a size.
bool parseConforming(Words words, FileNaming& naming) {
    if (!std::ranges::all_of(words[0], isPlain)) {
        return false;
    }
    std::size_t size = 1;
    while (size < words.size() && isBaseWord(words[size])) {
        ++size;
    }
    const bool hasSize = size < words.size() && parseSize(words[size]);
    std::size_t afterSize = size + 1;
    if (hasSize && afterSize < words.size() && isSizeAttribute(words[afterSize]) && !isVersion(words[afterSize])) {
        ++afterSize;
    }
    // The version is the last word that can be one: only an encoding and a type may follow it.
    for (std::size_t version = words.size(); version-- > 1;) {
        const Words after = words.subspan(version + 1);
        const bool tail = after.empty() || (after.size() == 1 && (isEncodingWord(after[0]) || isType(after[0]))) ||
                          (after.size() == 2 && isEncodingWord(after[0]) && isType(after[1]));
        if (!isVersion(words[version]) || !tail) {
            continue;
        }
        if (hasSize && version >= afterSize) {
            const Words fineTune = words.subspan(afterSize, version - afterSize);
            if (!std::ranges::all_of(fineTune, [](auto word) { return std::ranges::all_of(word, isPlain); })) {
                continue;
            }
            naming.baseName = join(words.first(size));
            naming.sizeLabel = join(words.subspan(size, afterSize - size));
            naming.fineTune = join(fineTune);
        } else if (!hasSize && version <= size && version >= 2 && words[version - 1].empty()) {
            // Without a size the expression still requires its hyphen: "Name--v1.0".
            naming.baseName = join(words.first(version - 1));
        } else {
            continue;
        }
        naming.version = words[version];
        for (const std::string_view word : after) {
            (isType(word) ? naming.type : naming.encoding) = word;
        }
        return true;
    }
    return false;
}

// Parses a name that does not conform; each part is recognised by its form alone.
void parseLoosely(std::vector<std::string_view> words, FileNaming& naming) {
    // In "Name.Q4_K_M.gguf" the encoding follows a dot.
    const std::string_view last = words.back();
    const std::size_t dot = last.rfind('.');
    if (dot != std::string_view::npos && isKnownEncoding(last.substr(dot + 1))) {
        naming.encoding = last.substr(dot + 1);
        words.back() = last.substr(0, dot);
    }
    const auto takeLast = [&](std::string& part, auto&& is) {
        if (part.empty() && words.size() > 1 && is(words.back())) {
            part = words.back();
            words.pop_back();
        }
    };
    takeLast(naming.type, isType);
    takeLast(naming.encoding, isKnownEncoding);
    takeLast(naming.version, isVersion);

    const auto isSizeWord = [](std::string_view word) {
        const auto size = parseSize(word);
        return size && scaleOf(size->scale) != 0;
    };
    const Words all(words);
    const auto size = std::ranges::find_if(all.begin() + 1, all.end(), isSizeWord);
    if (size == all.end()) {
        naming.baseName = join(all);
        return;
    }
    const auto before = static_cast<std::size_t>(size - all.begin());
    const bool attribute = before + 1 < all.size() && isSizeAttribute(all[before + 1]) && !isVersion(all[before + 1]);
    const std::size_t after = before + (attribute ? 2 : 1);
    naming.baseName = join(all.first(before));
    naming.sizeLabel = join(all.subspan(before, after - before));
    naming.fineTune = join(all.subspan(after));
}

// A part of a name: words joined by hyphens, without what file systems and shells do not like.
std::string part(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (isAsciiLetterOrDigit(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '+') {
            result += c;
        } else if (!result.empty() && result.back() != '-') {
            result += '-';
        }
    }
    while (!result.empty() && (result.back() == '-' || result.back() == '.')) {
        result.pop_back();
    }
    return result;
}

std::string textOf(const Model& model, std::string_view key) {
    return part(model.metadata.string(key).value_or(std::string_view()));
}

// Two digits of a number of weights and its letter: "1.4M", "70B".
std::string rounded(double count) {
    struct ScaleRow {
        double factor;
        char letter;
    };
    constexpr auto kScales = std::to_array<ScaleRow>({{1e12, 'T'}, {1e9, 'B'}, {1e6, 'M'}, {1e3, 'K'}});
    const auto* scale = std::ranges::find_if(kScales, [&](const ScaleRow& each) { return count >= each.factor; });
    scale = scale == kScales.end() ? &kScales.back() : scale;
    const double scaled = count / scale->factor;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), scaled < 9.95 ? "%.1f" : "%.0f", scaled);
    std::string label(text.data());
    if (label.ends_with(".0")) {
        label.resize(label.size() - 2);
    }
    return label + scale->letter;
}

std::string encodingOf(const Model& model) {
    const auto stated = model.metadata.uint("general.file_type");
    const FileTypeFact* fact = stated ? findFileType(*stated) : nullptr;
    const auto shares = model.typeShares();
    const auto holds = [&](std::uint32_t type) {
        return std::ranges::any_of(shares, [&](const Model::TypeShare& share) { return share.typeId == type; });
    };
    if (fact != nullptr && holds(fact->tensorType)) {
        return std::string(fact->name);
    }
    std::string type = shares.empty() ? std::string() : std::ranges::max(shares, {}, &Model::TypeShare::weights).name;
    std::ranges::transform(type, type.begin(), asciiUpper);
    return part(type);
}

void append(std::string& name, const std::string& next) {
    if (!next.empty()) {
        name += (name.empty() || name.ends_with('-') ? "" : "-") + next;
    }
}

} // namespace

FileNaming parseFileNaming(std::string_view fileName) {
    FileNaming naming;
    constexpr std::string_view kExtension = ".gguf";
    const bool extension = fileName.ends_with(kExtension);
    std::string_view stem = fileName.substr(0, fileName.size() - (extension ? kExtension.size() : 0));
    for (const std::string_view sidecar : {"mmproj-", "mtp-"}) {
        if (stem.starts_with(sidecar)) {
            naming.sidecar = sidecar.substr(0, sidecar.size() - 1);
            stem.remove_prefix(sidecar.size());
            break;
        }
    }
    std::vector<std::string_view> words = splitAt(stem, '-');
    if (words.size() > 3 && words[words.size() - 2] == "of") {
        naming.shard = shardNumber(words[words.size() - 3]);
        naming.shardCount = shardNumber(words.back());
        if (naming.shard && naming.shardCount) {
            words.resize(words.size() - 3);
        } else {
            naming.shard = naming.shardCount = std::nullopt;
        }
    }
    naming.conforms = extension && parseConforming(words, naming);
    if (!naming.conforms) {
        parseLoosely(std::move(words), naming);
    }
    return naming;
}

std::optional<double> sizeLabelParameters(std::string_view label) {
    const auto words = splitAt(label, '-');
    const auto size = parseSize(words.front());
    if (!size || scaleOf(size->scale) == 0 || !std::ranges::all_of(words.begin() + 1, words.end(), isSizeAttribute)) {
        return std::nullopt;
    }
    return size->experts * size->count * scaleOf(size->scale);
}

std::string sizeLabelOf(const Model& model) {
    double shared = 0;
    double ofExperts = 0;
    for (const TensorInfo& tensor : model.tensors) {
        const bool isExpert = tensor.name.find("_exps") != std::string_view::npos;
        (isExpert ? ofExperts : shared) += static_cast<double>(tensor.weights());
    }
    const auto experts = model.metadata.uint(model.metadata.architectureKey("expert_count")).value_or(0);
    if (experts > 1 && ofExperts > 0) {
        return std::to_string(experts) + "x" + rounded(shared + ofExperts / static_cast<double>(experts));
    }
    return rounded(shared + ofExperts);
}

std::optional<std::string> suggestedFileName(const Model& model) {
    const FileKind kind = fileKind(model);
    if (model.files.empty() || kind == FileKind::Imatrix) {
        return std::nullopt;
    }
    const FileNaming present = parseFileNaming(model.files[model.openedFile.value].path.filename().native());
    // The title may name more than the base: "Qwen3 8B Instruct".
    const FileNaming title = parseFileNaming(textOf(model, "general.name") + ".gguf");
    const auto first = [](std::initializer_list<std::string> texts) {
        const auto* found = std::ranges::find_if(texts, [](const std::string& text) { return !text.empty(); });
        return found != texts.end() ? *found : std::string();
    };
    const std::string base = first({textOf(model, "general.basename"), title.baseName, part(present.baseName)});
    if (base.empty()) {
        return std::nullopt;
    }
    std::string version = first({textOf(model, "general.version"), title.version, present.version, "v1.0"});
    if (isAsciiDigit(static_cast<unsigned char>(version.front()))) {
        version.insert(0, "v");
    }
    std::string name = kind == FileKind::Projector ? "mmproj-" : "";
    append(name, base);
    const std::string label = textOf(model, "general.size_label");
    append(name, sizeLabelParameters(label) ? label : sizeLabelOf(model));
    append(name, first({textOf(model, "general.finetune"), title.fineTune, part(present.fineTune)}));
    append(name, version);
    append(name, kind == FileKind::Vocabulary ? std::string() : encodingOf(model));
    append(name, kind == FileKind::Adapter ? "LoRA" : kind == FileKind::Vocabulary ? "vocab" : "");
    if (present.shard && present.shardCount) {
        std::array<char, 32> number{};
        std::snprintf(number.data(), number.size(), "-%05u-of-%05u", *present.shard, *present.shardCount);
        name += number.data();
    }
    return name + ".gguf";
}

} // namespace gufo
