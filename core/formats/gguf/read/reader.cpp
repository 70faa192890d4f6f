#include "formats/gguf/read/reader.h"

#include "base/detail.h"
#include "formats/detection/file_start.h"
#include "formats/gguf/read/growing.h"
#include "formats/gguf/read/header_reader.h"
#include "formats/gguf/read/tensor_layout.h"
#include "model/finding_code.h"

#include <algorithm>
#include <array>

namespace gufo::gguf {
namespace {

constexpr auto kMagic = std::to_array({std::byte{'G'}, std::byte{'G'}, std::byte{'U'}, std::byte{'F'}});
constexpr std::uint64_t kVersionOffset = 4;

struct Attempt {
    std::shared_ptr<Model> model;
    FindingList findings;
};

// Whether the header may continue after the part of the file whose reading failed with this error.
bool endsTooEarly(ErrorCode code) {
    return code == ErrorCode::Truncated || code == ErrorCode::CountTooLarge || code == ErrorCode::StringTooLong ||
           code == ErrorCode::ArrayTooLong;
}

// Receives the state of reading when a part of a file turns out not to contain the whole header.
struct Unfinished {
    const HeaderSoFar& headerSoFar;
    std::uint64_t leastBytes = 0; // HeaderReader::leastBytes()
};

Result<Attempt> readAs(Dialect dialect, const Model& start, Bytes bytes, const JobContext& job,
                       Unfinished& unfinished) {
    Attempt attempt{.model = std::make_shared<Model>(start), .findings = {}};
    Model& model = *attempt.model;
    const bool wide = dialect == Dialect::Version2;
    model.layout = {.order = model.byteOrder,
                    .lengths = wide ? ValueLayout::Lengths::U64 : ValueLayout::Lengths::U32,
                    .arrayHead = dialect == Dialect::Draft1 ? ValueLayout::ArrayHead::LengthFirst
                                                            : ValueLayout::ArrayHead::TypeFirst};
    if (dialect == Dialect::Draft1) {
        attempt.findings.add(FindingCode::DraftVersion1);
    }
    if (model.byteOrder == ByteOrder::Big && model.version < 3) {
        attempt.findings.add(FindingCode::BigEndianBeforeV3, Place::atOffset(kVersionOffset), {model.version});
    }
    HeaderReader reader(model, attempt.findings, job, dialect);
    if (auto read = reader.read(bytes); !read) {
        unfinished.leastBytes = reader.leastBytes();
        if (unfinished.headerSoFar && endsTooEarly(read.error().code) && model.metadata.size() > 0) {
            unfinished.headerSoFar(model);
        }
        return std::unexpected(std::move(read).error());
    }
    layOutTensors(model, attempt.findings, dialect == Dialect::Draft1);
    return attempt;
}

// Whether the file was interpreted correctly: a file that was read in its own layout has none of these findings.
bool parsedToTheEnd(const FindingList& findings) {
    return std::ranges::none_of(
        std::to_array({FindingCode::TrailingBytes, FindingCode::PaddingNotZero, FindingCode::EmptyKey,
                       FindingCode::TensorNameEmpty, FindingCode::TensorDataMissing, FindingCode::TensorsOverlap}),
        [&](FindingCode code) { return findings.count(code) != 0; });
}

// Reads version 1 as it was released, or as its draft if only the draft makes sense of the file.
Result<Attempt> readVersion1(const Model& start, Bytes bytes, const JobContext& job, Unfinished& unfinished) {
    auto shipped = readAs(Dialect::Version1, start, bytes, job, unfinished);
    const bool settled = shipped ? parsedToTheEnd(shipped->findings) : shipped.error().code == ErrorCode::Cancelled;
    if (settled) {
        return shipped;
    }
    const std::uint64_t least = unfinished.leastBytes;
    auto draft = readAs(Dialect::Draft1, start, bytes, job, unfinished);
    unfinished.leastBytes = std::min(least, unfinished.leastBytes); // one of the layouts is wrong
    return draft ? std::move(draft) : std::move(shipped);
}

} // namespace

bool hasMagic(Bytes start) {
    return start.size() >= kMagic.size() && std::ranges::equal(start.first(kMagic.size()), kMagic);
}

namespace {

// Reads the header from the first `length` bytes of a file.
Result<std::shared_ptr<const Model>> readPart(const std::shared_ptr<const ByteSource>& source, std::uint64_t length,
                                              const JobContext& job, Unfinished& unfinished) {
    const std::filesystem::path& path = source->path();
    const auto view = GUFO_TRY(source->view({0, length}));
    const Bytes bytes = view;
    if (!hasMagic(bytes)) {
        return std::unexpected(notAModel(bytes, path));
    }
    const auto refuse = [&](ErrorCode code, Arguments args) {
        return std::unexpected(
            Error{.code = code, .file = path, .place = Place::atOffset(kVersionOffset), .args = std::move(args)});
    };
    if (bytes.size() < kVersionOffset + sizeof(std::uint32_t)) {
        return refuse(ErrorCode::Truncated, {Detail::Header, sizeof(std::uint32_t), bytes.size() - kVersionOffset});
    }
    Model start;
    start.container = kContainer;
    start.files.push_back({.source = source, .path = path});
    start.version = load<std::uint32_t>(bytes.data() + kVersionOffset);
    if ((start.version & 0xFFFFU) == 0) {
        start.byteOrder = ByteOrder::Big;
        start.version = byteSwapped(start.version);
    }
    if (start.version == 0 || start.version > kMaxVersion) {
        return refuse(ErrorCode::UnsupportedVersion, {start.version});
    }
    auto attempt = start.version == 1 ? readVersion1(start, bytes, job, unfinished)
                                      : readAs(Dialect::Version2, start, bytes, job, unfinished);
    if (const auto damage = source->damage()) {
        return std::unexpected(*damage); // before any other error, because the bytes that were parsed may have been
                                         // zeros
    }
    if (!attempt) {
        return std::unexpected(std::move(attempt).error().in(path));
    }
    Model& model = *attempt->model;
    for (const TensorIndex duplicate : model.indexTensors()) {
        const std::string name(model.tensor(duplicate).name);
        attempt->findings.add(FindingCode::DuplicateTensorName, Place::tensor(name), {name});
    }
    model.findings = std::move(attempt->findings).take();
    return attempt->model;
}

} // namespace

Result<std::shared_ptr<const Model>> read(std::shared_ptr<const ByteSource> source, const JobContext& job) {
    const HeaderSoFar ignored;
    Unfinished unfinished{.headerSoFar = ignored};
    return readPart(source, source->size(), job, unfinished);
}

Result<std::shared_ptr<const Model>> readGrowing(std::shared_ptr<const ByteSource> source, const JobContext& job,
                                                 const HeaderSoFar& headerSoFar) {
    const std::uint64_t most = std::min(source->size(), kLargestPart);
    std::uint64_t length = std::min(most, kPartStep);
    while (true) {
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        Unfinished unfinished{.headerSoFar = headerSoFar};
        auto model = readPart(source, length, job, unfinished);
        if (model && headerSoFar) {
            headerSoFar(**model);
        }
        if (model || length == most || !endsTooEarly(model.error().code)) {
            return model;
        }
        // The counts in a file are not trusted for more than a few times the length that was read.
        const std::uint64_t trusted = std::max(length * kPartGrowth, kTrustedPart);
        const std::uint64_t wanted = std::clamp(unfinished.leastBytes, length + 1, trusted);
        length = std::min(most, (wanted + kPartStep - 1) / kPartStep * kPartStep);
    }
}

} // namespace gufo::gguf
