// The destination of a report's text: UTF-8 bytes, written in pieces.
#pragma once

#include <QString>

#include <string>
#include <string_view>

namespace gufo::ui {

class TextSink {
public:
    virtual ~TextSink() = default;
    virtual void write(std::string_view bytes) = 0;
    void write(const char* text) { write(std::string_view(text)); }
    void write(const QString& text) { write(std::string_view(text.toStdString())); } // also what follows a NUL

protected:
    TextSink() = default;
    TextSink(const TextSink&) = default;
    TextSink& operator=(const TextSink&) = default;
};

class StringSink final : public TextSink {
public:
    using TextSink::write;
    void write(std::string_view bytes) override { m_text += bytes; }
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

} // namespace gufo::ui
