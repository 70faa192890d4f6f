// A location in a model. Errors and findings name it, and the window turns it into a link.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gufo {

struct Place {
    enum class Kind : std::uint8_t {
        File,     // the file as a whole, or the byte at `offset`
        Key,      // metadata key `name`; `index`: array element
        Tensor,   // tensor `name`; `index`: weight
        Token,    // token id `index`
        FileName, // the name of the file, where it breaks the naming convention
    };
    Kind kind = Kind::File;
    std::string name; // bytes as in the file, not necessarily UTF-8
    std::optional<std::uint64_t> index{};
    std::optional<std::uint64_t> offset{}; // byte in the file
    std::optional<std::uint32_t> part{};   // of a split model: the number of the file, counted from 0

    static Place atOffset(std::uint64_t offset) { return {.kind = Kind::File, .name = {}, .offset = offset}; }
    static Place key(std::string name, std::optional<std::uint64_t> element = {}) {
        return {.kind = Kind::Key, .name = std::move(name), .index = element};
    }
    static Place tensor(std::string name, std::optional<std::uint64_t> weight = {}) {
        return {.kind = Kind::Tensor, .name = std::move(name), .index = weight};
    }
    static Place token(std::uint64_t id) { return {.kind = Kind::Token, .name = {}, .index = id}; }
    static Place fileName(std::string name) { return {.kind = Kind::FileName, .name = std::move(name)}; }

    bool operator==(const Place&) const = default;
};

} // namespace gufo
