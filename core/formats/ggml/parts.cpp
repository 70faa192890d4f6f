// Models in several files, as the first converters of LLaMA wrote them: one file for each file of the original model.
// The first has the name of the model, and the others the same name followed by ".1", ".2" …. Each matrix is cut into
// as many slices by rows or by columns.
#include "base/detail.h"
#include "base/try.h"
#include "formats/ggml/reader.h"
#include "formats/sets/joined_model.h"
#include "model/finding_code.h"

#include <charconv>

namespace gufo::ggml {
namespace {

constexpr std::uint64_t kMaxParts = 64;

// The number of parts, by the width of the embedding, which is cut by columns. 1 for a complete model.
std::uint64_t partCount(const Model& model) {
    const auto embedding = model.findTensor("tok_embeddings.weight");
    const std::uint64_t width = model.metadata.uint("n_embd").value_or(0);
    const std::uint64_t columns = embedding ? model.tensor(*embedding).shape[0] : 0;
    const bool isSlice = columns != 0 && columns < width && width % columns == 0 && width / columns <= kMaxParts;
    return isSlice ? width / columns : 1;
}

struct PartName {
    std::string base;
    std::uint64_t number = 0;
};

PartName partNameOf(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos || dot == 0) {
        return {name, 0};
    }
    std::uint64_t number = 0;
    const char* begin = name.data() + dot + 1;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(begin, end, number);
    const bool isPart = error == std::errc() && stop == end && number != 0 && *begin != '0' && number < kMaxParts;
    return isPart ? PartName{name.substr(0, dot), number} : PartName{name, 0};
}

// Returns what two parts of a model disagree about, or nothing.
std::optional<Arguments> difference(const std::string& fileName, const Model& a, const Model& b) {
    if (a.container != b.container) {
        return Arguments{fileName, Detail::FileFormat, a.container, b.container};
    }
    if (a.version != b.version) {
        return Arguments{fileName, Detail::FormatVersion, a.version, b.version};
    }
    for (const KeyValue& entry : a.metadata) {
        const auto* number = std::get_if<std::uint32_t>(&entry.value);
        const auto other = b.metadata.uint(entry.key);
        if (number != nullptr && other != *number) {
            return Arguments{fileName, entry.key, *number, other ? Argument(*other) : Argument(Detail::Missing)};
        }
    }
    return std::nullopt;
}

} // namespace

Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> file, const JobContext& job,
                                          const SourceOpener& openFile) {
    auto opened = read(std::move(file), job);
    const std::uint64_t count = opened ? partCount(**opened) : 1;
    if (count == 1) {
        return opened;
    }
    const std::filesystem::path folder = (*opened)->path().parent_path();
    const PartName name = partNameOf((*opened)->path().filename().native());
    if (name.number >= count) {
        return opened;
    }
    std::vector<std::filesystem::path> paths;
    for (std::uint64_t i = 0; i < count; ++i) {
        paths.push_back(folder / (i == 0 ? name.base : name.base + '.' + std::to_string(i)));
    }
    JoinedModel joined(paths);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        GUFO_TRY(job.check());
        if (i == name.number) {
            joined.add(i, **opened);
            continue;
        }
        const std::string fileName = paths[i].filename().native();
        auto source = openInFolder(folder, fileName, openFile);
        const auto part = source ? read(*std::move(source), job) : std::unexpected(std::move(source).error());
        if (!part) {
            joined.addMissing(i, part.error());
        } else if (auto differs = difference(fileName, **opened, **part)) {
            joined.findings().add(FindingCode::ShardMismatch, Place::fileName(fileName), *std::move(differs));
        } else {
            joined.add(i, **part);
        }
    }
    if (job.stopRequested()) { // the file read last may only look unreadable
        return fail(ErrorCode::Cancelled);
    }
    joined.model().openedFile = FileIndex(name.number);
    joined.indexTensors(JoinedModel::SameNames::Slices);
    return std::move(joined).finish();
}

} // namespace gufo::ggml
