// Whether two files belong together: a model and its projector, adapter, importance matrix, draft model, or prediction
// blocks in a file of their own. The order of the files does not matter; of two models, the one with fewer
// weights drafts for the other.
//
// Only headers, vocabularies and importance matrices are read, never weights.
//
// Threads: thread-safe. The functions read vocabularies, so they must not be called on the UI thread.
#pragma once

#include "base/error.h"
#include "base/job_context.h"
#include "hub/model_place.h"
#include "model/file_kind.h"
#include "quantize/imatrix_coverage.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace gufo {

enum class PairKind : std::uint8_t { Unrelated, Adapter, Projector, Imatrix, Draft, Mtp };
[[nodiscard]] std::string_view pairKindName(PairKind kind); // "none", "adapter", "projector", "imatrix", "draft", "mtp"

enum class PairVerdict : std::uint8_t {
    Fits,
    Limited, // they can be used together, but not fully
    DoesNotFit,
};
[[nodiscard]] std::string_view pairVerdictName(PairVerdict verdict); // "yes", "limited", "no"

enum class PairReasonCode : std::uint8_t {
#define GUFO_PAIR(code, name, verdict, args, words, remedy) code,
#include "pairing/pair_reasons.inc"
#undef GUFO_PAIR
};
[[nodiscard]] std::string_view pairReasonName(PairReasonCode code);

struct PairReason {
    PairReasonCode code;
    std::vector<Argument> args{}; // as listed in pair_reasons.inc
    std::optional<Error> why{};   // worded as the last argument
    [[nodiscard]] PairVerdict verdict() const;
};

struct Pairing {
    PairKind kind = PairKind::Unrelated;
    std::vector<PairReason> reasons;           // never empty
    bool isSecondModel = false;                // the second file is the model to which the first one belongs
    [[nodiscard]] PairVerdict verdict() const; // the worst of the reasons
};

// The answer for two files that are never used together.
[[nodiscard]] Pairing unrelated(FileKind first, FileKind second);
// Errors: Cancelled, FileChangedWhileReading.
[[nodiscard]] Result<Pairing> checkPairing(const std::shared_ptr<const Model>& first,
                                           const std::shared_ptr<const Model>& second, const JobContext& job = {});
// The same for an importance matrix that is no GGUF file. Errors: Cancelled.
[[nodiscard]] Result<Pairing> checkImatrixPairing(const Imatrix& imatrix, const Model& model,
                                                  const JobContext& job = {});

// One of two files that are paired by their paths. It may be an importance matrix in the format before GGUF, which is
// no model.
struct PairFile {
    std::shared_ptr<const Model> model;     // null for an importance matrix in the older format
    std::shared_ptr<const Imatrix> imatrix; // null for everything else
};

// Fails as openModel() does; the error names the file.
[[nodiscard]] Result<PairFile> openPairFile(const hub::ModelPlace& place, const JobContext& job = {});
// Fails as checkPairing() of two models does.
[[nodiscard]] Result<Pairing> checkPairing(const PairFile& first, const PairFile& second, const JobContext& job = {});

} // namespace gufo
