// Writes protocol buffer messages for tests.
//
//     ProtobufBuilder().number(1, 8).bytes(2, "gufo").message(7, graph).out
#pragma once

#include <cstdint>
#include <string>

namespace gufo::test {

class ProtobufBuilder {
public:
    std::string out;

    ProtobufBuilder& number(std::uint32_t field, std::uint64_t value) {
        tag(field, 0);
        varint(value);
        return *this;
    }
    ProtobufBuilder& fixed64(std::uint32_t field, std::uint64_t value) {
        tag(field, 1);
        for (unsigned i = 0; i < 8; ++i) {
            out += static_cast<char>(value >> (8 * i));
        }
        return *this;
    }
    ProtobufBuilder& bytes(std::uint32_t field, const std::string& value) {
        tag(field, 2);
        varint(value.size());
        out += value;
        return *this;
    }
    ProtobufBuilder& message(std::uint32_t field, const ProtobufBuilder& value) { return bytes(field, value.out); }

private:
    void tag(std::uint32_t field, std::uint32_t wire) { varint(std::uint64_t{field} << 3U | wire); }
    void varint(std::uint64_t value) {
        for (; value > 0x7F; value >>= 7U) {
            out += static_cast<char>((value & 0x7FU) | 0x80U);
        }
        out += static_cast<char>(value);
    }
};

} // namespace gufo::test
