// Models in memory, for tests of code that works on tensors.
#pragma once

#include "model/model.h"

#include <memory>
#include <string>
#include <vector>

namespace gufo::test {

class MemoryModel {
public:
    explicit MemoryModel(ByteOrder order = ByteOrder::Little) { m_model.byteOrder = order; }

    // Adds a tensor with these encoded bytes. Fewer bytes than the shape requires make it truncated.
    TensorIndex add(std::uint32_t typeId, std::vector<std::uint64_t> dims, const std::vector<std::byte>& bytes) {
        m_names.push_back(std::make_unique<std::string>("tensor" + std::to_string(m_names.size())));
        TensorInfo info;
        info.name = *m_names.back();
        info.typeId = typeId;
        info.shape = Shape(dims);
        info.offset = m_bytes.size();
        const TensorTypeFact* type = info.type();
        info.bytes = type != nullptr ? tensorBytes(*type, info.shape) : std::nullopt;
        if (info.bytes) {
            info.bytesPresent = std::min<std::uint64_t>(*info.bytes, bytes.size());
        }
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
        m_model.tensors.push_back(info);
        return TensorIndex(m_model.tensors.size() - 1);
    }

    // Adds a tensor of plain numbers in the model's byte order.
    template<typename T>
    TensorIndex addNumbers(TensorType type, std::vector<std::uint64_t> dims, const std::vector<T>& numbers) {
        std::vector<std::byte> bytes(numbers.size() * sizeof(T));
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            store(bytes.data() + i * sizeof(T), numbers[i], m_model.byteOrder);
        }
        return add(static_cast<std::uint32_t>(type), std::move(dims), bytes);
    }
    template<typename T>
    TensorIndex addNumbers(TensorType type, const std::vector<T>& numbers) {
        return addNumbers(type, {numbers.size()}, numbers);
    }

    // To be called after all tensors were added. `source` replaces the bytes in memory, for tests of damage.
    const Model& finish(std::shared_ptr<const ByteSource> source = nullptr) {
        ModelFile file;
        file.source =
            source != nullptr ? std::move(source) : std::make_shared<MemorySource>(std::move(m_bytes), "memory");
        m_model.files = {file};
        m_model.indexTensors();
        return m_model;
    }

    Model& model() { return m_model; }

private:
    Model m_model;
    std::vector<std::byte> m_bytes;
    std::vector<std::unique_ptr<std::string>> m_names;
};

} // namespace gufo::test
