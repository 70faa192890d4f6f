// Keeps the factors that calibrations have measured, so that the same model, text and importance matrix are not
// measured twice: one small file for each, named by a hash of what was measured (the names, shapes and beginnings of
// the tensors, the errors of the probes, the tokens).
//
// Threads: any but the UI thread, because files are read and written.
#pragma once

#include "quantize/calibration.h"

#include <filesystem>
#include <optional>
#include <string>

namespace gufo {

// `$XDG_CACHE_HOME/gufo/calibrations` or `~/.cache/gufo/calibrations`; empty if neither is known.
[[nodiscard]] std::filesystem::path calibrationFolder();

[[nodiscard]] std::string calibrationName(const Model& model, const CostTable& costs,
                                          std::span<const inference::BlameText> windows);
// Nothing if there is no such file, or if it is damaged or has factors of tensors that the model does not have.
[[nodiscard]] std::optional<SensitivityFactors> storedFactors(const std::filesystem::path& folder,
                                                              const std::string& name, const Model& model);
// Failing to write is not an error, because the store only saves time. The oldest of many files are deleted.
void storeFactors(const std::filesystem::path& folder, const std::string& name, const SensitivityFactors& factors);

// The stored factors, or those that calibrate() measures, which are then stored. Nothing is stored if `folder` is
// empty.
[[nodiscard]] Result<SensitivityFactors>
calibrateOnce(const std::shared_ptr<const Model>& model, const std::shared_ptr<const Imatrix>& imatrix,
              const CostTable& costs, std::span<const inference::BlameText> windows,
              const inference::SessionOptions& options, const std::filesystem::path& folder, const JobContext& job);

} // namespace gufo
