// Words for saving, and for the differences between a model and its file.
#pragma once

#include "document/difference.h"
#include "formats/save/saving.h"

#include <QString>

#include <chrono>

namespace gufo::ui {

// ---- saving --------------------------------------------------------------------------------------------------------

// For lists and for the review before saving.
[[nodiscard]] QString strategyText(SaveStrategy strategy);               // "Patch"
[[nodiscard]] QString strategyInSentence(SaveStrategy strategy);         // "patch"
[[nodiscard]] QString strategyInSentence(std::string_view strategyName); // of the name that core uses
[[nodiscard]] QString strategyDescription(SaveStrategy strategy);        // "Only the header is written …"
// A clause without a full stop, with its arguments inserted.
[[nodiscard]] QString saveReasonText(SaveReason reason, const Arguments& args);
[[nodiscard]] QString saveReasonText(std::string_view reasonName, const Arguments& args);
// A clause; empty for None.
[[nodiscard]] QString saveAdviceText(SaveAsAdvice advice);

// Says that hard links no longer refer to the same file. Empty for 0.
[[nodiscard]] QString linksLeftText(std::uint64_t links);

// Describes a planned save in one or two sentences: what will be written, how, and what remains untouched.
// `tensorBytes` is the size of the model's tensor data.
[[nodiscard]] QString savePlanText(const SavePlan& plan, std::uint64_t tensorBytes);
// Describes a finished save: "By shift in 1.8 ms, 24.0 KiB written." and the hashes, if they were requested.
[[nodiscard]] QString saveReportText(const SaveReport& report);
[[nodiscard]] QString formatMilliseconds(double milliseconds); // 1.8 ms, 240 ms, 3.4 s
// Rounded to the precision of an estimate: 12 s, 3 min, 2 h.
[[nodiscard]] QString formatDuration(std::chrono::seconds duration);
[[nodiscard]] QString timeLeftText(std::chrono::seconds left); // "about 12 s left"

// ---- differences ---------------------------------------------------------------------------------------------------

[[nodiscard]] QString differenceKind(const Difference& difference); // "Added", "Renamed, changed"
[[nodiscard]] QString differenceName(const Difference& difference); // "a.key", "old.key → new.key", "Byte order"
// For arrays: "3 of 151,936 elements differ, first at 151,667". Empty for other differences.
[[nodiscard]] QString arrayChangeText(const Difference& difference);

} // namespace gufo::ui
