// Reads a header in one of the layouts that the versions have had: counts, key-values, tensor records. What the
// tensors' offsets mean is tensor_layout.h's part.
//
//   v1      counts, lengths and dimensions of 32 bits
//   draft   the published draft of v1 (ggml pull request 302, July 2023): as v1, but the length of a value before its
//           type, an array's length before its element type, 64-byte padding after the key-values (64 bytes where they
//           end aligned), the number of elements in tensor records, offsets from the start of the file
//   v2, v3  counts, lengths and dimensions of 64 bits
#pragma once

#include "formats/gguf/read/value_reader.h"
#include "model/model.h"

namespace gufo::gguf {

enum class Dialect : std::uint8_t { Draft1, Version1, Version2 };

class HeaderReader {
public:
    // Fills version-independent parts of `model`: metadata, tensors (names, types, shapes, declared offsets) and
    // files[0].{headerBytes, alignment}.
    HeaderReader(Model& model, FindingList& findings, const JobContext& job, Dialect dialect);

    // `bytes` are the whole source. On failure the model's contents mean nothing.
    [[nodiscard]] Result<> read(Bytes bytes);

private:
    bool checkCount(std::string_view what, std::uint64_t count, std::uint64_t smallest, std::uint64_t limit,
                    std::uint64_t offset);
    void readKeyValue(ValueReader& values);
    void readAlignment();
    void skipDraftPadding();
    void readTensor();

    Model& m_model;
    FindingList& m_findings;
    const JobContext& m_job;
    Dialect m_dialect;
    Cursor m_cursor;
};

} // namespace gufo::gguf
