// Makes the pickles of small PyTorch checkpoints, opcode by opcode, and archives that contain them. Functions that are
// named after a value return the opcodes that put it onto the stack.
//
//     using namespace gufo::test::pickles;
//     readPickle(dictOf(tensor("0", 0, {2, 3}, {3, 1})));
#pragma once

#include "formats/pytorch/reader.h"
#include "support/zip_builder.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gufo::test::pickles {

inline std::string bytesOf(const GgufBytes& out) {
    return {reinterpret_cast<const char*>(out.bytes.data()), out.bytes.size()};
}

inline std::string shortText(const std::string& value) {
    return std::string("\x8c") + static_cast<char>(value.size()) + value;
}
inline std::string number(std::int32_t value) {
    GgufBytes out;
    out.text("J").number(value);
    return bytesOf(out);
}
inline std::string tuple(const std::vector<std::int32_t>& values) {
    std::string pickle = "(";
    for (const std::int32_t value : values) {
        pickle += number(value);
    }
    return pickle + "t";
}
// A tensor of floats in the storage with this key.
inline std::string tensor(const std::string& key, std::int32_t offset, const std::vector<std::int32_t>& size,
                          const std::vector<std::int32_t>& strides,
                          const std::string& storage = "torch\nFloatStorage\n") {
    return "ctorch._utils\n_rebuild_tensor_v2\n((" + shortText("storage") + "c" + storage + shortText(key) +
           shortText("cpu") + number(4) + "tQ" + number(offset) + tuple(size) + tuple(strides) +
           "\x89"
           "ccollections\nOrderedDict\n)RtR";
}

// A whole pickle, of {"t": value}.
inline std::string dictOf(const std::string& value) { return "\x80\x02}" + shortText("t") + value + "s."; }

// The storage of archive(): six floats, 0 to 5.
inline std::string floats() {
    GgufBytes out;
    for (int i = 0; i < 6; ++i) {
        out.number(static_cast<float>(i));
    }
    return bytesOf(out);
}

// An archive of this pickle and of the storage "0".
inline ZipBuilder archive(const std::string& pickle) {
    ZipBuilder zip;
    zip.entry("m/data.pkl", pickle).entry("m/byteorder", "little").entry("m/data/0", floats());
    return zip;
}
inline Result<std::shared_ptr<const Model>> readPickle(const std::string& pickle) {
    return pytorch::readZip(archive(pickle).source());
}

// A file of these bytes that is no archive.
inline std::shared_ptr<const ByteSource> bareFile(const std::string& bytes) {
    const auto view = std::as_bytes(std::span(bytes));
    return std::make_shared<MemorySource>(std::vector<std::byte>(view.begin(), view.end()), "test.pt");
}

} // namespace gufo::test::pickles
