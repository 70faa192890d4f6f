#include "ui/messages/save_text.h"

#include "base/detail.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/detail_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gufo::ui {

// ---- saving --------------------------------------------------------------------------------------------------------

namespace {

struct StrategyWords {
    SaveStrategy strategy;
    const char* name;
    const char* inSentence; // a text of its own, because German nouns are capitalised in sentences too
    const char* description;
};
constexpr auto kStrategies = std::to_array<StrategyWords>({
    {SaveStrategy::Unchanged, QT_TRANSLATE_NOOP("gufo::SaveText", "Unchanged"),
     QT_TRANSLATE_NOOP("gufo::SaveText", "unchanged"), QT_TRANSLATE_NOOP("gufo::SaveText", "nothing is written")},
    {SaveStrategy::Patch, QT_TRANSLATE_NOOP("gufo::SaveText", "Patch"), QT_TRANSLATE_NOOP("gufo::SaveText", "patch"),
     QT_TRANSLATE_NOOP("gufo::SaveText", "only the header is written; the tensor data is not moved")},
    {SaveStrategy::Shift, QT_TRANSLATE_NOOP("gufo::SaveText", "Shift"), QT_TRANSLATE_NOOP("gufo::SaveText", "shift"),
     QT_TRANSLATE_NOOP("gufo::SaveText",
                       "the file system inserts or removes space before the tensor data; only the header is written")},
    {SaveStrategy::Clone, QT_TRANSLATE_NOOP("gufo::SaveText", "Clone"), QT_TRANSLATE_NOOP("gufo::SaveText", "clone"),
     QT_TRANSLATE_NOOP("gufo::SaveText", "a new file shares the tensor data with the old one and replaces it")},
    {SaveStrategy::Copy, QT_TRANSLATE_NOOP("gufo::SaveText", "Copy"), QT_TRANSLATE_NOOP("gufo::SaveText", "copy"),
     QT_TRANSLATE_NOOP("gufo::SaveText", "a complete new file is written and replaces the old one")},
});

constexpr auto kReasons = std::to_array<const char*>({
// %1 … are the reason's arguments
#define GUFO_SAVE_REASON(code, name, args, words) words,
#include "formats/save/save_reasons.inc"
#undef GUFO_SAVE_REASON
});

QString words(const char* text) { return QCoreApplication::translate("gufo::SaveText", text); }

// Says that space is reserved which was not before; empty if it is not.
QString reserveText(std::uint64_t bytes) {
    return bytes == 0
               ? QString()
               : QCoreApplication::translate("gufo::SaveText",
                                             "The header gets %1 of reserved space, so that later edits need not move "
                                             "the weights.")
                     .arg(formatBytes(bytes));
}

std::uint64_t added(const FilePlan& plan) { return plan.addsReserved ? plan.reserved : 0; }

} // namespace

QString strategyText(SaveStrategy strategy) { return words(kStrategies[static_cast<std::size_t>(strategy)].name); }

QString strategyInSentence(SaveStrategy strategy) {
    return words(kStrategies[static_cast<std::size_t>(strategy)].inSentence);
}

QString strategyDescription(SaveStrategy strategy) {
    return words(kStrategies[static_cast<std::size_t>(strategy)].description);
}

QString saveReasonText(SaveReason reason, const Arguments& args) {
    return sentence("gufo::SaveText", kReasons[static_cast<std::size_t>(reason)], args);
}

QString strategyInSentence(std::string_view name) {
    for (const StrategyWords& words : kStrategies) {
        if (strategyName(words.strategy) == name) {
            return strategyInSentence(words.strategy);
        }
    }
    return displayText(name);
}

QString saveReasonText(std::string_view name, const Arguments& args) {
    for (std::size_t i = 0; i < kReasons.size(); ++i) {
        if (const auto reason = static_cast<SaveReason>(i); reasonName(reason) == name) {
            return saveReasonText(reason, args);
        }
    }
    return displayText(name);
}

QString saveAdviceText(SaveAsAdvice advice) {
    switch (advice) {
    case SaveAsAdvice::ContentAddressed:
        return argumentText(Detail::ContentAddressed);
    case SaveAsAdvice::HardLinks:
        return argumentText(Detail::HardLinks);
    case SaveAsAdvice::None:
        break;
    }
    return {};
}

QString formatMilliseconds(double milliseconds) {
    if (milliseconds < 1000) {
        return QCoreApplication::translate("gufo::SaveText", "%1 ms")
            .arg(milliseconds, 0, 'f', milliseconds < 100 ? 1 : 0);
    }
    return QCoreApplication::translate("gufo::SaveText", "%1 s").arg(formatFixed(milliseconds / 1000, 1));
}

QString formatDuration(std::chrono::seconds duration) {
    using namespace std::chrono_literals;
    const auto rounded = [duration](std::chrono::seconds unit) { return (duration + unit / 2) / unit; };
    if (duration < 90s) {
        return QCoreApplication::translate("gufo::SaveText", "%1 s").arg(std::max<qint64>(1, duration.count()));
    }
    return duration < 90min ? QCoreApplication::translate("gufo::SaveText", "%1 min").arg(rounded(1min))
                            : QCoreApplication::translate("gufo::SaveText", "%1 h").arg(rounded(1h));
}

QString timeLeftText(std::chrono::seconds left) {
    return QCoreApplication::translate("gufo::SaveText", "about %1 left").arg(formatDuration(left));
}

QString linksLeftText(std::uint64_t links) {
    return links == 0 ? QString()
                      : QCoreApplication::translate("gufo::SaveText",
                                                    "%n other names of the file (hard links) keep the old content.",
                                                    nullptr, numerus(links));
}

QString savePlanText(const SavePlan& plan, std::uint64_t tensorBytes) {
    if (plan.refusal && plan.refusal->code == ErrorCode::FileChangedOnDisk) { // and perhaps under no other name either
        return QCoreApplication::translate("gufo::SaveText", "Saving asks what to do: %1.")
            .arg(errorReason(*plan.refusal));
    }
    if (plan.refusal) {
        return QCoreApplication::translate("gufo::SaveText", "It can only be saved under another name: %1.")
            .arg(errorReason(*plan.refusal));
    }
    if (plan.advice != SaveAsAdvice::None) {
        return QCoreApplication::translate("gufo::SaveText", "It should be saved under another name: %1.")
            .arg(saveAdviceText(plan.advice));
    }
    if (plan.files.empty()) {
        return QCoreApplication::translate("gufo::SaveText", "Nothing needs to be written.");
    }
    const SaveStrategy strategy = std::ranges::max(plan.files, {}, &FilePlan::strategy).strategy;
    const QString name = strategyInSentence(strategy);
    const FilePlan& file = plan.files.front();
    // Of a set whose files are copied because one of them has to be, that one tells why.
    const auto cause = std::ranges::find_if(plan.files, [strategy](const FilePlan& each) {
        return each.strategy == strategy && each.reason != SaveReason::SeveralFiles;
    });
    const FilePlan& reasoned = cause != plan.files.end() ? *cause : file;
    QString text;
    if (strategy == SaveStrategy::Copy) {
        text = QCoreApplication::translate("gufo::SaveText", "Saving writes a new file of %1 (%2): %3.")
                   .arg(formatBytes(plan.bytesToWrite()), name, saveReasonText(reasoned.reason, reasoned.args));
        if (const auto seconds = plan.seconds()) {
            const auto whole = std::chrono::seconds(static_cast<std::int64_t>(std::ceil(*seconds)));
            text += QLatin1Char(' ') +
                    QCoreApplication::translate("gufo::SaveText", "It takes about %1.").arg(formatDuration(whole));
        }
    } else {
        const std::uint64_t journal =
            std::accumulate(plan.files.begin(), plan.files.end(), std::uint64_t{0},
                            [](std::uint64_t sum, const FilePlan& each) { return sum + each.journalBytes; });
        const QString header = formatBytes(plan.bytesToWrite() - journal);
        text = strategy == SaveStrategy::Clone
                   ? QCoreApplication::translate(
                         "gufo::SaveText", "Saving writes %1 of header into a new file that shares the rest (%2): %3.")
                         .arg(header, name, saveReasonText(reasoned.reason, reasoned.args))
                   : QCoreApplication::translate(
                         "gufo::SaveText",
                         "Saving writes %1 of header in place (%2), and %3 to a journal that is then removed.")
                         .arg(header, name, formatBytes(journal));
        if (tensorBytes != 0) {
            text += QLatin1Char(' ') +
                    QCoreApplication::translate("gufo::SaveText", "The %1 of tensor data are not written.")
                        .arg(formatBytes(tensorBytes));
        }
    }
    const std::uint64_t reserved =
        std::accumulate(plan.files.begin(), plan.files.end(), std::uint64_t{0},
                        [](std::uint64_t sum, const FilePlan& each) { return sum + added(each); });
    if (reserved != 0) {
        text += QLatin1Char(' ') + reserveText(reserved);
    }
    if (const QString links = linksLeftText(file.linksLeft); !links.isEmpty()) {
        text += QLatin1Char(' ') + links;
    }
    if (plan.files.size() > 1) {
        text += QLatin1Char(' ') + QCoreApplication::translate("gufo::SaveText", "%n files of the set change.", nullptr,
                                                               numerus(plan.files.size()));
    }
    return text;
}

QString saveReportText(const SaveReport& report) {
    if (report.files.empty()) {
        return QCoreApplication::translate("gufo::SaveText", "Nothing needed to be written.");
    }
    const auto slowest = std::ranges::max(report.files, {}, [](const FileReport& file) { return file.plan.strategy; });
    QString text = QCoreApplication::translate("gufo::SaveText", "By %1 in %2, %3 written.")
                       .arg(strategyInSentence(slowest.plan.strategy), formatMilliseconds(report.milliseconds),
                            formatBytes(report.bytesWritten()));
    const std::uint64_t reserved =
        std::accumulate(report.files.begin(), report.files.end(), std::uint64_t{0},
                        [](std::uint64_t sum, const FileReport& file) { return sum + added(file.plan); });
    if (reserved != 0) {
        text += QLatin1Char(' ') + reserveText(reserved);
    }
    for (const FileReport& file : report.files) {
        if (const QString links = linksLeftText(file.plan.linksLeft); !links.isEmpty()) {
            text += QLatin1Char(' ') + links;
            break;
        }
    }
    if (report.hashBefore && report.hashAfter) {
        text += QLatin1Char(' ') +
                QCoreApplication::translate("gufo::SaveText", "SHA-256 of all tensor data before and after: %1, equal.")
                    .arg(QString::fromStdString(*report.hashAfter));
    }
    return text;
}

// ---- differences ---------------------------------------------------------------------------------------------------

namespace {

class DifferenceWords {
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
            words << DifferenceWords::tr(row.word);
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
                return DifferenceWords::tr(row.word);
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
