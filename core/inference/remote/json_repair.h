// Mends JSON of servers that write what JSON does not allow: NaN and Infinity, which become null, and halves of
// surrogate pairs. A character whose halves are at the end of one event and at the beginning of the next becomes whole,
// in the second of them; any other half becomes U+FFFD.
//
// Thread contract: one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gufo::inference {

class JsonRepair {
public:
    // Returns the text of the next event, which is not JSON, with these faults mended. It may have others.
    [[nodiscard]] std::string repaired(std::string_view json);
    // An event that needs no repair cannot complete a character.
    void forget() { m_high = 0; }

private:
    std::uint32_t m_high = 0; // the half of a character that the last event ends with; 0: none
};

} // namespace gufo::inference
