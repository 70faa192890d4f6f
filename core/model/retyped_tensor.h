// A tensor in another type than in its file: a ByteSource of the encoded bytes, which are in memory. The bytes follow
// from the tensor's weights and the type alone, so that a draft need not contain them.
//
// Threads: as for ByteSource.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <memory>
#include <vector>

namespace gufo {

class RetypedTensor final : public ByteSource {
public:
    // Returns a model with a single tensor: `tensor`, whose bytes are in `from`, in the type `typeId`. Takes one pass
    // over the weights on all threads of the job. Progress is advanced by weights, but not started. Errors, with the
    // tensor's place: NotSupported (an unknown size); Truncated; NotDecodable; NotEncodable; InvalidArgument
    // (Detail::RowNotWholeBlocks); WeightOutOfRange; Cancelled.
    [[nodiscard]] static Result<std::shared_ptr<const Model>> encode(std::shared_ptr<const Model> from,
                                                                     const TensorInfo& tensor, std::uint32_t typeId,
                                                                     const JobContext& job = {});

    // The model and the tensor that was encoded.
    [[nodiscard]] const std::shared_ptr<const Model>& from() const { return m_from; }
    [[nodiscard]] const TensorInfo& tensor() const { return m_tensor; }

    [[nodiscard]] std::uint64_t size() const override { return m_bytes.size(); }
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override;
    [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }

private:
    RetypedTensor() = default;

    std::shared_ptr<const Model> m_from;
    TensorInfo m_tensor;
    std::vector<std::byte> m_bytes;
    std::filesystem::path m_path; // empty, because these bytes are in no file
};

} // namespace gufo
