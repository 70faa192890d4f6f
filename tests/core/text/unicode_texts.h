// Random texts of everything that Unicode has, to compare two ways of splitting with.
#pragma once

#include <QString>

#include <random>
#include <string>
#include <vector>

namespace gufo::test {

// Code points to which Qt and PCRE2 give different classes. Both follow Unicode, not always the same version of it.
const std::vector<char32_t>& charactersInDispute();

// Texts of every script that Unicode has, with marks, numbers of all kinds, white space of all kinds, line breaks,
// contractions, symbols, emoji, controls, private and unassigned characters, and what single rules look for. Without
// the characters in dispute. The same texts for the same seed.
class RandomTexts {
public:
    explicit RandomTexts(std::uint32_t seed);
    QString next();

private:
    char32_t pick(const std::vector<char32_t>& from);
    void appendSome(std::u32string& text);

    std::mt19937 m_random;
};

} // namespace gufo::test
