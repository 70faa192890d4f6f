// The meanings of the globals of a pickle. Those that a checkpoint of tensors needs are allowed; all others would be
// imported and called by Python, and are reported.
#pragma once

#include "formats/pytorch/pickle.h"
#include "tensor/tensor_type.h"

#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace gufo::pytorch {

enum class Verdict : std::uint8_t {
    Allowed,
    Unknown,
    Dangerous, // can run commands, or read and write files
};
[[nodiscard]] Verdict verdictOf(const pickle::Node& global);

[[nodiscard]] bool isOrderedDict(const pickle::Node& global);
[[nodiscard]] bool isTensorClass(const pickle::Node& global);
[[nodiscard]] bool rebuildsTensor(const pickle::Node& global);
[[nodiscard]] bool rebuildsParameter(const pickle::Node& global);

// The globals of all pickles of a file, each once.
class GlobalList {
public:
    void add(const pickle::Node& global);
    [[nodiscard]] const std::vector<pickle::Node>& all() const { return m_all; }
    [[nodiscard]] bool hasDangerous() const;

private:
    std::set<std::pair<std::string_view, std::string_view>> m_seen;
    std::vector<pickle::Node> m_all;
};

// Reads a pickle and adds its globals; if there is an error, the globals before it.
[[nodiscard]] Result<pickle::Pickle> readPickle(Bytes bytes, std::uint64_t start, const JobContext& job,
                                                GlobalList& globals);

struct DataType {
    std::string_view name; // PyTorch's: "float32"
    const TensorTypeFact* info = nullptr;
};
// The type of the elements of a storage class ("torch.FloatStorage") or of a type ("torch.float32"). Null `info` if it
// is none, and for untyped storages.
[[nodiscard]] DataType dataTypeOf(const pickle::Node& global);
[[nodiscard]] bool isUntypedStorage(const pickle::Node& global);

} // namespace gufo::pytorch
