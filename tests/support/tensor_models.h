// Models with named tensors, made in memory and shared as pages and jobs need them.
#pragma once

#include "base/byte_order.h"
#include "model/model.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace gufo::test {

class TensorModel {
public:
    TensorModel()
        : m_holder(std::make_shared<Holder>()) {}

    // Fewer `bytes` than the shape requires make a truncated tensor. Unknown types have no size.
    TensorModel& add(const std::string& name, std::uint32_t typeId, std::vector<std::uint64_t> dims,
                     const std::vector<std::byte>& bytes) {
        TensorInfo info;
        info.name = m_holder->names.emplace_back(name);
        info.typeId = typeId;
        info.shape = Shape(dims);
        info.offset = m_bytes.size();
        if (const TensorTypeFact* type = info.type()) {
            info.bytes = tensorBytes(*type, info.shape).value();
            info.bytesPresent = std::min<std::uint64_t>(*info.bytes, bytes.size());
        }
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
        m_holder->model.tensors.push_back(info);
        return *this;
    }

    template<typename T>
    TensorModel& numbers(const std::string& name, TensorType type, std::vector<std::uint64_t> dims,
                         const std::vector<T>& values) {
        std::vector<std::byte> bytes(values.size() * sizeof(T));
        for (std::size_t i = 0; i < values.size(); ++i) {
            store(bytes.data() + i * sizeof(T), values[i]);
        }
        return add(name, static_cast<std::uint32_t>(type), std::move(dims), bytes);
    }

    // Adds a tensor of zeros.
    TensorModel& zeros(const std::string& name, TensorType type, std::vector<std::uint64_t> dims) {
        const TensorTypeFact& facts = tensorTypeFact(type);
        const std::vector<std::byte> bytes(tensorBytes(facts, Shape(dims)).value());
        return add(name, facts.id, std::move(dims), bytes);
    }

    // `source` may replace the source in memory.
    std::shared_ptr<const Model> share(std::shared_ptr<const ByteSource> source = nullptr) {
        m_holder->model.container = "gguf";
        ModelFile file;
        file.path = "memory.gguf";
        file.source =
            source != nullptr ? std::move(source) : std::make_shared<MemorySource>(std::move(m_bytes), file.path);
        m_holder->model.files = {file};
        m_holder->model.indexTensors();
        return {m_holder, &m_holder->model};
    }

private:
    struct Holder {
        Model model;
        std::deque<std::string> names; // storage of the tensors' names
    };
    std::shared_ptr<Holder> m_holder;
    std::vector<std::byte> m_bytes;
};

} // namespace gufo::test
