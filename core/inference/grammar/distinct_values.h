// Follows a JSON text within arrays whose elements must differ, and within objects whose names must, and says whether
// the element or name that is being written can still become different from the earlier ones.
//
// Values are compared as bytes, without white space outside of strings. The grammar ensures that each value has one
// spelling there, and that such arrays are not nested directly within each other's elements.
//
// Outside of such an array or object, nothing needs to be followed. Thread contract: a value.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gufo::inference {

class DistinctValues {
public:
    DistinctValues() = default;
    explicit DistinctValues(char quote)
        : m_quote(quote) {}
    // Whether the text is within an array or object whose parts must differ.
    [[nodiscard]] bool isActive() const { return !m_frames.empty(); }
    // Whether the part that is being written differs already, or there is none.
    [[nodiscard]] bool isFree() const;
    // Whether all bytes up to a quote belong to a string.
    [[nodiscard]] bool isInString() const { return m_inString && !m_escaped; }

    // Adds the next byte. `opens`: it opens an array or object whose parts must differ. Returns false if a part ends
    // with it that is equal to an earlier one.
    [[nodiscard]] bool add(unsigned char byte, bool opens);
    // How many parts have ended, for comparing two positions in a text.
    [[nodiscard]] std::size_t ended() const { return m_ended; }
    [[nodiscard]] const std::string& part() const { return m_part; }

private:
    using Parts = std::set<std::string, std::less<>>;
    struct Frame { // an open array or object
        bool isArray = false;
        bool distinct = false;
        std::shared_ptr<Parts> parts{}; // shared by copies of this object until one of them adds to it
    };
    [[nodiscard]] bool endPart();
    [[nodiscard]] Frame& top() { return m_frames.back(); }

    std::vector<Frame> m_frames;      // from the outermost one that is distinct on
    std::size_t m_recorder = kNobody; // index of the frame whose part is being written
    std::string m_part;
    std::size_t m_ended = 0;
    char m_quote = '"'; // around strings
    bool m_inString = false;
    bool m_escaped = false;

    static constexpr std::size_t kNobody = ~std::size_t{0};
};

} // namespace gufo::inference
