// Reads one value of the key-value section: numbers by value, strings and arrays as views. Arrays are checked to lie
// within the file, element by element if their elements vary in size.
#pragma once

#include "base/job_context.h"
#include "formats/gguf/read/cursor.h"
#include "model/finding_list.h"

namespace gufo::gguf {

class ValueReader {
public:
    ValueReader(Cursor& cursor, const ByteSource& source, FindingList& findings, const JobContext& job);

    // Reads the value of `key`, which has type `type` and starts at the cursor. If it cannot be read, the cursor has
    // failed and the value is meaningless.
    Value read(std::string_view key, ValueType type);

    // After a failure: a lower bound, or for an array of strings an estimate, of the length of the input that the value
    // would need. 0 if the cursor knows it.
    [[nodiscard]] std::uint64_t needed() const { return m_needed; }

    // Called before each record. Prefetches, without waiting, about as much as will be read. Otherwise the kernel would
    // read ahead around the first byte touched, which on some machines means megabytes of tensor data.
    void fetchMore();

private:
    void fetch(std::uint64_t bytes);
    ArrayView readArray(unsigned depth);
    void walkStrings(std::uint64_t count);
    void checkBooleans(const ArrayView& array);
    bool spend(std::uint64_t elements, std::uint64_t offset);

    Cursor& m_cursor;
    const ByteSource& m_source;
    FindingList& m_findings;
    const JobContext& m_job;
    std::string_view m_key;
    std::uint64_t m_walked = 0; // elements walked so far, limited to kMaxWalkedElements
    std::uint64_t m_releasedTo; // offset in the source
    std::uint64_t m_fetchedTo;  // offset in the source
    std::uint64_t m_needed = 0;
};

} // namespace gufo::gguf
