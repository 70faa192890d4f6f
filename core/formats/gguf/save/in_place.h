// Patch and shift: changes files where they are, under a journal and with a lease.
#pragma once

#include "formats/gguf/save/planned_save.h"

namespace gufo::gguf {

// Why files cannot be changed in place after all; nothing was changed.
struct NotInPlace {
    SaveReason reason;
    std::vector<std::string> args;
};

// Changes all files whose strategy is patch or shift, or none; sets their plan.bytesToWrite to what was written. Errors
// as gguf::save().
[[nodiscard]] Result<std::optional<NotInPlace>> saveInPlace(std::span<PlannedFile> files, FileOperations& operations,
                                                            const JobContext& job);

} // namespace gufo::gguf
