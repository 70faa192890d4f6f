// Makes files from before GGUF for tests, byte by byte.
//
//     GgmlBuilder file("tjgg", 3);                        // magic number, version
//     file.numbers({2, 8, 256, 2, 1, 4, 0});              // hyper-parameters
//     file.token("a", 0.5F).token("b", -1);
//     file.padding = 32;
//     file.tensor("norm.weight", 0, {8}, 32);             // name, type, dimensions, bytes of data
//     const auto model = ggml::read(file.source());
#pragma once

#include "base/byte_source.h"
#include "support/gguf_builder.h"

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace gufo::test {

class GgmlBuilder {
public:
    explicit GgmlBuilder(std::string_view magic, std::optional<std::uint32_t> version = {})
        : out({.lengths = ValueLayout::Lengths::U32}) {
        out.text(magic);
        if (version) {
            out.number(*version);
        }
    }

    GgmlBuilder& numbers(std::initializer_list<std::int32_t> values) {
        for (const std::int32_t value : values) {
            out.number(value);
        }
        return *this;
    }
    GgmlBuilder& real(float value) {
        out.number(value);
        return *this;
    }
    GgmlBuilder& token(std::string_view text, std::optional<float> score = {}) {
        out.string(text);
        if (score) {
            out.number(*score);
        }
        return *this;
    }
    GgmlBuilder& tensor(std::string_view name, std::int32_t type, std::vector<std::int32_t> dims,
                        std::vector<std::byte> data) {
        numbers({static_cast<std::int32_t>(dims.size()), static_cast<std::int32_t>(name.size()), type});
        for (const std::int32_t dim : dims) {
            out.number(dim);
        }
        out.text(name);
        if (padding != 0) {
            out.padTo(padding);
        }
        out.append(data);
        return *this;
    }
    GgmlBuilder& tensor(std::string_view name, std::int32_t type, std::vector<std::int32_t> dims, std::size_t bytes) {
        return tensor(name, type, std::move(dims), std::vector<std::byte>(bytes));
    }

    [[nodiscard]] std::shared_ptr<const ByteSource> source(std::filesystem::path path = "test.bin") const {
        return std::make_shared<MemorySource>(out.bytes, std::move(path));
    }
    void write(const std::filesystem::path& path) const {
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(out.bytes.data()), static_cast<std::streamsize>(out.bytes.size()));
    }

    GgufBytes out;
    std::uint32_t padding = 0;
};

} // namespace gufo::test
