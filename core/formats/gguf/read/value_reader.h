// Reads one value of the key-value section: numbers by value, strings and arrays as views. Arrays are checked to lie
// within the file, element by element where their elements vary in size.
#pragma once

#include "base/job_context.h"
#include "formats/gguf/read/cursor.h"
#include "model/finding_list.h"

namespace gufo::gguf {

class ValueReader {
public:
    ValueReader(Cursor& cursor, const ByteSource& source, FindingList& findings, const JobContext& job);

    // The value of `key`, of the type that the cursor stands on the first byte of. Where it cannot be read, the cursor
    // has failed and the value means nothing.
    Value read(std::string_view key, ValueType type);

    // Before a record: has the system fetch what comes next, without waiting, about as much as will be read. It would
    // else read all around the first byte that is touched: megabytes of tensor data, on some machines.
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
    std::uint64_t m_walked = 0; // elements, of kMaxWalkedElements
    std::uint64_t m_releasedTo; // byte of the source
    std::uint64_t m_fetchedTo;  // likewise
};

} // namespace gufo::gguf
