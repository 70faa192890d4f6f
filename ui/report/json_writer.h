// A streaming JSON writer: it builds no tree in memory, keeps 64-bit integers exact and never writes NaN or Infinity.
#pragma once

#include "base/json_text.h"
#include "ui/report/text_sink.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gufo::ui {

class JsonWriter {
public:
    // Block puts each element on its own line.
    enum class Layout : std::uint8_t { Inline, Block };

    explicit JsonWriter(TextSink& out)
        : m_out(out) {}

    void beginObject(Layout layout = Layout::Inline) { begin('{', layout); }
    void endObject() { end('}'); }
    void beginArray(Layout layout = Layout::Inline) { begin('[', layout); }
    void endArray() { end(']'); }
    void key(const char* name);

    void value(std::string_view text) { raw(jsonOfText(text)); }
    void value(const char* text) { value(std::string_view(text)); }
    void value(const QString& text) { value(std::string_view(text.toStdString())); }
    void value(bool flag) { raw(flag ? "true" : "false"); }
    template<std::integral T>
    void value(T number) {
        if constexpr (std::is_signed_v<T>) {
            writeSigned(number);
        } else {
            writeUnsigned(number);
        }
    }
    // Writes the shortest digits that read back as the same float or double, or null if the number is not finite.
    void value(float number);
    void value(double number);
    void null() { raw("null"); }
    // Writes JSON that is there already.
    void json(std::string_view text) { raw(text); }

    template<typename T>
    void value(const std::optional<T>& maybe) {
        maybe ? value(*maybe) : null();
    }
    template<typename T>
    void member(const char* name, const T& content) {
        key(name);
        value(content);
    }

    // Call after the outermost value.
    void endDocument() { m_out.write("\n"); }

private:
    struct Level {
        Layout layout;
        bool empty = true;
    };
    void begin(char bracket, Layout layout);
    void end(char bracket);
    void writeSigned(std::int64_t number);
    void writeUnsigned(std::uint64_t number);
    void raw(std::string_view text);
    void separate();
    void newLine();

    TextSink& m_out;
    std::vector<Level> m_levels;
    bool m_afterKey = false;
};

} // namespace gufo::ui
