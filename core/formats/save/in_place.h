// The strategies patch and shift: they change files in place, protected by a journal and a lease.
#pragma once

#include "formats/save/planned_file.h"

namespace gufo::saving {

// The reason why files cannot be changed in place after all. Nothing was changed.
struct NotInPlace {
    SaveReason reason;
    Arguments args;
};

// Changes all files whose strategy is patch or shift, or none of them, and sets their plan.bytesToWrite to the bytes
// written. Errors: as for gguf::save().
[[nodiscard]] Result<std::optional<NotInPlace>> saveInPlace(std::span<PlannedFile> files, FileOperations& operations,
                                                            const JobContext& job);

} // namespace gufo::saving
