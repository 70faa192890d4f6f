#include "net/secret.h"

namespace gufo::net {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

// The compiler must not remove writes through a volatile pointer, although the memory is not read again.
void overwrite(std::string& characters) {
    volatile char* at = characters.data();
    for (std::size_t i = 0; i < characters.size(); ++i) {
        at[i] = '\0';
    }
    characters.clear();
}

} // namespace

Secret::Secret(std::string&& characters) {
    const std::size_t begin = characters.find_first_not_of(kSpace);
    if (begin != std::string::npos) {
        m_characters = characters.substr(begin, characters.find_last_not_of(kSpace) + 1 - begin);
    }
    overwrite(characters);
}

Secret& Secret::operator=(const Secret& other) {
    if (this != &other) {
        wipe();
        m_characters = other.m_characters;
    }
    return *this;
}

Secret::~Secret() { wipe(); }

void Secret::wipe() { overwrite(m_characters); }

} // namespace gufo::net
