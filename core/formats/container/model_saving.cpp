#include "formats/container/model_saving.h"

#include "formats/container/container.h"
#include "formats/save/recover.h"

namespace gufo {

std::span<const SaveStrategy> saveStrategies(const Model& model) {
    const Container* container = containerOf(model);
    return container != nullptr ? container->saving.strategies : std::span<const SaveStrategy>();
}

Result<SavePlan> planModelSave(const Model& base, const Model& edited, const SaveTarget& target,
                               const SaveOptions& options) {
    GUFO_TRY(requireCapability(base, Capability::SaveInPlace));
    return containerOf(base)->saving.plan(base, edited, target, options);
}

Result<SaveReport> saveModel(const Model& base, const Model& edited, const SaveTarget& target,
                             const SaveOptions& options, const JobContext& job) {
    GUFO_TRY(requireCapability(base, Capability::SaveInPlace));
    return containerOf(base)->saving.save(base, edited, target, options, job);
}

Result<SaveReport> saveModelAs(const Model& edited, const SaveTarget& target, const std::filesystem::path& path,
                               const SaveOptions& options, const JobContext& job) {
    GUFO_TRY(requireCapability(edited, Capability::SaveAs));
    return containerOf(edited)->saving.saveAs(edited, target, path, options, job);
}

Result<Recovery> recoverModel(const std::filesystem::path& file, MovedFile moved, FileOperations* operations) {
    return saving::recover(file, operations, moved); // journals are the same for all containers
}

} // namespace gufo
