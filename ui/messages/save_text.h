// Words for how a save goes: strategies and the reasons for them.
#pragma once

#include "formats/gguf/save/save.h"

#include <QString>

namespace gufo::ui {

// For lists and the review before saving.
[[nodiscard]] QString strategyText(gguf::SaveStrategy strategy);        // "Patch"
[[nodiscard]] QString strategyDescription(gguf::SaveStrategy strategy); // "Only the header is written …"
// A clause without a full stop, with its arguments filled in.
[[nodiscard]] QString saveReasonText(gguf::SaveReason reason, const std::vector<std::string>& args);
[[nodiscard]] QString saveReasonText(std::string_view reasonName, const std::vector<std::string>& args);
// A clause; empty for None.
[[nodiscard]] QString saveAdviceText(gguf::SaveAsAdvice advice);
[[nodiscard]] QString saveAdviceText(std::string_view adviceName); // "content_addressed", "hard_links"

// Before a save, in one or two sentences: what will be written, how, and what will not be touched. `tensorBytes`: of
// the model.
[[nodiscard]] QString savePlanText(const gguf::SavePlan& plan, std::uint64_t tensorBytes);
// After it: "By shift in 1.8 ms, 24.0 KiB written." and, if asked for, the hashes.
[[nodiscard]] QString saveReportText(const gguf::SaveReport& report);
[[nodiscard]] QString formatMilliseconds(double milliseconds); // 1.8 ms, 240 ms, 3.4 s

} // namespace gufo::ui
