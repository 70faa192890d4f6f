#include "ui/messages/save_text.h"

#include "ui/messages/error_text.h"
#include "ui/messages/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

using gguf::SaveAsAdvice;
using gguf::SaveReason;
using gguf::SaveStrategy;

constexpr const char* kContext = "gufo::SaveText";
#define T(text) QT_TRANSLATE_NOOP("gufo::SaveText", text)

struct StrategyWords {
    SaveStrategy strategy;
    const char* name;
    const char* description;
};
constexpr auto kStrategies = std::to_array<StrategyWords>({
    {SaveStrategy::Unchanged, T("Unchanged"), T("nothing is written")},
    {SaveStrategy::Patch, T("Patch"), T("only the header is written; the tensor data stays where it is")},
    {SaveStrategy::Shift, T("Shift"),
     T("the file system makes or takes away room before the tensor data; only the header is written")},
    {SaveStrategy::Clone, T("Clone"), T("a new file shares the tensor data with the old one and takes its place")},
    {SaveStrategy::Copy, T("Copy"), T("a new file is written whole and takes the place of the old one")},
});

struct ReasonWords {
    SaveReason reason;
    const char* text; // %1 … are the reason's arguments
};
// In the order of SaveReason.
constexpr auto kReasons = std::to_array<ReasonWords>({
    {SaveReason::NothingChanged, T("nothing has changed")},
    {SaveReason::SameSize, T("the header is as long as before")},
    {SaveReason::FitsReserved, T("the reserved space takes up the difference; %1 bytes of it remain")},
    {SaveReason::Grew, T("the header grew by %1 bytes")},
    {SaveReason::Shrank, T("the header shrank by %1 bytes")},
    {SaveReason::Asked, T("this strategy was asked for")},
    {SaveReason::NewFile, T("it is saved as another file")},
    {SaveReason::TensorsMove, T("tensors were deleted, reordered or imported, so that others move")},
    {SaveReason::AlignmentChanges, T("the alignment changes from %1 to %2")},
    {SaveReason::ByteOrderChanges, T("the byte order changes")},
    {SaveReason::WasNotPacked, T("the tensors were not packed, as runtimes require")},
    {SaveReason::TailTooLong, T("%1 bytes behind the last tensor go")},
    {SaveReason::ReservedOff, T("the header changed by no multiple of a block, and reserved space is switched off")},
    {SaveReason::CannotShift, T("the file system cannot insert or remove blocks in a file")},
    {SaveReason::CannotClone, T("the file system cannot share blocks between files")},
    {SaveReason::TooManyExtents, T("the file is in %1 pieces on the disk; only up to %2 are shifted")},
    {SaveReason::TooSmall, T("the file is too small to insert blocks in it")},
    {SaveReason::OpenElsewhere, T("another program has the file open")},
    {SaveReason::OpenHere, T("the model is running here")},
    {SaveReason::NotOwner, T("the file belongs to somebody else, so that it cannot be told who has it open")},
    {SaveReason::NoLease, T("the file system cannot tell who has the file open")},
    {SaveReason::NoJournal, T("the file's name is too long for a journal beside it")},
    {SaveReason::HeaderTooLong, T("the header takes %1 bytes; only up to %2 are changed in place")},
    {SaveReason::SeveralFiles, T("another part of the model has to be copied, and all parts change together")},
});

constexpr bool inOrder() {
    for (std::size_t i = 0; i < kReasons.size(); ++i) {
        if (static_cast<std::size_t>(kReasons[i].reason) != i) {
            return false;
        }
    }
    return kReasons.size() == static_cast<std::size_t>(SaveReason::SeveralFiles) + 1;
}
static_assert(inOrder(), "kReasons has one row for each SaveReason, in order");

struct AdviceWords {
    SaveAsAdvice advice;
    std::string_view name;
    const char* text;
};
constexpr auto kAdvice = std::to_array<AdviceWords>({
    {SaveAsAdvice::ContentAddressed, "content_addressed",
     T("its name is the hash of its content, as in the cache of Hugging Face or the store of Ollama, which would "
       "no longer be true")},
    {SaveAsAdvice::HardLinks, "hard_links", T("it has other names in the file system, which would change too")},
});
#undef T

QString tr(const char* text) { return QCoreApplication::translate(kContext, text); }

} // namespace

QString strategyText(SaveStrategy strategy) { return tr(kStrategies[static_cast<std::size_t>(strategy)].name); }

QString strategyDescription(SaveStrategy strategy) {
    return tr(kStrategies[static_cast<std::size_t>(strategy)].description);
}

QString saveReasonText(SaveReason reason, const std::vector<std::string>& args) {
    return fillIn(tr(kReasons[static_cast<std::size_t>(reason)].text), args);
}

QString saveReasonText(std::string_view name, const std::vector<std::string>& args) {
    for (const ReasonWords& words : kReasons) {
        if (gguf::reasonName(words.reason) == name) {
            return saveReasonText(words.reason, args);
        }
    }
    return displayText(name);
}

QString saveAdviceText(SaveAsAdvice advice) {
    for (const AdviceWords& words : kAdvice) {
        if (words.advice == advice) {
            return tr(words.text);
        }
    }
    return {};
}

QString saveAdviceText(std::string_view name) {
    for (const AdviceWords& words : kAdvice) {
        if (words.name == name) {
            return tr(words.text);
        }
    }
    return displayText(name);
}

QString formatMilliseconds(double milliseconds) {
    if (milliseconds < 1000) {
        return tr(QT_TRANSLATE_NOOP("gufo::SaveText", "%1 ms")).arg(milliseconds, 0, 'f', milliseconds < 100 ? 1 : 0);
    }
    return tr(QT_TRANSLATE_NOOP("gufo::SaveText", "%1 s")).arg(milliseconds / 1000, 0, 'f', 1);
}

QString savePlanText(const gguf::SavePlan& plan, std::uint64_t tensorBytes) {
    if (plan.refusal) {
        return tr(QT_TRANSLATE_NOOP("gufo::SaveText", "It can be saved only under another name: %1."))
            .arg(errorReason(*plan.refusal));
    }
    if (plan.advice != SaveAsAdvice::None) {
        return tr(QT_TRANSLATE_NOOP("gufo::SaveText", "Better saved under another name: %1."))
            .arg(saveAdviceText(plan.advice));
    }
    if (plan.files.empty()) {
        return tr(QT_TRANSLATE_NOOP("gufo::SaveText", "Nothing needs to be written."));
    }
    const SaveStrategy strategy = std::ranges::max(plan.files, {}, &gguf::FilePlan::strategy).strategy;
    const QString bytes = formatBytes(plan.bytesToWrite());
    const QString name = strategyText(strategy).toLower();
    const gguf::FilePlan& file = plan.files.front();
    QString text;
    if (strategy == SaveStrategy::Copy) {
        text = tr(QT_TRANSLATE_NOOP("gufo::SaveText", "Saving writes the file anew, %1 (%2): %3."))
                   .arg(bytes, name, saveReasonText(file.reason, file.args));
    } else {
        text =
            strategy == SaveStrategy::Clone
                ? tr(QT_TRANSLATE_NOOP("gufo::SaveText",
                                       "Saving writes %1 of header into a new file that shares the rest (%2)."))
                      .arg(bytes, name)
                : tr(QT_TRANSLATE_NOOP("gufo::SaveText", "Saving writes %1 of header in place (%2).")).arg(bytes, name);
        if (tensorBytes != 0) {
            text +=
                QLatin1Char(' ') + tr(QT_TRANSLATE_NOOP("gufo::SaveText", "The %1 of tensor data are not rewritten."))
                                       .arg(formatBytes(tensorBytes));
        }
    }
    if (plan.files.size() > 1) {
        text +=
            QLatin1Char(' ') +
            tr(QT_TRANSLATE_NOOP("gufo::SaveText", "%1 files of the set change.")).arg(formatCount(plan.files.size()));
    }
    return text;
}

QString saveReportText(const gguf::SaveReport& report) {
    if (report.files.empty()) {
        return tr(QT_TRANSLATE_NOOP("gufo::SaveText", "Nothing needed to be written."));
    }
    const auto slowest =
        std::ranges::max(report.files, {}, [](const gguf::FileReport& file) { return file.plan.strategy; });
    QString text = tr(QT_TRANSLATE_NOOP("gufo::SaveText", "By %1 in %2, %3 written."))
                       .arg(strategyText(slowest.plan.strategy).toLower(), formatMilliseconds(report.milliseconds),
                            formatBytes(report.bytesWritten()));
    if (report.hashBefore && report.hashAfter) {
        text += QLatin1Char(' ') +
                tr(QT_TRANSLATE_NOOP("gufo::SaveText", "SHA-256 of all tensor data before and after: %1, equal."))
                    .arg(QString::fromStdString(*report.hashAfter));
    }
    return text;
}

} // namespace gufo::ui
