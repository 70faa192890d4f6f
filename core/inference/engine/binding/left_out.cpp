#include "inference/engine/binding/left_out.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace gufo::inference {
namespace {

enum class Match : std::uint8_t {
    Name,      // the whole name
    NameBegin, // the beginning of the name
    NameEnd,
    Part,      // what follows "blk.N."
    PartBegin, // the beginning of what follows "blk.N."
};

struct Row {
    Match match;
    std::string_view text;
};

constexpr auto kHarmless = std::to_array<Row>({
    // Tables that the engine computes, and rotation factors of architectures without rotation.
    {Match::Part, "attn_rot_embd.weight"},
    {Match::Part, "rope_freqs.weight"},
    {Match::Name, "rope_freqs.weight"},
    {Match::Name, "rope_factors_long.weight"},
    {Match::Name, "rope_factors_short.weight"},
    // Multi-token prediction, which only drafts further tokens.
    {Match::PartBegin, "nextn."},
    {Match::NameBegin, "nextn."},
    {Match::NameBegin, "mtp."},
    // Scales for quantised activations; this engine does not quantise activations that way.
    {Match::NameEnd, ".input_scale"},
    // Encoders of images and sound and their projectors, which text does not need.
    {Match::NameBegin, "v."},
    {Match::NameBegin, "a."},
    {Match::NameBegin, "mm."},
    // The decoder of a model whose encoder makes vectors of texts.
    {Match::NameBegin, kDecoder},
    // The classifier head beside the language model's.
    {Match::NameBegin, "cls."},
});

} // namespace

bool mayBeLeftOut(std::string_view name, std::size_t run, std::size_t declared) {
    std::string_view part;
    constexpr std::string_view kBlock = "blk.";
    if (name.starts_with(kBlock)) {
        std::size_t block = 0;
        const char* const end = name.data() + name.size();
        const auto [next, error] = std::from_chars(name.data() + kBlock.size(), end, block);
        if (error != std::errc() || next == end || *next != '.') {
            return false;
        }
        if (block >= run) {
            return block < declared; // these blocks predict further tokens
        }
        part = std::string_view(next + 1, end);
    }
    return std::ranges::any_of(kHarmless, [&](const Row& row) {
        switch (row.match) {
        case Match::Name:
            return name == row.text;
        case Match::NameBegin:
            return name.starts_with(row.text);
        case Match::NameEnd:
            return name.ends_with(row.text);
        case Match::Part:
            return part == row.text;
        case Match::PartBegin:
            return part.starts_with(row.text);
        }
        return false;
    });
}

} // namespace gufo::inference
