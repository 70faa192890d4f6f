#include "formats/sets/file_pieces.h"

#include "base/checked.h"
#include "base/detail.h"
#include "base/mapped_file.h"
#include "base/sha256.h"
#include "base/try.h"
#include "formats/container/container.h"
#include "formats/save/execute.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>
#include <limits>
#include <set>

namespace gufo {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSplit = "-split-";
constexpr std::string_view kPart = ".part";
constexpr std::string_view kOf = "of";
constexpr std::size_t kMaxPieces = 10'000;

// The name of a piece, and how the names of its siblings are made.
struct PieceName {
    std::string whole;
    std::size_t number = 0;   // from 0
    std::size_t count = 0;    // 0: not in the name
    std::size_t capacity = 0; // how many pieces names of this form can tell apart
    std::function<std::string(std::size_t)> nameOf;
};

std::optional<std::size_t> digits(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size() && value <= kMaxPieces;
    return whole ? std::optional(value) : std::nullopt;
}

std::string padded(std::size_t number, std::size_t width) {
    const std::string text = std::to_string(number);
    return std::string(width - std::min(width, text.size()), '0') + text;
}

// "NAME-split-a" and "NAME-split-aa", as the program split names its files.
std::optional<PieceName> lettered(const std::string& name) {
    const std::size_t at = name.rfind(kSplit);
    const std::string letters = at != name.npos ? name.substr(at + kSplit.size()) : std::string();
    if (letters.empty() || letters.size() > 2 ||
        !std::ranges::all_of(letters, [](char c) { return c >= 'a' && c <= 'z'; })) {
        return std::nullopt;
    }
    constexpr std::size_t kLetters = 26;
    const bool two = letters.size() == 2;
    const auto value = [](char c) { return static_cast<std::size_t>(c - 'a'); };
    const std::string start = name.substr(0, at + kSplit.size());
    return PieceName{.whole = name.substr(0, at),
                     .number = two ? value(letters[0]) * kLetters + value(letters[1]) : value(letters[0]),
                     .capacity = two ? kLetters * kLetters : kLetters,
                     .nameOf = [=](std::size_t i) {
                         const auto letter = [](std::size_t n) { return static_cast<char>('a' + n); };
                         return start + (two ? std::string{letter(i / kLetters), letter(i % kLetters)}
                                             : std::string{letter(i)});
                     }};
}

// "NAME.part1of2" and "NAME.part01of12".
std::optional<PieceName> counted(const std::string& name) {
    const std::size_t at = name.rfind(kPart);
    const std::size_t of = at != name.npos ? name.find(kOf, at + kPart.size()) : name.npos;
    if (of == name.npos) {
        return std::nullopt;
    }
    const std::string first = name.substr(at + kPart.size(), of - at - kPart.size());
    const std::string last = name.substr(of + kOf.size());
    const auto number = digits(first);
    const auto count = digits(last);
    if (!number || !count || *number == 0 || *number > *count) {
        return std::nullopt;
    }
    const std::string start = name.substr(0, at + kPart.size());
    return PieceName{.whole = name.substr(0, at),
                     .number = *number - 1,
                     .count = *count,
                     .capacity = *count,
                     .nameOf = [=, width = first.size()](std::size_t i) {
                         return start + padded(i + 1, width) + std::string(kOf) + last;
                     }};
}

// "NAME.001".
std::optional<PieceName> numbered(const std::string& name) {
    constexpr std::size_t kWidth = 3;
    if (name.size() <= kWidth + 1 || name[name.size() - kWidth - 1] != '.') {
        return std::nullopt;
    }
    const auto number = digits(name.substr(name.size() - kWidth));
    if (!number || *number == 0) {
        return std::nullopt;
    }
    const std::string start = name.substr(0, name.size() - kWidth);
    return PieceName{.whole = name.substr(0, name.size() - kWidth - 1),
                     .number = *number - 1,
                     .capacity = 999,
                     .nameOf = [=](std::size_t i) { return start + padded(i + 1, kWidth); }};
}

// The whole must have the name of a model, because other files have such names too: "checkpoint.001". Where only pieces
// have such names, the whole may be a file without a suffix, if there are several pieces.
std::optional<PieceName> pieceName(const std::string& name, const std::set<std::string>& others) {
    struct Form {
        std::optional<PieceName> (*parse)(const std::string&);
        bool distinct;
    };
    for (const Form& form : {Form{lettered, true}, Form{counted, true}, Form{numbered, false}}) {
        const auto piece = form.parse(name);
        if (!piece) {
            continue;
        }
        const bool hasSibling =
            (piece->number > 0 && others.contains(piece->nameOf(piece->number - 1))) ||
            (piece->number + 1 < piece->capacity && others.contains(piece->nameOf(piece->number + 1)));
        if (containerByName(piece->whole) != nullptr || (form.distinct && hasSibling && !piece->whole.empty())) {
            return piece;
        }
    }
    return std::nullopt;
}

std::set<std::string> namesIn(const fs::path& folder) {
    std::error_code error;
    std::set<std::string> names;
    for (fs::directory_iterator it(folder.empty() ? fs::path(".") : folder, error), end; !error && it != end;
         it.increment(error)) {
        names.insert(it->path().filename().native());
    }
    return names;
}

using Clock = std::chrono::steady_clock;
using Sources = std::vector<std::shared_ptr<const ByteSource>>;

constexpr std::uint64_t kHashStep = 16 << 20;

Result<std::string> hashOf(const Sources& sources, const JobContext& job) {
    Sha256 hash;
    for (const auto& source : sources) {
        for (std::uint64_t at = 0; at < source->size(); at += kHashStep) {
            GUFO_TRY(job.check());
            const auto bytes = GUFO_TRY(source->view({at, std::min(kHashStep, source->size() - at)}));
            hash.add(bytes);
        }
        if (const auto damage = source->damage()) {
            return std::unexpected(*damage);
        }
    }
    return hexText(hash.finish());
}

} // namespace

Result<std::optional<PieceSet>> piecesOfFile(const fs::path& file) {
    const std::string name = file.filename().native();
    if (!lettered(name) && !counted(name) && !numbered(name)) { // the folder need not be listed
        return std::nullopt;
    }
    const fs::path folder = file.parent_path();
    const std::set<std::string> names = namesIn(folder);
    const auto piece = pieceName(name, names);
    if (!piece) {
        return std::nullopt;
    }
    std::size_t count = piece->count;
    if (count == 0) { // up to the last that is there; a file is never cut into one piece
        count = std::max<std::size_t>(piece->number + 1, 2);
        for (std::size_t i = count; i < piece->capacity; ++i) {
            count = names.contains(piece->nameOf(i)) ? i + 1 : count;
        }
    }
    PieceSet set{.whole = folder / piece->whole, .pieces = {}};
    for (std::size_t i = 0; i < count; ++i) {
        const std::string sibling = piece->nameOf(i);
        if (i != piece->number && !names.contains(sibling)) {
            return std::unexpected(Error{ErrorCode::PieceMissing, file, {}, {sibling, piece->whole}, 0});
        }
        set.pieces.push_back(folder / sibling);
    }
    if (piece->count == 0 && count < piece->capacity) {
        set.next = piece->nameOf(count);
    }
    return set;
}

Result<SaveReport> joinPieces(const PieceSet& set, const std::filesystem::path& out, const SaveOptions& options,
                              const JobContext& job) {
    FileOperations& operations = options.operations != nullptr ? *options.operations : realFileOperations();
    saving::NewFile file;
    file.path = saving::resolveNew(operations, out);
    GUFO_TRY(saving::findTarget(file, operations));
    const auto target = operations.status(file.path);
    Sources sources;
    for (const std::filesystem::path& path : set.pieces) {
        auto source = GUFO_TRY(MappedFile::open(path));
        const auto identity = source->identity();
        if (target && identity && identity->device == target->device && identity->inode == target->inode) {
            return std::unexpected(Error{ErrorCode::InvalidArgument, out, {}, {Detail::ReplacesOwnPart}, 0});
        }
        const std::uint64_t bytes = source->size();
        const auto end = checkedAdd(file.size, bytes);
        if (!end || *end > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            return std::unexpected(Error{ErrorCode::InvalidArgument, out, {}, {Detail::FileTooLarge}, 0});
        }
        file.pieces.push_back({.source = source, .range = {0, bytes}, .offset = file.size});
        file.size = *end;
        sources.push_back(std::move(source));
    }
    SaveReport report;
    if (options.verify) {
        report.hashBefore = GUFO_TRY(hashOf(sources, job));
    }
    const auto start = Clock::now();
    GUFO_TRY(saving::writeNewFiles({&file, 1}, operations, job));
    report.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    FilePlan plan;
    plan.path = file.path;
    plan.reason = SaveReason::NewFile;
    plan.bytesToWrite = file.written;
    plan.bytesAfter = file.size;
    report.files.push_back({plan, report.milliseconds});
    if (options.verify) {
        auto written = GUFO_TRY(MappedFile::open(file.path));
        report.hashAfter = GUFO_TRY(hashOf({std::move(written)}, job));
        if (report.hashAfter != report.hashBefore) {
            return std::unexpected(
                Error{ErrorCode::VerificationFailed, file.path, {}, {*report.hashBefore, *report.hashAfter}, 0});
        }
    }
    return report;
}

} // namespace gufo
