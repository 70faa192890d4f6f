// A key or token that must not be shown. It cannot be written to a stream, a log or an error by mistake: whoever needs
// the characters asks for them by name. The memory is overwritten when the secret is destroyed.
//
// Threads: like a string.
#pragma once

#include <string>
#include <string_view>

namespace gufo::net {

class Secret {
public:
    Secret() = default;
    // Takes the characters over and clears the argument. White space at both ends (the line end of a token file) is
    // removed.
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
