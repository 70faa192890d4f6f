// Reads a header in one of the layouts that GGUF versions have had: counts, key-values and tensor records.
// reader.cpp interprets the tensors' offsets.
//
//   v1      counts, lengths and dimensions of 32 bits
//   draft   the published draft of v1 (ggml pull request 302, July 2023): as v1, except that the length of a value
//           precedes its type, the length of an array precedes its element type, 64-byte padding follows the
//           key-values (a full 64 bytes if they end aligned), tensor records contain the number of elements, and
//           offsets count from the start of the file
//   v2, v3  counts, lengths and dimensions of 64 bits
#pragma once

#include "base/job_context.h"
#include "formats/gguf/read/cursor.h"
#include "model/finding_list.h"
#include "model/model.h"

namespace gufo::gguf {

enum class Dialect : std::uint8_t { Draft1, Version1, Version2 };

class ValueReader; // header_reader.cpp

class HeaderReader {
public:
    // Fills the version-independent parts of `model`: metadata, tensors (names, types, shapes, declared offsets) and
    // files[0].{headerBytes, alignment}.
    HeaderReader(Model& model, FindingList& findings, const JobContext& job, Dialect dialect);

    // `bytes` is the whole source. After a failure the contents of the model are undefined.
    [[nodiscard]] Result<> read(Bytes bytes);
    // After a failure because the input ended: the smallest length that the header can have according to its counts and
    // to what was read, where the remaining strings of an array are assumed to be about as long as those before.
    [[nodiscard]] std::uint64_t leastBytes() const { return m_leastBytes; }

private:
    bool checkCount(Detail what, std::uint64_t count, std::uint64_t smallest, std::uint64_t limit,
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
    std::uint64_t m_leastBytes = 0;
};

} // namespace gufo::gguf
