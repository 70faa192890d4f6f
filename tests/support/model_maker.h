// Assembles a Model in memory without a file, for tests of code that works on models.
#pragma once

#include "model/model.h"

#include <cstring>
#include <deque>
#include <string>
#include <vector>

namespace gufo::test {

// Keys, strings, arrays and tensor data live as long as the maker or any model that it made.
class ModelMaker {
public:
    explicit ModelMaker(std::string_view architecture = {}) {
        m_model->container = "gguf";
        if (!architecture.empty()) {
            text("general.architecture", architecture);
        }
    }

    ModelMaker& value(std::string_view key, Value v) {
        m_model->metadata.add({.key = keep(key), .value = v});
        return *this;
    }
    ModelMaker& u32(std::string_view key, std::uint32_t v) { return value(key, v); }
    ModelMaker& f32(std::string_view key, float v) { return value(key, v); }
    ModelMaker& flag(std::string_view key, bool v) { return value(key, BoolValue{static_cast<std::uint8_t>(v)}); }
    ModelMaker& text(std::string_view key, std::string_view v) { return value(key, keep(v)); }

    template<typename T>
    ModelMaker& array(std::string_view key, ValueType type, const std::vector<T>& elements) {
        std::string bytes(elements.size() * sizeof(T), '\0');
        if (!elements.empty()) {
            std::memcpy(bytes.data(), elements.data(), bytes.size());
        }
        return value(key, ArrayView{type, elements.size(), bytesOf(keep(bytes)), {}});
    }
    ModelMaker& u32s(std::string_view key, const std::vector<std::uint32_t>& v) {
        return array(key, ValueType::UInt32, v);
    }
    ModelMaker& i32s(std::string_view key, const std::vector<std::int32_t>& v) {
        return array(key, ValueType::Int32, v);
    }
    ModelMaker& f32s(std::string_view key, const std::vector<float>& v) { return array(key, ValueType::Float32, v); }
    ModelMaker& flags(std::string_view key, const std::vector<std::uint8_t>& v) {
        return array(key, ValueType::Bool, v);
    }
    ModelMaker& texts(std::string_view key, const std::vector<std::string>& v) {
        std::string bytes;
        for (const std::string& text : v) {
            const std::uint64_t length = text.size();
            bytes.append(reinterpret_cast<const char*>(&length), sizeof length).append(text);
        }
        return value(key, ArrayView{ValueType::String, v.size(), bytesOf(keep(bytes)), {}});
    }

    // Adds a tensor; without `data` it is filled with zeros.
    ModelMaker& tensor(std::string_view name, const std::vector<std::uint64_t>& dims, TensorType type = TensorType::F32,
                       std::string data = {}) {
        TensorInfo info{.name = keep(name), .typeId = static_cast<std::uint32_t>(type)};
        info.shape = Shape(dims);
        const TensorTypeFact& facts = tensorTypeFact(type);
        info.bytes = tensorBytes(facts, info.shape).value();
        info.bytesPresent = *info.bytes;
        info.offset = info.declaredOffset = m_data.size();
        if (m_withData) {
            data.resize(*info.bytes);
            m_data += data;
        }
        m_model->tensors.push_back(info);
        return *this;
    }
    // Gives bytes to the tensors that are added from now on.
    ModelMaker& withData() {
        m_withData = true;
        return *this;
    }
    ModelMaker& path(std::string_view name) {
        m_path = std::filesystem::path(std::string(name));
        return *this;
    }

    // May be called only once.
    [[nodiscard]] std::shared_ptr<const Model> model() {
        const auto* begin = reinterpret_cast<const std::byte*>(m_data.data());
        auto source = std::make_shared<MemorySource>(std::vector<std::byte>(begin, begin + m_data.size()));
        m_model->version = 3;
        m_model->files.push_back({.source = std::move(source), .path = m_path});
        m_model->indexTensors();
        struct Owner {
            std::shared_ptr<std::deque<std::string>> texts;
            std::shared_ptr<Model> model;
        };
        auto owner = std::make_shared<Owner>(Owner{m_texts, m_model});
        return {owner, owner->model.get()};
    }

private:
    std::string_view keep(std::string_view text) { return m_texts->emplace_back(text); }
    static Bytes bytesOf(std::string_view text) {
        return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
    }

    std::shared_ptr<std::deque<std::string>> m_texts = std::make_shared<std::deque<std::string>>();
    std::shared_ptr<Model> m_model = std::make_shared<Model>();
    std::string m_data;
    std::filesystem::path m_path = "Test-1B-v1.0-F32.gguf";
    bool m_withData = false;
};

} // namespace gufo::test
