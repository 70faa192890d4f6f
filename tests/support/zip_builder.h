// Makes ZIP archives for tests. They are valid by default, and each entry can be made to lie.
//
//     ZipBuilder zip;
//     zip.entry("model/data.pkl", pickle).entry("model/data/0", bytes);
//     zip.entries.back().method = 8;
//     const auto source = zip.source();
#pragma once

#include "support/gguf_builder.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace gufo::test {

class ZipBuilder {
public:
    struct Entry {
        std::string name;
        std::string bytes;
        std::uint16_t method = 0;
        std::uint16_t flags = 0;
        std::string localName = name;          // in the local header
        std::uint32_t localExtraBytes = 0;     // added to the size in the local header
        std::uint32_t directoryExtraBytes = 0; // added to the sizes in the directory
    };

    ZipBuilder& entry(std::string name, std::string bytes) {
        entries.push_back({.name = std::move(name), .bytes = std::move(bytes)});
        return *this;
    }

    [[nodiscard]] std::vector<std::byte> build() const {
        GgufBytes out;
        std::vector<std::uint32_t> offsets;
        for (const Entry& entry : entries) {
            offsets.push_back(static_cast<std::uint32_t>(out.bytes.size()));
            const auto size = static_cast<std::uint32_t>(entry.bytes.size()) + entry.localExtraBytes;
            out.text("PK\3\4").number(std::uint16_t{20}).number(entry.flags).number(entry.method).zeros(8);
            out.number(size).number(size).number(static_cast<std::uint16_t>(entry.localName.size()));
            out.number(std::uint16_t{0}).text(entry.localName).text(entry.bytes);
        }
        const std::size_t directory = out.bytes.size();
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const Entry& entry = entries[i];
            const auto size = static_cast<std::uint32_t>(entry.bytes.size()) + entry.directoryExtraBytes;
            out.text("PK\1\2").zeros(4).number(entry.flags).number(entry.method).zeros(8).number(size).number(size);
            out.number(static_cast<std::uint16_t>(entry.name.size())).zeros(12).number(offsets[i]).text(entry.name);
        }
        const std::size_t end = out.bytes.size();
        out.text("PK\5\6").zeros(4).number(static_cast<std::uint16_t>(entries.size()));
        out.number(static_cast<std::uint16_t>(entries.size())).number(static_cast<std::uint32_t>(end - directory));
        out.number(static_cast<std::uint32_t>(directory)).zeros(2);
        return out.bytes;
    }
    [[nodiscard]] std::shared_ptr<const ByteSource> source(std::filesystem::path path = "test.pt") const {
        return std::make_shared<MemorySource>(build(), std::move(path));
    }
    void write(const std::filesystem::path& path) const {
        const auto bytes = build();
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }

    std::vector<Entry> entries;
};

} // namespace gufo::test
