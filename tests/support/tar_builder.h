// Makes tar archives for tests. They are valid by default, and each header can be made to lie.
#pragma once

#include "base/byte_source.h"

#include <cstdio>
#include <string>
#include <vector>

namespace gufo::test {

class TarBuilder {
public:
    struct Entry {
        std::string name;
        std::string bytes;
        char type = '0';
        std::string size{}; // the text in the header; empty: the size of the bytes in octal
        std::string link{};
        bool wrongChecksum = false;
    };
    std::vector<Entry> entries;

    TarBuilder& entry(std::string name, std::string bytes) {
        entries.push_back({.name = std::move(name), .bytes = std::move(bytes)});
        return *this;
    }
    Entry& operator[](std::size_t index) { return entries[index]; }

    [[nodiscard]] std::string build() const {
        std::string out;
        for (const Entry& entry : entries) {
            std::string header(512, '\0');
            const auto put = [&](std::size_t offset, const std::string& text) {
                header.replace(offset, text.size(), text);
            };
            put(0, entry.name);
            put(124, entry.size.empty() ? octal(entry.bytes.size(), 11) : entry.size);
            put(156, std::string(1, entry.type));
            put(157, entry.link);
            put(257, std::string("ustar\0"
                                 "00",
                                 8));
            put(148, std::string(8, ' '));
            std::size_t sum = entry.wrongChecksum ? 1 : 0;
            for (const char c : header) {
                sum += static_cast<unsigned char>(c);
            }
            put(148, octal(sum, 6) + '\0');
            out += header + entry.bytes + std::string((512 - entry.bytes.size() % 512) % 512, '\0');
        }
        return out + std::string(1024, '\0');
    }
    [[nodiscard]] std::shared_ptr<const ByteSource> source() const { return sourceOf(build()); }
    [[nodiscard]] static std::shared_ptr<const ByteSource> sourceOf(const std::string& bytes) {
        const auto* from = reinterpret_cast<const std::byte*>(bytes.data());
        return std::make_shared<MemorySource>(std::vector<std::byte>(from, from + bytes.size()), "test.pt");
    }

private:
    static std::string octal(std::size_t value, int digits) {
        char text[32];
        std::snprintf(text, sizeof(text), "%0*zo", digits, value);
        return text;
    }
};

} // namespace gufo::test
