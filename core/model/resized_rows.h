// A tensor with fewer or more rows: a ByteSource of kept rows, which stay in their file, followed by new ones, which
// are in memory. Rows are the slices along the last dimension: one for each token in an embedding, one number for each
// token in a bias.
//
// Threads: as for ByteSource.
#pragma once

#include "model/change.h"
#include "model/model.h"

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace gufo {

class ResizedRows final : public ByteSource {
public:
    // Returns a model with a single tensor: the result of applying `change` (whose name is not looked at) to `tensor`,
    // whose bytes are in `from`. A new row that is a mean takes one pass over all weights. Errors, with the tensor's
    // place: NoSuchElement (a row that the tensor does not have); NotSupported (no whole number of bytes per row,
    // strides, an unknown type); Truncated; InvalidArgument (no row is left); for a mean, NotDecodable, NotEncodable
    // and WeightOutOfRange.
    [[nodiscard]] static Result<std::shared_ptr<const Model>>
    resize(std::shared_ptr<const Model> from, const TensorInfo& tensor, const ResizeRows& change);

    // The model and the tensor that was resized.
    [[nodiscard]] const std::shared_ptr<const Model>& from() const { return m_from; }
    [[nodiscard]] const TensorInfo& tensor() const { return m_tensor; }
    [[nodiscard]] const ResizeRows& change() const { return m_change; }

    [[nodiscard]] std::uint64_t size() const override { return m_size; }
    // A range within successive rows of the file is not copied. Copies of others are kept, and never exceed the
    // tensor's size by much.
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override;
    [[nodiscard]] std::optional<Error> damage() const override { return source().damage(); }
    [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }
    [[nodiscard]] std::shared_ptr<const void> hold() const override { return source().hold(); }
    [[nodiscard]] bool isHeld() const override { return source().isHeld(); }

private:
    ResizedRows() = default;

    // Successive bytes of the resized tensor, views of the old tensor or of the new rows.
    struct Piece {
        std::uint64_t offset = 0;
        Bytes bytes;
    };

    [[nodiscard]] const ByteSource& source() const { return *m_from->sourceOf(m_tensor); }
    [[nodiscard]] std::vector<std::byte> copy(ByteRange range) const;
    void add(Bytes bytes);

    std::shared_ptr<const Model> m_from;
    TensorInfo m_tensor;
    ResizeRows m_change;
    std::vector<Piece> m_pieces;
    std::vector<std::byte> m_added;
    std::uint64_t m_size = 0;
    std::filesystem::path m_path; // empty, because these bytes are in no file

    mutable std::mutex m_mutex; // guards the members below
    mutable std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::byte>> m_copies; // by range
    mutable std::uint64_t m_copied = 0;
};

} // namespace gufo
