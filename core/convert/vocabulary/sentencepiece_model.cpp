#include "convert/vocabulary/sentencepiece_model.h"

#include "base/detail.h"
#include "convert/vocabulary/protobuf_reader.h"

namespace gufo::convert {
namespace {

using Wire = ProtobufField::Wire;

// Calls `field(const ProtobufField&)` for each field of a message.
template<typename Field>
Result<> readFields(std::string_view message, const Field& field) {
    ProtobufReader reader(message);
    while (!reader.atEnd()) {
        const auto next = reader.next();
        if (!next) {
            return std::unexpected(next.error());
        }
        if (Result<> read = field(*next); !read) {
            return read;
        }
    }
    return {};
}

// The types of sentencepiece_model.proto as those of GGUF. The official converter types user-defined pieces as normal
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

Result<> readPiece(std::string_view message, SentencePieceModel& model) {
    TokenRow row{{}, TokenType::Normal, 0};
    auto read = readFields(message, [&](const ProtobufField& field) -> Result<> {
        if (field.is(1, Wire::Bytes)) {
            row.text = field.bytes;
        } else if (field.is(2, Wire::Fixed32)) {
            row.score = field.asFloat();
        } else if (field.is(3, Wire::Varint)) {
            row.type = typeOfPiece(field.value);
        }
        return {};
    });
    return read ? model.pieces.place(model.pieces.size(), std::move(row)) : read;
}

Result<> readTrainerSpec(std::string_view message, SentencePieceModel& model) {
    return readFields(message, [&](const ProtobufField& field) -> Result<> {
        if (field.is(3, Wire::Varint) && field.value >= 1 && field.value <= 4) {
            model.algorithm = static_cast<SentencePieceModel::Algorithm>(field.value);
        }
        return {};
    });
}

Result<> readNormalizerSpec(std::string_view message, SentencePieceModel& model) {
    return readFields(message, [&](const ProtobufField& field) -> Result<> {
        if (field.is(2, Wire::Bytes)) {
            model.charsmap = field.bytes;
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
    auto read = readFields(bytes, [&](const ProtobufField& field) -> Result<> {
        if (field.is(1, Wire::Bytes)) {
            return readPiece(field.bytes, model);
        }
        if (field.is(2, Wire::Bytes)) {
            return readTrainerSpec(field.bytes, model);
        }
        if (field.is(3, Wire::Bytes)) {
            return readNormalizerSpec(field.bytes, model);
        }
        return {};
    });
    if (!read) {
        return std::unexpected(std::move(read).error());
    }
    if (model.pieces.size() == 0) {
        return fail(ErrorCode::Malformed, {}, {Detail::NoPieces});
    }
    return model;
}

} // namespace gufo::convert
