// How the answers of a chat template are written: what encloses a thought, how tool calls, their names and their
// arguments are written, and what follows an answer. The template is the specification: deriveAnswerFormat()
// (format_derivation.h) renders it with a conversation whose last answer consists of texts that no template writes by
// itself, and looks at what is around them. Only what templates do not write comes from a table (answer_format.cpp).
//
// Markers are compared as marker_text.h says. Thread contract: immutable values.
#pragma once

#include "base/error.h"
#include "text/tokenizer/tokenizer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::text {

// What encloses a thought: "<think>" and "</think>".
struct ThoughtFormat {
    std::string open{};
    std::string close{};
    std::string closing{}; // `close` with the white space that the template writes around it; empty: none
    bool operator==(const ThoughtFormat&) const = default;
};

enum class CallStyle : std::uint8_t {
    Json,      // {"name": "f", "arguments": {"x": 1}}
    NamedJson, // f{"x": 1}, usually with markers between the name and the arguments
    Tagged,    // each argument between markers: <parameter=x>1</parameter>
    Literals,  // f(x=1), f{x:1}
};

// A part of what precedes the arguments of a call.
struct CallHeadPart {
    enum class Kind : std::uint8_t { Marker, Name, Id };
    Kind kind = Kind::Marker;
    std::string marker{}; // of a Marker
    bool operator==(const CallHeadPart&) const = default;
};

// What separates the name of an argument from its value.
struct ValueOpening {
    std::string marker{};
    std::optional<bool> isString{}; // if the template writes another marker before strings than before other values
    bool operator==(const ValueOpening&) const = default;
};

// Which fields are used depends on the style.
struct CallFormat {
    CallStyle style = CallStyle::Json;
    std::string sectionOpen{}; // around all calls of an answer; empty: none
    std::string sectionClose{};
    std::string open{}; // before a call; the first marker of `head` where there is one
    std::string close{};
    std::vector<CallHeadPart> head{}; // not of Json: everything from `open` to the arguments
    bool numbered = false;            // the name is followed by a number, as in "functions.f:0", and is the id with it
    // Json: the members of the object. An empty `nameKey` means that the name is the key of the arguments.
    std::string nameKey{};
    std::string argumentsKey{};
    std::string idKey{};
    std::string wrapperKey{}; // the member that contains the others; empty: none
    // Tagged:
    std::string keyOpen{};
    std::vector<ValueOpening> valueOpen{}; // with the line breaks that belong to them and not to the value
    std::string valueClose{};
    // Literals:
    std::string argumentsOpen{};
    std::string argumentsClose{};
    std::string assign{}; // between the name of an argument and its value
    std::string quote{};  // around strings
    bool escapes = false; // strings have backslash escapes
    bool python = false;  // Tagged: lists and objects are Python's literals
    bool isKnown = false; // from the table, not from the template
    bool operator==(const CallFormat&) const = default;

    // Whether calls begin with something that can be told from ordinary text. Otherwise an answer is taken for calls
    // only if tools were given and it begins with one.
    [[nodiscard]] bool hasMarker() const;
    // The tags with which a call, or a section of them, may begin.
    [[nodiscard]] std::vector<std::string> triggers() const;
    // All of its texts, each with a line break after it.
    [[nodiscard]] std::string texts() const;
};

struct AnswerFormat {
    std::vector<ThoughtFormat> thoughts{}; // the template's first
    std::size_t ownThoughts = 0;           // how many of them the template writes or begins
    std::vector<CallFormat> calls{};       // the template's first
    std::size_t ownCalls = 0;              // how many of them the template writes or mentions
    std::string header{};                  // begins each further message of an answer that consists of several
    std::string contentOpen{};             // before the text for the user
    std::string contentClose{};            // after it, where calls may still follow; empty: only the answer's end does
    bool channels = false;                 // gpt-oss: the header of each message names a channel
    bool knowsTools = false;               // the template shows tools to the model
    bool emptyText = false;                // a message that only calls tools must have the content "", not null
    bool answersInThought = false; // the template writes an answer after the thought that its prompt opens, unclosed
    std::string thoughtMember = "reasoning_content"; // of a message; "content": a part of it
    // The template's text after an answer: before another question, at the end of the conversation, and the same after
    // calls, before a result and at the end. Empty where the template cannot write it.
    std::string beforeQuestion{};
    std::string afterAnswer{};
    std::string beforeResult{};
    std::string afterCalls{};
    bool operator==(const AnswerFormat&) const = default;

    [[nodiscard]] bool hasThoughts() const { return ownThoughts != 0; }
    // Whether it is known how calls are written.
    [[nodiscard]] bool hasCalls() const { return channels || ownCalls != 0; }
};

// The formats that are recognised where a template says nothing: models deviate from their templates, and servers do
// not show theirs.
[[nodiscard]] std::shared_ptr<const AnswerFormat> usualAnswerFormat();
// Adds the table's formats that `source`, the text of a template, mentions, and the formats that are recognised with
// any template.
void addKnownFormats(AnswerFormat& format, std::string_view source);

// The same format, unless the vocabulary has the control tokens of gpt-oss, whose answers consist of channels whatever
// a simplified template says.
[[nodiscard]] std::shared_ptr<const AnswerFormat> formatFor(std::shared_ptr<const AnswerFormat> format,
                                                            const Tokenizer& tokenizer);

// As JSON with stable keys, and back. Errors: the errors of JsonReader; BadSyntax.
[[nodiscard]] std::string answerFormatJson(const AnswerFormat& format);
[[nodiscard]] Result<AnswerFormat> readAnswerFormat(std::string_view json);

// The tokens and texts that end an answer.
struct AnswerEnd {
    std::vector<TokenId> tokens{};
    std::vector<std::string> stops{}; // where the template marks the end by text
    // Tokens that are also written inside of an answer, between its messages: they end it only where its text for the
    // user has begun. They include end tokens of the vocabulary (SpecialTokens::endOfGeneration).
    std::vector<TokenId> inner{};
    bool operator==(const AnswerEnd&) const = default;
};
[[nodiscard]] AnswerEnd answerEndOf(const AnswerFormat& format, const Tokenizer& tokenizer);

// Control tokens whose text belongs to a marker and which decoding would otherwise omit. For
// GenerationSettings::written.
[[nodiscard]] std::vector<TokenId> answerMarkers(const AnswerFormat& format, const Tokenizer& tokenizer);

} // namespace gufo::text
