// The strings of a metadata array, copied into one block, so that a tokenizer does not depend on the file's mapping.
#pragma once

#include "base/job_context.h"
#include "model/metadata.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::text {

class StringList {
public:
    // Errors: NoSuchKey; WrongValueType unless the value is an array of strings; LimitExceeded for more than
    // kMaxStrings strings, kMaxBytes bytes in total or kMaxStringBytes in one string; Truncated if the file changed;
    // Cancelled.
    [[nodiscard]] static Result<StringList> read(const Metadata& metadata, std::string_view key, const JobContext& job);

    // Far beyond any known vocabulary (the largest have 262,144 tokens of 2 MB and 515,000 merges of 5 MB).
    static constexpr std::uint64_t kMaxStrings = 4'194'304;
    static constexpr std::uint64_t kMaxBytes = 32U << 20U;
    static constexpr std::uint64_t kMaxStringBytes = 8192;

    [[nodiscard]] std::size_t size() const { return m_ends.size(); }
    [[nodiscard]] std::string_view operator[](std::size_t i) const {
        const std::uint32_t begin = i == 0 ? 0 : m_ends[i - 1];
        return std::string_view(m_bytes).substr(begin, m_ends[i] - begin);
    }

private:
    std::string m_bytes;
    std::vector<std::uint32_t> m_ends;
};

} // namespace gufo::text
