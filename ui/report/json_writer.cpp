#include "ui/report/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

namespace gufo::ui {
namespace {

template<typename T>
std::string_view digits(T number, std::array<char, 64>& buffer) {
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
    return {buffer.data(), end};
}

// A whole-valued float keeps a decimal point: "1.0".
template<typename T>
void writeReal(T number, std::string& text) {
    std::array<char, 64> buffer{};
    text = digits(number, buffer);
    if (text.find_first_of(".e") == std::string::npos) {
        text += ".0";
    }
}

} // namespace

void JsonWriter::begin(char bracket, Layout layout) {
    separate();
    m_out.write(std::string_view(&bracket, 1));
    m_levels.push_back({layout});
}

void JsonWriter::end(char bracket) {
    const Level level = m_levels.back();
    m_levels.pop_back();
    if (level.layout == Layout::Block && !level.empty) {
        newLine();
    }
    m_out.write(std::string_view(&bracket, 1));
}

void JsonWriter::key(const char* name) {
    separate();
    m_out.write(jsonOfText(name));
    m_out.write(": ");
    m_afterKey = true;
}

void JsonWriter::writeUnsigned(std::uint64_t number) {
    std::array<char, 64> buffer{};
    raw(digits(number, buffer));
}

void JsonWriter::writeSigned(std::int64_t number) {
    std::array<char, 64> buffer{};
    raw(digits(number, buffer));
}

void JsonWriter::value(float number) {
    std::string text = "null";
    if (std::isfinite(number)) {
        writeReal(number, text);
    }
    raw(text);
}

void JsonWriter::value(double number) {
    std::string text = "null";
    if (std::isfinite(number)) {
        writeReal(number, text);
    }
    raw(text);
}

void JsonWriter::raw(std::string_view text) {
    separate();
    m_out.write(text);
}

// Writes the separator between the previous element and the next.
void JsonWriter::separate() {
    if (m_afterKey) {
        m_afterKey = false;
        return;
    }
    if (m_levels.empty()) {
        return;
    }
    Level& level = m_levels.back();
    if (!level.empty) {
        m_out.write(level.layout == Layout::Block ? "," : ", ");
    }
    level.empty = false;
    if (level.layout == Layout::Block) {
        newLine();
    }
}

void JsonWriter::newLine() {
    m_out.write("\n");
    std::size_t depth = 0;
    for (const Level& level : m_levels) {
        depth += level.layout == Layout::Block ? 1 : 0;
    }
    m_out.write(std::string(2 * depth, ' '));
}

} // namespace gufo::ui
