#include "ui/vocabulary/token_search.h"

#include "base/try.h"
#include "ui/messages/key_text.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <string>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kStep = 1024;

std::string_view asView(const QByteArray& bytes) { return {bytes.data(), static_cast<std::size_t>(bytes.size())}; }

// Keeps the items for which `matches(i)` returns true.
template<typename Predicate>
Result<Matches> collect(std::uint64_t items, const JobContext& job, const Predicate& predicate) {
    job.start(items);
    Matches matches;
    for (std::uint64_t i = 0; i < items; ++i) {
        if (i % kStep == 0) {
            GUFO_TRY(job.check());
            job.advance(i == 0 ? 0 : kStep);
        }
        if (predicate(i)) {
            ++matches.found;
            if (matches.items.size() < RowWindow::kMaxRows) {
                matches.items.push_back(i);
            }
        }
    }
    return matches;
}

// Sorts the items by a key; equal items keep their order.
template<typename Key>
void sortBy(std::vector<std::uint64_t>& items, Qt::SortOrder order, const Key& key) {
    using Pair = std::pair<decltype(key(std::uint64_t{})), std::uint64_t>;
    std::vector<Pair> keyed;
    keyed.reserve(items.size());
    for (const std::uint64_t item : items) {
        keyed.emplace_back(key(item), item);
    }
    std::ranges::stable_sort(keyed, [order](const Pair& a, const Pair& b) {
        return order == Qt::AscendingOrder ? a.first < b.first : b.first < a.first;
    });
    std::ranges::transform(keyed, items.begin(), &Pair::second);
}

} // namespace

std::optional<QByteArray> parseHex(const QString& text) {
    QString digits = text;
    digits.remove(u' ').remove(QStringLiteral("0x"), Qt::CaseInsensitive);
    if (digits.isEmpty() || digits.size() % 2 != 0 || !std::ranges::all_of(digits, [](QChar c) {
            return c.unicode() < 0x80 && std::isxdigit(static_cast<unsigned char>(c.toLatin1())) != 0;
        })) {
        return std::nullopt;
    }
    return QByteArray::fromHex(digits.toLatin1());
}

Result<Matches> searchTokens(const TokenArrays& vocabulary, const TokenLinks* links, const TokenQuery& query,
                             const JobContext& job) {
    const bool byBytes = query.in == TokenQuery::In::Bytes && !query.text.isEmpty();
    const std::optional<QByteArray> needle = byBytes ? parseHex(query.text) : std::nullopt;
    if (byBytes && !needle) {
        return fail(ErrorCode::InvalidArgument, {}, {query.text.toStdString()});
    }
    auto matches = GUFO_TRY(collect(vocabulary.size(), job, [&](std::uint64_t id) {
        if (query.type && vocabulary.type(id) != query.type) {
            return false;
        }
        if (query.text.isEmpty()) {
            return true;
        }
        if (needle) {
            return vocabulary.bytes(id).contains(*needle);
        }
        return containsText(vocabulary.text(id), query.text) || containsText(asView(vocabulary.bytes(id)), query.text);
    }));
    constexpr double kNone = std::numeric_limits<double>::lowest();
    switch (query.sortBy) {
    case TokenColumn::Id:
    case TokenColumn::Count:
        if (query.order == Qt::DescendingOrder) {
            std::ranges::reverse(matches.items);
        }
        break;
    case TokenColumn::Token:
        sortBy(matches.items, query.order, [&](std::uint64_t id) { return vocabulary.text(id); });
        break;
    case TokenColumn::Bytes:
        sortBy(matches.items, query.order, [&](std::uint64_t id) { return vocabulary.bytes(id); });
        break;
    case TokenColumn::Type:
        sortBy(matches.items, query.order, [&](std::uint64_t id) { return vocabulary.type(id).value_or(0); });
        break;
    case TokenColumn::Score:
        sortBy(matches.items, query.order, [&](std::uint64_t id) {
            const double score = vocabulary.score(id).value_or(kNone);
            return std::isnan(score) ? kNone : score; // NaN cannot be ordered
        });
        break;
    case TokenColumn::Merge:
        if (links != nullptr) {
            sortBy(matches.items, query.order, [&](std::uint64_t id) {
                return links->rankOf(id).value_or(std::numeric_limits<std::uint64_t>::max());
            });
        }
        break;
    }
    GUFO_TRY(job.check());
    return matches;
}

Result<Matches> searchMerges(const TokenArrays& vocabulary, const QString& text, const JobContext& job) {
    return collect(vocabulary.mergeCount(), job, [&](std::uint64_t rank) {
        const TokenArrays::Merge merge = vocabulary.merge(rank);
        return containsText(merge.left, text) || containsText(merge.right, text) ||
               containsText(std::string(merge.left).append(merge.right), text);
    });
}

} // namespace gufo::ui
