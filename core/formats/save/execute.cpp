#include "formats/save/execute.h"

#include "base/detail.h"
#include "base/mapped_file.h"
#include "base/output_file.h"
#include "base/parallel.h"
#include "base/sha256.h"
#include "formats/save/in_place.h"
#include "formats/save/new_files.h"
#include "formats/save/probe.h"
#include "formats/save/recover.h"

#include <algorithm>
#include <chrono>

namespace gufo::saving {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

bool changesInPlace(const PlannedFile& file) {
    return file.plan.strategy == SaveStrategy::Patch || file.plan.strategy == SaveStrategy::Shift;
}
bool isWrittenAnew(const PlannedFile& file) {
    return file.plan.strategy == SaveStrategy::Clone || file.plan.strategy == SaveStrategy::Copy;
}

// Later predictions use the rate of this copy.
void rememberRate(std::span<const PlannedFile> files, double seconds) {
    std::uint64_t bytes = 0;
    for (const PlannedFile& file : files) {
        bytes += file.plan.strategy == SaveStrategy::Copy ? file.plan.bytesAfter : 0;
    }
    if (bytes >= kLongCopy && seconds > 0) {
        rememberCopyRate(files.front().status.device, static_cast<double>(bytes) / seconds);
    }
}

NewFile newFileOf(const PlannedFile& planned) {
    NewFile file;
    file.path = planned.plan.path;
    file.header = planned.header;
    file.size = planned.plan.bytesAfter;
    file.replaces = true;
    file.replaced = planned.status.identity();
    file.clone = planned.plan.strategy == SaveStrategy::Clone;
    if (planned.sameData) {
        const std::uint64_t from = std::min(planned.oldDataOffset, planned.plan.bytesBefore);
        const std::uint64_t left = std::min(planned.plan.bytesBefore - from, file.size - file.header.size());
        file.pieces = {{.source = planned.source, .range = {from, left}, .offset = file.header.size()}};
        return file;
    }
    file.pieces = planned.pieces(file.header.size());
    if (planned.tail.length != 0) {
        file.pieces.push_back(
            {.source = planned.source, .range = planned.tail, .offset = file.size - planned.tail.length});
    }
    return file;
}

class Save {
public:
    Save(ContainerSaving container, const Model& base, const Model& edited, const SaveTarget& target,
         const SaveOptions& options, const JobContext& job)
        : m_container(container)
        , m_base(base)
        , m_edited(edited)
        , m_target(target)
        , m_options(options)
        , m_operations(options.operations != nullptr ? *options.operations : realFileOperations())
        , m_job(job) {}

    Result<SaveReport> run();

private:
    Result<> checkAllowed(const SavePlan& plan) const;
    Result<> write(std::vector<PlannedFile>& files);
    Result<> writeAnew(std::vector<PlannedFile>& files);
    void sayCostsMore(const PlannedFile& file) const;

    ContainerSaving m_container;
    const Model& m_base;
    const Model& m_edited;
    const SaveTarget& m_target;
    const SaveOptions& m_options;
    FileOperations& m_operations;
    const JobContext& m_job;
    SaveReport m_report;
};

Result<> Save::checkAllowed(const SavePlan& plan) const {
    if (plan.refusal) {
        return std::unexpected(*plan.refusal);
    }
    if (plan.advice != SaveAsAdvice::None && !m_options.allowSharedFile) {
        const Detail why = plan.advice == SaveAsAdvice::HardLinks ? Detail::HardLinks : Detail::ContentAddressed;
        return std::unexpected(Error{ErrorCode::SharedFile, plan.files[0].path, {}, {why}, 0});
    }
    return {};
}

Result<SaveReport> Save::run() {
    const auto start = Clock::now();
    for (const ModelFile& file : std::span(m_base.files).first(m_base.shardCount())) {
        if (file.source != nullptr) {
            GUFO_TRY(recover(file.path, &m_operations));
        }
    }
    auto planned = GUFO_TRY(m_container.plan(m_base, m_edited, m_target, m_options, m_operations, Purpose::Save));
    if (planned.plan.files.empty()) {
        return m_report;
    }
    GUFO_TRY(checkAllowed(planned.plan));
    const auto hashing = Clock::now();
    if (m_options.verify) {
        GUFO_TRY(hashBefore(m_report, m_edited, m_target, m_job));
    }
    const double hashed = millisecondsSince(hashing);
    GUFO_TRY(write(planned.files));
    m_report.milliseconds = millisecondsSince(start) - hashed;
    for (PlannedFile& file : planned.files) {
        if (file.plan.strategy != SaveStrategy::Unchanged) {
            // A file that could not be changed in place was written as a new file.
            file.plan.linksLeft = file.linksLeft();
            m_report.files.push_back({file.plan, m_report.milliseconds});
        }
    }
    // A shard, rather than the folder or the list through which the model was opened.
    const std::filesystem::path& written = m_base.files[m_base.openedFile.value].path;
    if (m_options.verify) {
        GUFO_TRY(hashAfter(m_report, m_edited, m_target, written, m_container.read, m_job));
    }
    return std::move(m_report);
}

Result<> Save::write(std::vector<PlannedFile>& files) {
    if (std::ranges::any_of(files, changesInPlace)) {
        auto done = GUFO_TRY(saveInPlace(files, m_operations, m_job));
        if (!done) {
            return {};
        }
        for (PlannedFile& file : files) {
            if (!changesInPlace(file)) {
                continue;
            }
            if (m_options.strategy) {
                Arguments args{std::string(strategyName(file.plan.strategy)), std::string(reasonName(done->reason))};
                return std::unexpected(Error{ErrorCode::StrategyImpossible, file.plan.path, {}, std::move(args), 0});
            }
            fallBack(file, done->reason, done->args);
            sayCostsMore(file);
        }
    }
    auto written = writeAnew(files);
    const bool cannotClone = !written && written.error().code == ErrorCode::StrategyImpossible;
    if (!cannotClone || m_options.strategy) {
        return written;
    }
    for (PlannedFile& file : files) {
        if (file.plan.strategy == SaveStrategy::Clone) {
            file.plan.strategy = SaveStrategy::Copy;
            file.plan.bytesToWrite = file.plan.bytesAfter;
            sayCostsMore(file);
        }
    }
    return writeAnew(files);
}

void Save::sayCostsMore(const PlannedFile& file) const {
    if (m_options.costsMore) {
        m_options.costsMore(file.plan);
    }
}

Result<> Save::writeAnew(std::vector<PlannedFile>& planned) {
    std::vector<NewFile> files;
    for (const PlannedFile& file : planned) {
        if (isWrittenAnew(file)) {
            files.push_back(newFileOf(file));
        }
    }
    const auto start = Clock::now();
    GUFO_TRY(writeNewFiles(files, m_operations, m_job));
    rememberRate(planned, millisecondsSince(start) / 1000);
    auto file = files.begin();
    for (PlannedFile& plan : planned) {
        if (isWrittenAnew(plan)) {
            plan.plan.bytesToWrite = (file++)->written;
        }
    }
    return {};
}

// Fails if writing would replace a file that is read from.
Result<> checkNotSource(const NewFile& target, const Model& edited, FileOperations& operations) {
    const auto status = operations.status(target.path);
    for (std::size_t i = 0; status && i < edited.files.size(); ++i) {
        const auto source = operations.status(edited.files[i].path);
        if (source && source->inode == status->inode && source->device == status->device) {
            const Detail why = i >= edited.shardCount()   ? Detail::ReplacesImportSource
                               : edited.shardCount() == 1 ? Detail::OwnFile
                                                          : Detail::ReplacesOwnPart;
            return std::unexpected(Error{ErrorCode::InvalidArgument, target.path, {}, {why}, 0});
        }
    }
    return {};
}

} // namespace

Result<SavePlan> predict(PlanSave planSave, const Model& base, const Model& edited, const SaveTarget& target,
                         const SaveOptions& options) {
    FileOperations& operations = options.operations != nullptr ? *options.operations : realFileOperations();
    auto planned = GUFO_TRY(planSave(base, edited, target, options, operations, Purpose::Prediction));
    return std::move(planned.plan);
}

Result<SaveReport> execute(ContainerSaving container, const Model& base, const Model& edited, const SaveTarget& target,
                           const SaveOptions& options, const JobContext& job) {
    return Save(container, base, edited, target, options, job).run();
}

std::filesystem::path resolveNew(FileOperations& operations, const std::filesystem::path& path) {
    if (auto resolved = operations.resolve(path)) {
        return *std::move(resolved);
    }
    const std::filesystem::path folder = path.parent_path();
    const auto resolved = operations.resolve(folder.empty() ? std::filesystem::path(".") : folder);
    return resolved ? *resolved / path.filename() : path;
}

Result<> findTarget(NewFile& file, FileOperations& operations) {
    const auto status = operations.status(file.path);
    if (status && !status->regular) {
        return std::unexpected(
            Error{status->directory ? ErrorCode::IsDirectory : ErrorCode::NotRegularFile, file.path, {}, {}, 0});
    }
    if (status && isContentHash(file.path.filename().native())) {
        return std::unexpected(Error{ErrorCode::InvalidArgument, file.path, {}, {Detail::ReplacesHashedFile}, 0});
    }
    file.replaces = status.has_value();
    return {};
}

Result<SaveReport> saveNewFiles(ReadWritten read, const Model& edited, const SaveTarget& target,
                                std::span<NewFile> files, const SaveOptions& options, const JobContext& job) {
    FileOperations& operations = options.operations != nullptr ? *options.operations : realFileOperations();
    if (options.strategy && *options.strategy != SaveStrategy::Copy) { // the others change the file that was opened
        return std::unexpected(
            Error{ErrorCode::StrategyImpossible,
                  files[0].path,
                  {},
                  {std::string(strategyName(*options.strategy)), std::string(reasonName(SaveReason::NewFile))},
                  0});
    }
    for (NewFile& file : files) {
        GUFO_TRY(findTarget(file, operations));
        GUFO_TRY(checkNotSource(file, edited, operations));
    }
    SaveReport report;
    GUFO_TRY(options.verify ? hashBefore(report, edited, target, job) : Result<>());
    const auto start = Clock::now();
    GUFO_TRY(writeNewFiles(files, operations, job));
    report.milliseconds = millisecondsSince(start);
    for (std::size_t i = 0; i < files.size(); ++i) {
        FilePlan plan;
        plan.file = FileIndex(i);
        plan.path = files[i].path;
        plan.strategy = SaveStrategy::Copy;
        plan.reason = SaveReason::NewFile;
        plan.bytesToWrite = files[i].written;
        plan.bytesAfter = files[i].size;
        report.files.push_back({plan, report.milliseconds});
    }
    GUFO_TRY(options.verify ? hashAfter(report, edited, target, files[0].path, read, job) : Result<>());
    return report;
}

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

// The SHA-256, in hexadecimal, over the SHA-256 of each tensor's bytes in the given byte order. Progress is in bytes.
// Errors: Cancelled, FileChangedWhileReading, the errors of reading.
Result<std::string> hashTensors(const Model& model, std::span<const TensorIndex> tensors, ByteOrder order,
                                const JobContext& job) {
    std::uint64_t total = 0;
    for (const TensorIndex index : tensors) {
        total += model.tensor(index).bytesPresent;
    }
    job.start(total);
    std::vector<Sha256Digest> digests(tensors.size());
    std::vector<Result<>> results(tensors.size());
    const auto hashOne = [&](std::size_t i) -> Result<> {
        const TensorInfo& tensor = model.tensor(tensors[i]);
        const auto bytes = GUFO_TRY(model.bytesOf(tensor));
        Sha256 hash;
        std::uint64_t at = tensor.offset;
        const auto add = [&](Bytes part) -> Result<> {
            hash.add(part);
            model.sourceOf(tensor)->advise({at, part.size()}, Access::Release);
            at += part.size();
            job.advance(part.size());
            return {};
        };
        const TensorTypeFact* type = tensor.type();
        const bool swaps = model.byteOrder != order && type != nullptr;
        auto passed = passTensor(bytes, swaps ? RowLayout::of(*type, tensor.shape[0]) : std::nullopt, add, job);
        digests[i] = hash.finish();
        return passed;
    };
    const bool whole = parallelFor(tensors.size(), 1, job, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t i = begin; i < end; ++i) {
            results[i] = hashOne(i);
        }
    });
    if (!whole) {
        return fail(ErrorCode::Cancelled);
    }
    for (Result<>& result : results) {
        GUFO_TRY(std::move(result));
    }
    for (const ModelFile& file : model.files) {
        if (const auto damage = file.source != nullptr ? file.source->damage() : std::nullopt) {
            return std::unexpected(*damage);
        }
    }
    Sha256 all;
    for (const Sha256Digest& digest : digests) {
        all.add(digest);
    }
    return hexText(all.finish());
}

} // namespace

Result<> hashBefore(SaveReport& report, const Model& edited, const SaveTarget& target, const JobContext& job) {
    report.hashBefore = GUFO_TRY(hashTensors(edited, allTensors(edited), target.byteOrder, job));
    return {};
}

Result<> hashAfter(SaveReport& report, const Model& edited, const SaveTarget& target, const std::filesystem::path& path,
                   ReadWritten read, const JobContext& job) {
    auto file = GUFO_TRY(MappedFile::open(path));
    const auto written = GUFO_TRY(read(std::move(file), job));
    report.hashAfter = GUFO_TRY(hashTensors(*written, inOrderOf(edited, *written), target.byteOrder, job));
    if (report.hashAfter != report.hashBefore) {
        return std::unexpected(
            Error{ErrorCode::VerificationFailed, path, {}, {*report.hashBefore, *report.hashAfter}, 0});
    }
    return {};
}

} // namespace gufo::saving
