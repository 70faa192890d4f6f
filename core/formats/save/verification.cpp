#include "formats/save/verification.h"

#include "base/mapped_file.h"
#include "formats/format.h"
#include "formats/save/tensor_hash.h"

namespace gufo::saving {
namespace {

std::vector<TensorIndex> allTensors(const Model& model) {
    std::vector<TensorIndex> tensors;
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        tensors.emplace_back(i);
    }
    return tensors;
}

// The tensors of the written model, in the order of the model that it was written from.
std::vector<TensorIndex> inOrderOf(const Model& edited, const Model& written) {
    std::vector<TensorIndex> tensors = allTensors(written);
    const bool inOneFile = edited.shardCount() == 1 && written.shardCount() == 1;
    if (inOneFile || edited.tensors.size() != written.tensors.size()) {
        return tensors;
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        tensors[i] = written.findTensor(edited.tensors[i].name).value_or(tensors[i]);
    }
    return tensors;
}

} // namespace

Result<> hashBefore(SaveReport& report, const Model& edited, const SaveTarget& target, const JobContext& job) {
    report.hashBefore = GUFO_TRY(hashTensors(edited, allTensors(edited), target.byteOrder, job));
    return {};
}

Result<> hashAfter(SaveReport& report, const Model& edited, const SaveTarget& target, const std::filesystem::path& path,
                   const JobContext& job) {
    auto file = MappedFile::open(path);
    const auto written = GUFO_TRY(file ? readModel(*std::move(file), job) : std::unexpected(std::move(file).error()));
    report.hashAfter = GUFO_TRY(hashTensors(*written, inOrderOf(edited, *written), target.byteOrder, job));
    if (report.hashAfter != report.hashBefore) {
        return std::unexpected(
            Error{ErrorCode::VerificationFailed, path, {}, {*report.hashBefore, *report.hashAfter}, 0});
    }
    return {};
}

} // namespace gufo::saving
