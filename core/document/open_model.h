// Opens a model file of any format that Gufo reads.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <filesystem>

namespace gufo {

// Errors: those of MappedFile::open and of the format's reader; OtherFormat names a format that is recognised but not
// read; NotAModel for anything else. A save of the file that was interrupted is undone or completed first
// (gguf/recover.h, with its errors; SaveInterrupted where the journal is gone). May run on any thread; a network drive
// can make it slow.
[[nodiscard]] Result<std::shared_ptr<const Model>> openModel(const std::filesystem::path& path,
                                                             const JobContext& job = {});

} // namespace gufo
