// Importance matrices. They state how much each column of a model's matrices matters: the mean of its squared inputs
// over some text. They are read from GGUF (general.type "imatrix" with X.in_sum2 and X.counts for each tensor X) or
// from the older .dat files.
//
// Layout of .dat, little-endian: i32 number of entries; for each entry, i32 length and bytes of the tensor's name, i32
// calls, i32 number of values, the values as f32 (mean × calls); in newer files also i32 chunks, i32 length and bytes
// of the data set's name. Source: llama.cpp, tools/imatrix.
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

// Threads: const members are thread-safe.
class Imatrix {
public:
    // Reads only names and sizes; values are examined when they are requested. Errors: NotImatrix; Truncated,
    // CountTooLarge, StringTooLong; the errors of the GGUF reader; InvalidArgument (an entry that is duplicate or whose
    // parts do not match); Cancelled.
    [[nodiscard]] static Result<Imatrix> read(std::shared_ptr<const ByteSource> source, const JobContext& job = {});
    // The same for a file. Errors: additionally the errors of MappedFile::open().
    [[nodiscard]] static Result<std::shared_ptr<const Imatrix>> open(const std::filesystem::path& path,
                                                                     const JobContext& job = {});

    [[nodiscard]] std::size_t entries() const { return m_entries.size(); }
    [[nodiscard]] bool contains(std::string_view tensor) const { return m_entries.contains(tensor); }
    [[nodiscard]] const std::vector<std::string>& datasets() const { return m_datasets; }
    [[nodiscard]] std::optional<std::uint64_t> chunks() const { return m_chunks; }
    [[nodiscard]] const std::filesystem::path& path() const { return m_source->path(); }

    [[nodiscard]] std::vector<std::string_view> names() const; // of the tensors, sorted
    // An entry as it is stored. GGUF files have a count for each matrix, .dat files one for all.
    struct Values {
        std::vector<double> sums{}; // [matrix][column]
        std::vector<double> counts{};
    };
    // Nothing if there is no entry. Errors: InvalidArgument for values that are negative or not finite.
    [[nodiscard]] Result<std::optional<Values>> values(std::string_view tensor) const;

    // Errors: InvalidArgument, with the place, if the number of values in the tensor's entry is neither the number of
    // its columns nor the number of the columns of all its matrices.
    [[nodiscard]] Result<> check(const TensorInfo& tensor) const;

    // The name of the entry that is used for a tensor: its own entry, or the entry of a tensor with the same inputs in
    // a conversion that fuses or splits them (queries, keys and values; gate and up). Empty: there is no entry.
    [[nodiscard]] std::string_view entryFor(std::string_view tensor) const;

    // One value for each column of matrix number `matrix` of a tensor. Matrices (experts) are numbered over all
    // dimensions above the second. Returns nothing if the tensor has no entry, the matrix was never used or all values
    // are 0. Errors: as for check(); InvalidArgument for values that are negative or not finite.
    [[nodiscard]] Result<std::vector<float>> importance(const TensorInfo& tensor, std::uint64_t matrix) const;
    struct MatrixCounts {
        std::uint64_t given = 0; // matrices for which importance() returns values
        std::uint64_t all = 0;   // matrices of the tensor
    };
    // Reads the whole entry. Errors: the errors of importance().
    [[nodiscard]] Result<MatrixCounts> countMatrices(const TensorInfo& tensor) const;

private:
    struct Entry {
        Bytes sums;
        Bytes counts; // one per matrix, or one for all; f32 in GGUF, i32 in .dat
    };

    [[nodiscard]] double countAt(const Entry& entry, std::uint64_t i) const;

    [[nodiscard]] const Entry* find(std::string_view tensor) const; // of entryFor(); null: there is none

    explicit Imatrix(std::shared_ptr<const ByteSource> source)
        : m_source(std::move(source)) {}
    [[nodiscard]] Result<> readGguf(const JobContext& job);
    [[nodiscard]] Result<> readLegacy(const JobContext& job);
    [[nodiscard]] Result<> add(std::string name, Entry entry);

    std::shared_ptr<const ByteSource> m_source;
    std::shared_ptr<const void> m_owner; // owns the memory that the entries of a GGUF file view
    ByteOrder m_order = ByteOrder::Little;
    bool m_legacy = false;
    std::map<std::string, Entry, std::less<>> m_entries;
    std::vector<std::string> m_datasets;
    std::optional<std::uint64_t> m_chunks{};
};

} // namespace gufo
