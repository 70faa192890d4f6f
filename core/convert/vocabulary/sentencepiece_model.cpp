#include "convert/vocabulary/sentencepiece_model.h"

#include "base/detail.h"
#include "base/protobuf_reader.h"

#include <bit>

namespace gufo::convert {
namespace {

using Field = ProtobufReader::Field;
using Wire = ProtobufReader::Wire;

// A message within the bytes of the file, so that errors state the offset in it.
struct Message {
    std::string_view file;
    ByteRange range;

    [[nodiscard]] Message inner(const Field& field) const { return {file, field.bytes}; }
    [[nodiscard]] std::string_view text(const Field& field) const {
        return file.substr(static_cast<std::size_t>(field.bytes.offset), static_cast<std::size_t>(field.bytes.length));
    }
};

// Calls `take(const Field&)` for each field of a message.
template<typename Take>
Result<> readFields(const Message& message, const Take& take) {
    ProtobufReader reader(std::as_bytes(std::span(message.file)), message.range);
    for (;;) {
        const auto next = GUFO_TRY(reader.next());
        if (!next) {
            return {};
        }
        GUFO_TRY(take(*next));
    }
}

// The types of sentencepiece_model.proto as types of GGUF. The official converter types user-defined pieces as normal
// ones, because SentencePiece itself also merges them like any other piece.
TokenType typeOfPiece(std::uint64_t type) {
    switch (type) {
    case 2:
        return TokenType::Unknown;
    case 3:
        return TokenType::Control;
    case 5:
        return TokenType::Unused;
    case 6:
        return TokenType::Byte;
    default:
        return TokenType::Normal;
    }
}

Result<> readPiece(const Message& message, SentencePieceModel& model) {
    TokenRow row{{}, TokenType::Normal, 0};
    auto read = readFields(message, [&](const Field& field) -> Result<> {
        if (field.is(1, Wire::Delimited)) {
            row.text = message.text(field);
        } else if (field.is(2, Wire::Fixed32)) {
            row.score = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
        } else if (field.is(3, Wire::Varint)) {
            row.type = typeOfPiece(field.value);
        }
        return {};
    });
    return read ? model.pieces.place(model.pieces.size(), std::move(row)) : read;
}

Result<> readTrainerSpec(const Message& message, SentencePieceModel& model) {
    return readFields(message, [&](const Field& field) -> Result<> {
        if (field.is(3, Wire::Varint) && field.value >= 1 && field.value <= 4) {
            model.algorithm = static_cast<SentencePieceModel::Algorithm>(field.value);
        }
        return {};
    });
}

Result<> readNormalizerSpec(const Message& message, SentencePieceModel& model) {
    return readFields(message, [&](const Field& field) -> Result<> {
        if (field.is(2, Wire::Delimited)) {
            model.charsmap = message.text(field);
        } else if (field.is(3, Wire::Varint)) {
            model.addDummyPrefix = field.value != 0;
        } else if (field.is(4, Wire::Varint)) {
            model.removeExtraWhitespaces = field.value != 0;
        }
        return {};
    });
}

} // namespace

Result<SentencePieceModel> readSentencePieceModel(std::string_view bytes) {
    SentencePieceModel model;
    const Message file{bytes, {0, bytes.size()}};
    auto read = readFields(file, [&](const Field& field) -> Result<> {
        if (field.is(1, Wire::Delimited)) {
            return readPiece(file.inner(field), model);
        }
        if (field.is(2, Wire::Delimited)) {
            return readTrainerSpec(file.inner(field), model);
        }
        if (field.is(3, Wire::Delimited)) {
            return readNormalizerSpec(file.inner(field), model);
        }
        return {};
    });
    GUFO_TRY(read);
    if (model.pieces.size() == 0) {
        return fail(ErrorCode::Malformed, {}, {Detail::NoPieces});
    }
    return model;
}

} // namespace gufo::convert
