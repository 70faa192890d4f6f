// What the dialog of Model › Surgery asks for, and what a job makes of it: changes of the document, and files of their
// own.
//
// Threads: any but the UI thread, because files and weights are read.
#pragma once

#include "base/job_context.h"
#include "document/difference.h"
#include "model/change.h"
#include "model/model.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gufo::ui {

enum class SurgeryKind : std::uint8_t {
    DropBlocks,
    DuplicateBlocks,
    ExtractMtp, // to a file of their own
    StripMtp,
    GraftMtp, // from another file
    KeepExperts,
    Retype,
    MoveOut, // to a file of their own
    ExtendVocabulary,
    TrimVocabulary,
};
inline constexpr std::size_t kSurgeryKinds = 10;
// Whether a file is written beside the model.
[[nodiscard]] constexpr bool writesOwnFile(SurgeryKind kind) {
    return kind == SurgeryKind::ExtractMtp || kind == SurgeryKind::MoveOut;
}

struct SurgeryRequest {
    SurgeryKind kind = SurgeryKind::DropBlocks;
    std::string text{};                  // blocks, a number of experts, a regular expression, a token, or ids of tokens
    std::filesystem::path file{};        // the file to graft from; an importance matrix or a list of experts
    std::uint32_t typeId = 0;            // of Retype
    std::filesystem::path out{};         // where the file of its own is written; empty: it is only planned
    std::optional<std::uint64_t> like{}; // of ExtendVocabulary: the token whose rows are copied
};

// A tensor or key as it was and as it will be.
struct SurgeryRow {
    std::string name;
    std::string before; // empty: it is added
    std::string after;  // empty: it is deleted; the name of another tensor: its weights take this place
};

struct SurgeryPlan {
    std::vector<Change> changes{}; // of the document
    std::vector<SurgeryRow> rows{};
    std::uint64_t tensorsBefore = 0;
    std::uint64_t tensorsAfter = 0;
    std::uint64_t bytesBefore = 0; // of all tensors
    std::uint64_t bytesAfter = 0;
    // The file of its own that was written, or the first part, if the model is now in two files; then the document does
    // not change.
    std::optional<std::filesystem::path> written{};
};

// Finds out what would change, without encoding weights and without writing anything. Errors: InvalidArgument
// (Detail::BlockList, SurgeryBreaks and the details of the operation); the errors of opening files; Cancelled.
[[nodiscard]] Result<SurgeryPlan> planSurgery(const std::shared_ptr<const Model>& model, const SurgeryRequest& request,
                                              const JobContext& job);
// Makes the changes, and writes the file of its own. Nothing is written if the result would be invalid. Progress is in
// weights or bytes. Errors: the errors of planSurgery() and of writing.
[[nodiscard]] Result<SurgeryPlan> performSurgery(const std::shared_ptr<const Model>& model,
                                                 const SurgeryRequest& request, const JobContext& job);

} // namespace gufo::ui
