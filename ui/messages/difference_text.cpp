#include "ui/messages/difference_text.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::DifferenceText)
};

struct KindRow {
    bool Difference::* holds;
    const char* word;
};
constexpr KindRow kKinds[] = {
    {&Difference::added, QT_TRANSLATE_NOOP("gufo::DifferenceText", "added")},
    {&Difference::deleted, QT_TRANSLATE_NOOP("gufo::DifferenceText", "deleted")},
    {&Difference::renamed, QT_TRANSLATE_NOOP("gufo::DifferenceText", "renamed")},
    {&Difference::changed, QT_TRANSLATE_NOOP("gufo::DifferenceText", "changed")},
    {&Difference::moved, QT_TRANSLATE_NOOP("gufo::DifferenceText", "moved")},
};

struct TargetRow {
    std::string_view name;
    const char* word;
};
constexpr TargetRow kTargets[] = {
    {"version", QT_TRANSLATE_NOOP("gufo::DifferenceText", "Version of the format")},
    {"byte_order", QT_TRANSLATE_NOOP("gufo::DifferenceText", "Byte order")},
    {"trailing_bytes", QT_TRANSLATE_NOOP("gufo::DifferenceText", "Bytes after the last tensor")},
};

} // namespace

QString differenceKind(const Difference& difference) {
    QStringList words;
    for (const KindRow& row : kKinds) {
        if (difference.*row.holds) {
            words << Words::tr(row.word);
        }
    }
    QString text = words.join(QStringLiteral(", "));
    if (!text.isEmpty()) {
        text[0] = text[0].toUpper();
    }
    return text;
}

QString differenceName(const Difference& difference) {
    if (difference.subject == Difference::Subject::Target) {
        for (const TargetRow& row : kTargets) {
            if (row.name == difference.name) {
                return Words::tr(row.word);
            }
        }
    }
    return difference.renamed
               ? QStringLiteral("%1 → %2").arg(displayText(difference.oldName), displayText(difference.name))
               : displayText(difference.name);
}

QString arrayChangeText(const Difference& difference) {
    if (!difference.array || !difference.before || asArray(*difference.before) == nullptr) {
        return {};
    }
    const Difference::ArrayChange& change = *difference.array;
    const std::uint64_t length = asArray(*difference.before)->length;
    QStringList parts;
    if (change.changed != 0) {
        parts << QCoreApplication::translate("gufo::DifferenceText", "%n of %1 elements differ, first at %2", nullptr,
                                             numerus(change.changed))
                     .arg(formatCount(length), formatCount(change.firstIndex));
    }
    if (change.inserted != 0) {
        parts << QCoreApplication::translate("gufo::DifferenceText", "%1 longer").arg(formatCount(change.inserted));
    }
    if (change.removed != 0) {
        parts << QCoreApplication::translate("gufo::DifferenceText", "%1 shorter").arg(formatCount(change.removed));
    }
    return parts.join(QStringLiteral("; "));
}

} // namespace gufo::ui
