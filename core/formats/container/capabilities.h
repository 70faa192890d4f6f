// The operations on a model that its container permits. The table of containers (container_table.cpp) defines the
// capabilities, a Document holds them, and pages and console verbs query them.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace gufo {

enum class Capability : std::uint8_t {
    EditMetadata, // keys and values
    TypedValues,  // values of other types than text
    EditVersion,  // the version and byte order of the next save
    EditTensors,  // rename, delete, move, import
    SaveInPlace,
    SaveAs,  // written to a new file of the same container
    Split,   // written in shards, or as one file of several, or with other tensor types
    Convert, // converted to GGUF, or to another version or byte order of it
    Run,     // its keys and tensors have GGUF's standard names, so that checks and engines understand them
};

// A set of capabilities.
class Capabilities {
public:
    constexpr Capabilities() = default;
    constexpr Capabilities(std::initializer_list<Capability> all) {
        for (const Capability capability : all) {
            m_bits |= bit(capability);
        }
    }
    [[nodiscard]] constexpr bool has(Capability capability) const { return (m_bits & bit(capability)) != 0; }
    [[nodiscard]] constexpr bool empty() const { return m_bits == 0; }
    bool operator==(const Capabilities&) const = default;

    // The same set without what changes or writes files of the container.
    [[nodiscard]] constexpr Capabilities readOnly() const {
        return without(Capability::EditMetadata)
            .without(Capability::TypedValues)
            .without(Capability::EditVersion)
            .without(Capability::EditTensors)
            .without(Capability::SaveInPlace)
            .without(Capability::SaveAs)
            .without(Capability::Split);
    }
    // The same set without one.
    [[nodiscard]] constexpr Capabilities without(Capability capability) const {
        Capabilities rest = *this;
        rest.m_bits &= ~bit(capability);
        return rest;
    }

private:
    static constexpr std::uint32_t bit(Capability capability) {
        return std::uint32_t{1} << static_cast<std::uint32_t>(capability);
    }
    std::uint32_t m_bits = 0;
};

} // namespace gufo
