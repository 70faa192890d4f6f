#include "convert/vocabulary/vocabulary_files.h"

#include "base/detail.h"

#include <algorithm>
#include <array>

namespace gufo::convert {
namespace {

constexpr auto kPieceFiles =
    std::to_array<std::string_view>({"tokenizer.model", "spiece.model", "sentencepiece.bpe.model"});
// Mistral's own format adds a version: "tokenizer.model.v3", "tokenizer.model.v7m1".
constexpr std::string_view kVersionedPieces = "tokenizer.model.v";
// The tag of the first piece, with which every file of SentencePiece begins. Files of other formats, such as the lists
// of tiktoken, are also named tokenizer.model.
constexpr char kPieceTag = '\x0A';

// Reads a file with `read(text)` into `to`, unless it is missing.
template<typename T, typename Read>
Result<> readInto(std::optional<T>& to, const SourceFolder& source, std::string_view name, const Read& read) {
    auto file = GUFO_TRY(source.file(name));
    if (!file) {
        return {};
    }
    auto value = read(file->text);
    if (!value) {
        return std::unexpected(std::move(value).error().in(file->source->path()));
    }
    if (const auto damage = file->source->damage()) {
        return std::unexpected(*damage);
    }
    to = *std::move(value);
    return {};
}

// The names of a folder's files that `wanted` accepts, sorted.
template<typename Wanted>
std::vector<std::string> namesIn(const std::filesystem::path& folder, const Wanted& wanted) {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        if (wanted(it->path().filename())) {
            names.push_back(it->path().filename().native());
        }
    }
    std::ranges::sort(names);
    return names;
}

Result<> readPieces(VocabularyFiles& files, const SourceFolder& source) {
    std::vector<std::string> names(kPieceFiles.begin(), kPieceFiles.end());
    const auto versioned = namesIn(
        source.folder(), [](const std::filesystem::path& name) { return name.native().starts_with(kVersionedPieces); });
    names.insert(names.end(), versioned.begin(), versioned.end());
    for (const std::string& name : names) {
        const auto start = GUFO_TRY(source.file(name));
        if (!start || !start->text.starts_with(kPieceTag)) {
            continue;
        }
        files.piecesFile = name;
        return readInto(files.pieces, source, name, readSentencePieceModel);
    }
    return {};
}

// The lists of tiktoken go by many names.
Result<> readRanked(VocabularyFiles& files, const SourceFolder& source) {
    std::vector<std::string> names{"tokenizer.model", "tiktoken.model"};
    const auto others =
        namesIn(source.folder(), [](const std::filesystem::path& name) { return name.extension() == ".tiktoken"; });
    names.insert(names.end(), others.begin(), others.end());
    for (const std::string& name : names) {
        const auto start = GUFO_TRY(source.file(name));
        if (start && looksRanked(start->text)) {
            files.rankedFile = name;
            return readInto(files.ranked, source, name, readRankedLines);
        }
    }
    return {};
}

Result<std::vector<std::string>> readLines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        line.remove_suffix(line.ends_with('\r') ? 1 : 0);
        lines.emplace_back(line);
        if (lines.size() > kMaxTokens) {
            return fail(ErrorCode::LimitExceeded, {}, {Detail::Tokens, lines.size(), kMaxTokens});
        }
    }
    return lines;
}

Result<> readLists(VocabularyFiles& files, const SourceFolder& source, const JobContext& job) {
    auto read =
        readInto(files.tekken, source, "tekken.json", [&](std::string_view text) { return readTekken(text, job); });
    if (read && !files.tekken) {
        read = readRanked(files, source);
    }
    if (read && !files.tekken && !files.ranked) {
        read = readInto(files.vocabJson, source, "vocab.json",
                        [&](std::string_view text) { return readVocabJson(text, job); });
    }
    if (read && files.vocabJson) {
        read = readInto(files.merges, source, "merges.txt",
                        [](std::string_view text) { return Result<MergeLines>(readMergesText(text)); });
    } else if (read && !files.tekken && !files.ranked) {
        read = readInto(files.vocabText, source, "vocab.txt", readLines);
    }
    return read;
}

// A vocabulary that is in none of the formats is damaged.
Result<> refuseUnknown(const SourceFolder& source) {
    for (const std::string_view name : kPieceFiles) {
        const auto file = GUFO_TRY(source.file(name));
        if (file) {
            return std::unexpected(
                Error{ErrorCode::Malformed, file->source->path(), Place::atOffset(0), {Detail::ProtobufDamaged}, 0});
        }
    }
    return {};
}

} // namespace

std::optional<std::uint64_t> idOfToken(const VocabularyFiles& files, std::string_view text) {
    const auto id = files.tokenizer ? files.tokenizer->tokens.find(text) : std::nullopt;
    return id || !files.vocabJson ? id : files.vocabJson->find(text);
}

Result<VocabularyFiles> readVocabularyFiles(const SourceFolder& source, const JobContext& job) {
    VocabularyFiles files;
    files.tokenizerConfig = GUFO_TRY(source.json("tokenizer_config.json"));
    files.addedTokens = GUFO_TRY(source.json("added_tokens.json"));
    GUFO_TRY(readInto(files.tokenizer, source, "tokenizer.json",
                      [&](std::string_view text) { return readTokenizerJson(text, job); }));
    GUFO_TRY(readPieces(files, source));
    GUFO_TRY(files.hasTokenizer() ? Result<>() : readLists(files, source, job));
    GUFO_TRY(files.hasTokenizer() || files.hasList() ? Result<>() : refuseUnknown(source));
    return files;
}

} // namespace gufo::convert
