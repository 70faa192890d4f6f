#include "ui/vocabulary/token_model.h"

#include "base/try.h"
#include "model/token.h"
#include "ui/document/model_document.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/value_delegate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <limits>
#include <string>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kTokensPerLook = 1024;

std::string_view asView(const QByteArray& bytes) { return {bytes.data(), static_cast<std::size_t>(bytes.size())}; }

// Keeps the items for which `matches(i)` returns true.
template<typename Predicate>
Result<Matches> collect(std::uint64_t items, const JobContext& job, const Predicate& predicate) {
    job.start(items);
    Matches matches;
    for (std::uint64_t i = 0; i < items; ++i) {
        if (i % kTokensPerLook == 0) {
            GUFO_TRY(job.check());
            job.advance(i == 0 ? 0 : kTokensPerLook);
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

constexpr std::size_t kTokenBytes = 200; // limit of a token's text in a cell

struct ColumnFact {
    const char* title;
    const char* toolTip;
    Qt::Alignment alignment;
    bool monospace;
};
constexpr Qt::Alignment kLeft = Qt::AlignLeft | Qt::AlignVCenter;
constexpr Qt::Alignment kRight = Qt::AlignRight | Qt::AlignVCenter;
constexpr auto kColumns = std::to_array<ColumnFact>({
    {QT_TRANSLATE_NOOP("gufo::ui::TokenModel", "Id"), QT_TRANSLATE_NOOP("gufo::ui::TokenModel", "Id of the token"),
     kRight, false},
    {QT_TRANSLATE_NOOP("gufo::ui::TokenModel", "Token"),
     QT_TRANSLATE_NOOP("gufo::ui::TokenModel", "Text of the token as the file stores it"), kLeft, true},
    {QT_TRANSLATE_NOOP("gufo::ui::TokenModel", "Bytes"),
     QT_TRANSLATE_NOOP("gufo::ui::TokenModel", "Bytes of text that the token stands for, hexadecimal"), kLeft, true},
    {QT_TRANSLATE_NOOP("gufo::ui::TokenModel", "Type"), QT_TRANSLATE_NOOP("gufo::ui::TokenModel", "Kind of token"),
     kLeft, false},
    {QT_TRANSLATE_NOOP("gufo::ui::TokenModel", "Score"),
     QT_TRANSLATE_NOOP("gufo::ui::TokenModel", "Its log-probability, or the order of its merge"), kRight, false},
    {QT_TRANSLATE_NOOP("gufo::ui::TokenModel", "Merged from"),
     QT_TRANSLATE_NOOP("gufo::ui::TokenModel", "Rank of the merge rule that produces it, and its parts"), kLeft, true},
});
static_assert(kColumns.size() == static_cast<std::size_t>(TokenColumn::Count));

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

std::string_view tokenArrayKey(TokenColumn column) {
    switch (column) {
    case TokenColumn::Token:
        return kTokensKey;
    case TokenColumn::Type:
        return kTokenTypesKey;
    case TokenColumn::Score:
        return kTokenScoresKey;
    default:
        return {};
    }
}

QString mergeRuleText(const TokenArrays& vocabulary, std::uint64_t rank) {
    const TokenArrays::Merge merge = vocabulary.merge(rank);
    return QStringLiteral("%1  %2 + %3")
        .arg(formatCount(rank), headText(merge.left, kTokenBytes), headText(merge.right, kTokenBytes));
}

void TokenModel::setVocabulary(std::shared_ptr<const TokenArrays> vocabulary) {
    beginResetModel();
    m_vocabulary = std::move(vocabulary);
    m_before.reset();
    m_links.reset();
    setItems(m_vocabulary ? m_vocabulary->size() : 0);
    endResetModel();
}

void TokenModel::setLinks(std::shared_ptr<const TokenLinks> links) {
    m_links = std::move(links);
    if (rowCount() > 0) {
        const int column = static_cast<int>(TokenColumn::Merge);
        emit dataChanged(index(0, column), index(rowCount() - 1, column));
    }
}

void TokenModel::setDocument(ModelDocument* document) { m_document = document; }

void TokenModel::follow(std::shared_ptr<const TokenArrays> vocabulary, std::shared_ptr<const TokenArrays> before) {
    const std::uint64_t tokens = vocabulary->size();
    followItems(tokens, [&] {
        m_vocabulary = std::move(vocabulary);
        m_before = std::move(before);
        m_links.reset();
    });
}

bool TokenModel::isEditable() const {
    return !m_frozen && m_document != nullptr && m_document->can(Capability::EditMetadata);
}

bool TokenModel::differs(std::uint64_t id, TokenColumn column) const {
    const auto now = m_vocabulary->value(tokenArrayKey(column), id);
    const auto before = m_before->value(tokenArrayKey(column), id);
    return now.has_value() != before.has_value() || (now && !OwnedValue::sameValue(*now, *before));
}

bool TokenModel::isChanged(std::uint64_t id) const {
    return m_before && (id >= m_before->size() || differs(id, TokenColumn::Token) || differs(id, TokenColumn::Type) ||
                        differs(id, TokenColumn::Score));
}

QString TokenModel::beforeText(std::uint64_t id, TokenColumn column) const {
    if (!m_before || tokenArrayKey(column).empty() || !differs(id, column)) {
        return {};
    }
    const auto before = m_before->value(tokenArrayKey(column), id);
    return !before                        ? QString()
           : column == TokenColumn::Token ? headText(*asString(*before), kTokenBytes)
           : column == TokenColumn::Type  ? tokenTypeName(asInt(*before).value_or(0))
                                          : formatReal(asDouble(*before).value_or(0), 7);
}

int TokenModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kColumns.size());
}

QVariant TokenModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const ColumnFact& column = kColumns[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::ToolTipRole: {
        const QString before = beforeText(itemOf(index), static_cast<TokenColumn>(index.column()));
        const QString shown = data(index, Qt::DisplayRole).toString();
        return plainToolTip(before.isEmpty() ? shown : shown + u'\n' + tr("Was: %1").arg(before));
    }
    case Qt::DisplayRole:
        return text(itemOf(index), static_cast<TokenColumn>(index.column()));
    case kExactRole:
        return exact(itemOf(index), static_cast<TokenColumn>(index.column()));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(column.alignment);
    case Qt::FontRole:
        return column.monospace ? QVariant(themeFont(TextStyle::Mono)) : QVariant();
    case Qt::ForegroundRole:
        return index.column() == static_cast<int>(TokenColumn::Token) ? QVariant() : QVariant(themeColor(Token::Muted));
    case TypeRole:
        return static_cast<qint64>(m_vocabulary->type(itemOf(index)).value_or(0));
    default:
        return editing(itemOf(index), static_cast<TokenColumn>(index.column()), role);
    }
}

QVariant TokenModel::editing(std::uint64_t id, TokenColumn column, int role) const {
    const bool changed = m_before && isChanged(id);
    switch (role) {
    case Qt::BackgroundRole:
        return changed ? QVariant(themeColor(Token::ChangedRow)) : QVariant();
    case kChangedRole:
        return changed;
    case kAddedRole:
        return m_before && id >= m_before->size();
    case kBeforeTextRole:
        return column == TokenColumn::Type ? QVariant(beforeText(id, column))
                                           : QVariant(); // other columns would become too wide
    case Qt::EditRole:
    case kValueSubjectRole: {
        const auto value = m_vocabulary->value(tokenArrayKey(column), id);
        if (!value) {
            return {};
        }
        return role == Qt::EditRole ? QVariant::fromValue(OwnedValue(*value))
                                    : QVariant::fromValue(ValueSubject{.key = std::string(tokenArrayKey(column)),
                                                                       .architecture = {},
                                                                       .type = typeOf(*value),
                                                                       .namesToken = false,
                                                                       .escaped = true});
    }
    default:
        return {};
    }
}

// Called for every cell of a large selection, so it must be fast.
Qt::ItemFlags TokenModel::flags(const QModelIndex& index) const {
    // A table asks for every cell of a selection, so what takes least time is tested first.
    const Qt::ItemFlags flags = WindowedModel::flags(index);
    const std::string_view key = tokenArrayKey(static_cast<TokenColumn>(index.column()));
    return !key.empty() && index.isValid() && m_vocabulary && m_vocabulary->hasValue(key, itemOf(index)) && isEditable()
               ? flags | Qt::ItemIsEditable
               : flags;
}

bool TokenModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable)) {
        return false;
    }
    const std::uint64_t id = itemOf(index);
    const std::string key(tokenArrayKey(static_cast<TokenColumn>(index.column())));
    return m_document->apply({SetElement{.array = {.key = key}, .index = id, .value = value.value<OwnedValue>()}},
                             tr("Change token %1").arg(id));
}

QVariant TokenModel::exact(std::uint64_t id, TokenColumn column) const {
    const auto score = column == TokenColumn::Score ? m_vocabulary->score(id) : std::nullopt;
    if (!score) {
        return {};
    }
    // Files store scores as F32, whose shortest text has fewer digits than the text of an equal F64.
    const auto single = static_cast<float>(*score);
    return static_cast<double>(single) == *score ? QVariant(single) : QVariant(*score);
}

QString TokenModel::text(std::uint64_t id, TokenColumn column) const {
    switch (column) {
    case TokenColumn::Id:
        return QString::number(id);
    case TokenColumn::Token:
        return headText(m_vocabulary->text(id), kTokenBytes);
    case TokenColumn::Bytes:
        return hexBytes(m_vocabulary->bytes(id).left(kTokenBytes / 4));
    case TokenColumn::Type: {
        const auto type = m_vocabulary->type(id);
        return type ? tokenTypeName(*type) : QString();
    }
    case TokenColumn::Score: {
        const auto score = m_vocabulary->score(id);
        return score ? formatReal(*score, 7) : QString();
    }
    case TokenColumn::Merge: {
        const auto rank = m_links ? m_links->rankOf(id) : std::nullopt;
        return rank ? mergeRuleText(*m_vocabulary, *rank) : QString();
    }
    case TokenColumn::Count:
        break;
    }
    return {};
}

QVariant TokenModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const ColumnFact& column = kColumns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return tr(column.title);
    case Qt::ToolTipRole:
        return tr(column.toolTip);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(column.alignment);
    default:
        return {};
    }
}

} // namespace gufo::ui

#include "moc_token_model.cpp"
