#include "text/audit/known_templates.h"

#include "base/sha256.h"
#include "text/audit/text_difference.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

namespace gufo::text {
namespace {

struct KnownRow {
    std::string_view name;
    std::string_view whole;  // hexadecimal digits
    std::string_view pieces; // the same, 8 for each, sorted
};
constexpr auto kKnownTemplates = std::to_array<KnownRow>({
#define GUFO_KNOWN_TEMPLATE(name, whole, pieces) {name, whole, pieces},
#include "text/audit/known_templates.inc"
#undef GUFO_KNOWN_TEMPLATE
});
constexpr std::size_t kDigits = 8; // of 32 bits: templates have some hundred pieces

std::string_view stripped(std::string_view text, std::string_view spaces) {
    const std::size_t first = text.find_first_not_of(spaces);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(spaces) + 1 - first);
}

std::string digestOf(std::string_view text) { return hexText(sha256(std::as_bytes(std::span(text)))); }

struct Piece {
    std::string_view text;
    int line;
};

// Lines, divided behind each tag, so that a template in a single line has pieces, too.
std::vector<Piece> piecesOf(std::string_view source) {
    std::vector<Piece> pieces;
    int line = 1;
    std::size_t begin = 0;
    const auto end = [&](std::size_t at) {
        if (const std::string_view piece = stripped(source.substr(begin, at - begin), " \t\r"); !piece.empty()) {
            pieces.push_back({.text = piece, .line = line});
        }
        begin = at;
    };
    for (std::size_t at = 0; at < source.size(); ++at) {
        if (source[at] == '\n') {
            end(at);
            begin = at + 1;
            ++line;
        } else if (source[at] == '}' && at > 0 && (source[at - 1] == '}' || source[at - 1] == '%')) {
            end(at + 1);
        }
    }
    end(source.size());
    return pieces;
}

template<typename IsKnown>
KnownTemplate comparePieces(const std::vector<Piece>& pieces, const IsKnown& isKnown) {
    KnownTemplate result{.pieces = pieces.size()};
    for (const Piece& piece : pieces) {
        if (!isKnown(piece) && (result.changed.empty() || result.changed.back() != piece.line)) {
            result.changed.push_back(piece.line);
        }
    }
    return result;
}

} // namespace

KnownTemplate findKnownTemplate(std::string_view source) {
    std::string text = replacedAll(std::string(source), "\r\n", "\n");
    const std::string whole = digestOf(stripped(text, " \t\r\n"));
    const std::vector<Piece> pieces = piecesOf(text);
    std::vector<std::string> digests;
    for (const Piece& piece : pieces) {
        digests.push_back(digestOf(piece.text).substr(0, kDigits));
    }
    const std::set<std::string_view> distinct(digests.begin(), digests.end());
    const KnownRow* best = nullptr;
    std::size_t most = 0;
    for (const KnownRow& row : kKnownTemplates) {
        if (row.whole == whole) {
            return {.name = row.name, .pieces = pieces.size()};
        }
        const std::size_t size = row.pieces.size() / kDigits;
        const auto isMostOfEither = [&](std::size_t shared) {
            return 5 * shared >= 4 * std::max(size, distinct.size());
        };
        if (!isMostOfEither(std::min(size, distinct.size()))) {
            continue; // even if all pieces of the shorter template were shared, they would be too few
        }
        std::size_t shared = 0;
        for (std::size_t at = 0; at < row.pieces.size(); at += kDigits) {
            shared += distinct.contains(row.pieces.substr(at, kDigits)) ? 1 : 0;
        }
        if (shared > most && isMostOfEither(shared)) {
            best = &row;
            most = shared;
        }
    }
    if (best == nullptr) {
        return {.pieces = pieces.size()};
    }
    std::set<std::string_view> known;
    for (std::size_t at = 0; at < best->pieces.size(); at += kDigits) {
        known.insert(best->pieces.substr(at, kDigits));
    }
    KnownTemplate result = comparePieces(pieces, [&](const Piece& piece) {
        return known.contains(digests[static_cast<std::size_t>(&piece - pieces.data())]);
    });
    result.name = best->name;
    result.missingPieces = known.size() - most;
    return result;
}

KnownTemplate compareWithBase(std::string_view source, std::string_view base) {
    const std::vector<Piece> pieces = piecesOf(source);
    const std::vector<Piece> basePieces = piecesOf(base);
    std::set<std::string_view> known;
    std::set<std::string_view> present;
    for (const Piece& piece : basePieces) {
        known.insert(piece.text);
    }
    for (const Piece& piece : pieces) {
        present.insert(piece.text);
    }
    KnownTemplate result = comparePieces(pieces, [&](const Piece& piece) { return known.contains(piece.text); });
    result.missingPieces = static_cast<std::size_t>(
        std::ranges::count_if(known, [&](std::string_view piece) { return !present.contains(piece); }));
    return result;
}

} // namespace gufo::text
