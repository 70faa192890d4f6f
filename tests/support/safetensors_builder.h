// Makes safetensors files for tests. They are valid by default; the header can be any text.
//
//     SafetensorsBuilder file;
//     file.metadata("format", "pt");
//     file.tensor("a.weight", "F32", {2, 3});   // slowest dimension first, as in the file; zeros for data
//     const auto model = safetensors::read(file.source());
#pragma once

#include "base/byte_order.h"
#include "base/byte_source.h"
#include "formats/safetensors/reader.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace gufo::test {

// A file with this header and data.
inline std::vector<std::byte> safetensorsBytes(std::string_view header, std::vector<std::byte> data = {}) {
    constexpr std::size_t kLength = sizeof(std::uint64_t);
    std::vector<std::byte> bytes(kLength + header.size() + data.size());
    store<std::uint64_t>(bytes.data(), header.size());
    std::ranges::copy(std::as_bytes(std::span(header)), bytes.begin() + kLength);
    std::ranges::copy(data, bytes.end() - static_cast<std::ptrdiff_t>(data.size()));
    return bytes;
}

class SafetensorsBuilder {
public:
    // `value` is written as it is, without escapes.
    SafetensorsBuilder& metadata(const std::string& key, const std::string& value) {
        m_metadata += (m_metadata.empty() ? "\"" : ",\"") + key + "\":\"" + value + "\"";
        return *this;
    }
    SafetensorsBuilder& tensor(const std::string& name, const std::string& type, std::vector<std::uint64_t> shape,
                               std::vector<std::byte> data = {}) {
        std::uint64_t weights = 1;
        std::string dims;
        for (const std::uint64_t dim : shape) {
            weights *= dim;
            dims += (dims.empty() ? "" : ",") + std::to_string(dim);
        }
        const TensorTypeFact* info = safetensors::findDataType(type);
        data.resize(data.empty() && info != nullptr ? weights / info->blockSize * info->blockBytes : data.size());
        const std::size_t begin = m_data.size();
        m_data.insert(m_data.end(), data.begin(), data.end());
        m_tensors += ",\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":[" + dims + "],\"data_offsets\":[" +
                     std::to_string(begin) + "," + std::to_string(m_data.size()) + "]}";
        return *this;
    }

    [[nodiscard]] std::string header() const {
        const std::string metadata = m_metadata.empty() ? "" : ",\"__metadata__\":{" + m_metadata + "}";
        const std::string members = metadata + m_tensors;
        return "{" + members.substr(members.empty() ? 0 : 1) + "}";
    }
    [[nodiscard]] std::vector<std::byte> build() const { return safetensorsBytes(header(), m_data); }
    [[nodiscard]] std::shared_ptr<const ByteSource> source(std::filesystem::path path = "test.safetensors") const {
        return std::make_shared<MemorySource>(build(), std::move(path));
    }
    void write(const std::filesystem::path& path) const {
        const auto bytes = build();
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }

private:
    std::string m_metadata;
    std::string m_tensors;
    std::vector<std::byte> m_data;
};

// Writes a folder with a LLaMA whose only tensor, the token embedding of [rows, 4096] weights in F32, is a hole in the
// file: converting it takes long, and the disk needs no room for it.
inline void writeSparseLlama(const std::filesystem::path& folder, std::uint64_t rows) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "config.json")
        << R"({"architectures":["LlamaForCausalLM"],"hidden_size":4096,"num_attention_heads":4,"num_hidden_layers":1})";
    const std::uint64_t bytes = rows * 4096 * sizeof(float);
    const std::string header = R"({"model.embed_tokens.weight":{"dtype":"F32","shape":[)" + std::to_string(rows) +
                               R"(,4096],"data_offsets":[0,)" + std::to_string(bytes) + "]}}";
    const auto start = safetensorsBytes(header);
    const std::filesystem::path path = folder / "model.safetensors";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(start.data()), static_cast<std::streamsize>(start.size()));
    std::filesystem::resize_file(path, start.size() + bytes);
}

} // namespace gufo::test
