// Random texts of all kinds of Unicode characters, for comparing two ways of splitting.
#pragma once

#include <QString>

#include <random>
#include <string>
#include <vector>

namespace gufo::test {

// Code points that Qt and PCRE2 classify differently, usually because they follow different versions of Unicode.
const std::vector<char32_t>& charactersInDispute();

// Texts of every script in Unicode with marks, all kinds of numbers and white space, line breaks, contractions,
// symbols, emoji, controls, private and unassigned characters, and strings that particular rules look for; without the
// characters in dispute. Equal seeds give equal texts.
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
