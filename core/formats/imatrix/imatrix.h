// Importance matrices: how much each column of a model's matrices matters, as the mean of its squared inputs over some
// text. Read from GGUF (general.type "imatrix": X.in_sum2 and X.counts for each tensor X) or from the older .dat.
//
// Layout of .dat, little-endian: i32 entries; for each i32 length and bytes of the tensor's name, i32 calls, i32
// values, that many f32 (mean × calls); then, in newer ones, i32 chunks, i32 length and bytes of the data set's name.
// Source: llama.cpp, tools/imatrix.
#pragma once

#include "base/byte_order.h"
#include "base/byte_source.h"
#include "base/job_context.h"
#include "model/tensor_info.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo {

// Threads: reading it is for any thread at once.
class Imatrix {
public:
    // Values are looked at when they are asked for; only names and sizes are read here. Errors: NotImatrix; Truncated,
    // CountTooLarge, StringTooLong; those of the GGUF reader; InvalidArgument (an entry whose parts do not belong
    // together, or that occurs twice); Cancelled.
    [[nodiscard]] static Result<Imatrix> read(std::shared_ptr<const ByteSource> source, const JobContext& job = {});
    // The same of a file. Errors: also those of MappedFile::open.
    [[nodiscard]] static Result<std::shared_ptr<const Imatrix>> open(const std::filesystem::path& path,
                                                                     const JobContext& job = {});

    [[nodiscard]] std::size_t entries() const { return m_entries.size(); }
    [[nodiscard]] bool contains(std::string_view tensor) const { return m_entries.contains(tensor); }
    [[nodiscard]] const std::vector<std::string>& datasets() const { return m_datasets; }
    [[nodiscard]] std::optional<std::uint64_t> chunks() const { return m_chunks; }
    [[nodiscard]] const std::filesystem::path& path() const { return m_source->path(); }

    // Errors: InvalidArgument, with the place, where the entry of a tensor has a number of values that is neither that
    // of its columns nor that of the columns of all its matrices.
    [[nodiscard]] Result<> check(const TensorInfo& tensor) const;

    // One value for each column of matrix number `matrix` of a tensor (an expert; over all dimensions above the
    // second). Empty if it has no entry, or the matrix was never used. Errors: as check(); InvalidArgument for values
    // that are negative or not finite.
    [[nodiscard]] Result<std::vector<float>> importance(const TensorInfo& tensor, std::uint64_t matrix) const;

private:
    struct Entry {
        Bytes sums;
        Bytes counts; // one for each matrix, or one for all; f32 in GGUF, i32 in .dat
    };

    explicit Imatrix(std::shared_ptr<const ByteSource> source)
        : m_source(std::move(source)) {}
    [[nodiscard]] Result<> readGguf(const JobContext& job);
    [[nodiscard]] Result<> readLegacy(const JobContext& job);
    [[nodiscard]] Result<> add(std::string name, Entry entry);

    std::shared_ptr<const ByteSource> m_source;
    std::shared_ptr<const void> m_owner; // of what a GGUF file's entries view
    ByteOrder m_order = ByteOrder::Little;
    bool m_legacy = false;
    std::map<std::string, Entry, std::less<>> m_entries;
    std::vector<std::string> m_datasets;
    std::optional<std::uint64_t> m_chunks{};
};

} // namespace gufo
