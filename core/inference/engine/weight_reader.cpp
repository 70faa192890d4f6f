#include "inference/engine/weight_reader.h"

#include "base/file_operations.h"
#include "model/tensor_role.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fcntl.h>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <string_view>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <system_error>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace gufo::inference {
namespace {

constexpr std::uint64_t kSmallGap = std::uint64_t{64} << 10U;
constexpr std::uint64_t kSmallTensor = std::uint64_t{256} << 10U;
constexpr std::uint64_t kStep = std::uint64_t{1} << 20U;
constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

// Requests the tensors that the engine decodes before anything else. Otherwise each of them would make the system read
// megabytes around it, and the decoding thread wait for them.
void requestSmallTensors(const Model& model) {
    for (const TensorInfo& tensor : model.tensors) {
        if (const ByteSource* const source = model.sourceOf(tensor);
            source != nullptr && tensor.strides == nullptr && tensor.bytesPresent <= kSmallTensor) {
            source->advise({tensor.offset, tensor.bytesPresent}, Access::WillNeed);
        }
    }
}

// Whether the page cache holds a mapped byte. Linux says so of every file that the user may not write.
bool isCached(const std::byte& at) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    unsigned char present = 0;
    return ::mincore(std::bit_cast<void*>(std::bit_cast<std::uintptr_t>(&at) / page * page), 1, &present) == 0 &&
           (present & 1U) != 0;
}

// The part of the range between the first and the last step that is not in the page cache, judged by the middle and the
// end of each step, because asking for all pages of a model takes as long as evaluating it. The system reads ahead
// while it is read; leaving out what has arrived that way would end the reading ahead.
ByteRange uncached(const WeightReader::Range& range) {
    std::uint64_t begin = range.bytes.length;
    std::uint64_t end = 0;
    for (std::uint64_t done = 0; done < range.bytes.length; done += kStep) {
        const std::uint64_t length = std::min(kStep, range.bytes.length - done);
        const Bytes step(range.data + done, length);
        if (!isCached(step[length / 2]) || !isCached(step.back())) {
            begin = std::min(begin, done);
            end = done + length;
        }
    }
    return {begin, begin < end ? end - begin : 0};
}

// The file of a source, or an invalid one if another file has taken its place.
OpenFile openAgain(const ByteSource& source) {
    OpenFile file(realFileOperations(), ::open(source.path().c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status{};
    const auto identity = source.identity();
    const bool same = file.get() >= 0 && ::fstat(file.get(), &status) == 0 && identity &&
                      identity->device == status.st_dev && identity->inode == status.st_ino;
    return same ? std::move(file) : OpenFile();
}

// Brings parts of a file into the page cache. The system reads ahead of read(2) and sendfile(2) in large pieces, which
// cost it less than the single pages that it caches for page faults and for madvise(2). sendfile(2) to /dev/null copies
// nothing and takes a third of the processor time of read(2), so that more is left for the evaluation.
class CacheFiller {
public:
    void open(const ByteSource& source) { m_file = openAgain(source); }
    [[nodiscard]] bool isOpen() const { return m_file.get() >= 0; }
    // At most kStep bytes. Errors are left to whoever uses the bytes.
    void fill(std::uint64_t offset, std::uint64_t length) {
        auto at = static_cast<off_t>(offset);
        const auto end = static_cast<off_t>(offset + length);
        while (at < end && ::sendfile(m_sink.get(), m_file.get(), &at, static_cast<std::size_t>(end - at)) > 0) {
        }
        if (at == end) {
            return;
        }
        // Not every file system can send.
        if (m_buffer == nullptr) {
            m_buffer.reset(new (std::nothrow) std::byte[kStep]);
        }
        if (m_buffer != nullptr) {
            static_cast<void>(::pread(m_file.get(), m_buffer.get(), static_cast<std::size_t>(end - at), at));
        }
    }

private:
    OpenFile m_file;
    OpenFile m_sink{realFileOperations(), ::open("/dev/null", O_WRONLY | O_CLOEXEC)};
    std::unique_ptr<std::byte[]> m_buffer;
};

// Whether a token needs only some rows of the tensor.
bool isLookedUp(const TensorInfo& tensor, Embeddings embeddings) {
    const std::string_view role = parseTensorName(tensor.name).role;
    return role == "per_layer_token_embd" || (role == "token_embd" && embeddings == Embeddings::LookedUp);
}

} // namespace

void requestRows(const Matrix& table, std::span<const TokenId> tokens) {
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    for (const TokenId token : tokens) {
        const std::byte* const row = table.row(token.value);
        const auto begin = std::bit_cast<std::uintptr_t>(row) / page * page;
        const auto end = std::bit_cast<std::uintptr_t>(row + table.rowBytes);
        ::madvise(std::bit_cast<void*>(begin), end - begin, MADV_WILLNEED); // memory that is not a file's needs nothing
    }
}

std::vector<WeightReader::Range> weightRanges(const Model& model, Embeddings embeddings) {
    std::vector<const TensorInfo*> tensors;
    for (const TensorInfo& tensor : model.tensors) {
        const ByteSource* const source = model.sourceOf(tensor);
        const bool stack = tensor.shape[2] > 1;
        if (source != nullptr && source->identity() && tensor.strides == nullptr && !stack &&
            !isLookedUp(tensor, embeddings) && fits({tensor.offset, tensor.bytesPresent}, source->size())) {
            tensors.push_back(&tensor);
        }
    }
    std::ranges::sort(tensors, std::less(),
                      [](const TensorInfo* tensor) { return std::tuple(tensor->file.value, tensor->offset); });
    std::vector<WeightReader::Range> ranges;
    for (const TensorInfo* tensor : tensors) {
        const ByteSource* const source = model.sourceOf(*tensor);
        const std::uint64_t end = tensor->offset + tensor->bytesPresent;
        if (!ranges.empty() && ranges.back().source == source) {
            ByteRange& last = ranges.back().bytes;
            if (tensor->offset <= last.offset + last.length + kSmallGap) {
                last.length = std::max(last.length, end - last.offset);
                continue;
            }
        }
        ranges.push_back({.source = source, .bytes = {tensor->offset, tensor->bytesPresent}});
    }
    std::uint64_t before = 0;
    for (WeightReader::Range& range : ranges) {
        const auto view = range.source->view(range.bytes);
        range.data = view ? view->data() : nullptr;
        range.before = before;
        before += range.bytes.length;
    }
    return ranges;
}

WeightReader::WeightReader(std::shared_ptr<const Model> model, std::uint64_t memory, Embeddings embeddings)
    : m_model(std::move(model))
    , m_ranges(weightRanges(*m_model, embeddings))
    , m_read(kAll) {
    const std::uint64_t bytes = m_ranges.empty() ? 0 : m_ranges.back().before + m_ranges.back().bytes.length;
    if (bytes == 0 || (memory != 0 && bytes > memory)) {
        return;
    }
    for (const Range& range : m_ranges) {
        m_byAddress.push_back(&range);
    }
    std::ranges::sort(m_byAddress, std::less(), &Range::data);
    requestSmallTensors(*m_model);
    m_read = 0;
    try {
        m_thread = std::jthread([this](const std::stop_token& stop) { read(stop); });
    } catch (const std::system_error&) {
        m_read = kAll; // evaluations read what they need themselves
    }
}

WeightReader::~WeightReader() = default;

void WeightReader::publish(std::uint64_t read) {
    m_read.store(read, std::memory_order_release);
    m_read.notify_all();
}

void WeightReader::read(const std::stop_token& stop) {
    const ByteSource* opened = nullptr;
    CacheFiller filler;
    for (const Range& range : m_ranges) {
        if (stop.stop_requested()) {
            break;
        }
        if (range.source != opened) {
            opened = range.source;
            filler.open(*opened);
        }
        const ByteRange part = uncached(range);
        for (std::uint64_t done = part.offset; filler.isOpen() && done < part.offset + part.length; done += kStep) {
            if (stop.stop_requested() || range.source->damage()) {
                break;
            }
            const std::uint64_t length = std::min(kStep, part.offset + part.length - done);
            filler.fill(range.bytes.offset + done, length);
            publish(range.before + done + length);
        }
        publish(range.before + range.bytes.length);
    }
    publish(kAll);
}

void WeightReader::await(Bytes bytes, const std::stop_token& stop) const {
    std::uint64_t read = m_read.load(std::memory_order_acquire);
    if (read == kAll || bytes.empty()) {
        return;
    }
    const std::byte* const last = &bytes.back();
    const auto after = std::ranges::upper_bound(m_byAddress, last, std::less(), &Range::data);
    if (after == m_byAddress.begin()) {
        return;
    }
    const Range& range = **(after - 1);
    const auto offset = static_cast<std::uint64_t>(last - range.data);
    if (offset >= range.bytes.length) {
        return;
    }
    while (read <= range.before + offset && !stop.stop_requested()) {
        m_read.wait(read, std::memory_order_acquire);
        read = m_read.load(std::memory_order_acquire);
    }
}

} // namespace gufo::inference
