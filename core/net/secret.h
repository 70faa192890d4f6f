// A key or token that must not be shown. It cannot be written to a stream, a log or an error by mistake, because only
// reveal() returns its characters. Their memory is overwritten when the secret is destroyed.
//
// Threads: as thread-safe as std::string.
#pragma once

#include <string>
#include <string_view>

namespace gufo::net {

class Secret {
public:
    Secret() = default;
    // Copies the characters without white space at both ends (such as the line break of a token file), then overwrites
    // and clears the argument.
    explicit Secret(std::string&& characters);
    Secret(const Secret&) = default;
    Secret& operator=(const Secret& other);
    ~Secret();

    [[nodiscard]] bool empty() const { return m_characters.empty(); }
    [[nodiscard]] std::string_view reveal() const { return m_characters; }

private:
    void wipe();

    std::string m_characters;
};

} // namespace gufo::net
