// Encoded blocks of every type with their exact values (data/golden).
#pragma once

#include "base/byte_source.h"
#include "tensor/tensor_type.h"
#include "test_paths.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

namespace gufo::test {

inline QByteArray readGolden(const QString& name) {
    QFile file(QStringLiteral(GUFO_TEST_DATA "/golden/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline Bytes asBytes(const QByteArray& bytes) { return std::as_bytes(std::span(bytes.data(), bytes.size())); }

inline QJsonArray goldenManifest() { return QJsonDocument::fromJson(readGolden("manifest.json")).array(); }

struct Golden {
    const TensorTypeInfo* type = nullptr;
    QByteArray raw;
    std::vector<float> values;
};

// Empty if there is none.
inline Golden golden(std::uint32_t typeId) {
    Golden result;
    result.type = findTensorType(typeId);
    for (const QJsonValue& row : goldenManifest()) {
        if (row["id"].toInt() == static_cast<int>(typeId)) {
            result.raw = readGolden(row["name"].toString() + ".raw");
            const QByteArray values = readGolden(row["name"].toString() + ".f32");
            result.values.resize(values.size() / sizeof(float));
            std::copy_n(values.data(), values.size(), reinterpret_cast<char*>(result.values.data()));
        }
    }
    return result;
}

// `blocks` of a type's golden blocks in random order; of types without any, random bits.
inline std::vector<std::byte> shuffledBlocks(std::uint32_t typeId, std::size_t blocks, unsigned seed) {
    const Golden source = golden(typeId);
    const std::size_t size = findTensorType(typeId)->blockBytes;
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(blocks * size);
    for (std::size_t b = 0; b < blocks; ++b) {
        if (source.raw.isEmpty()) {
            for (std::size_t i = 0; i < size; ++i) {
                bytes[b * size + i] = static_cast<std::byte>(random());
            }
        } else {
            const std::size_t from = random() % (source.raw.size() / size);
            std::memcpy(bytes.data() + b * size, source.raw.data() + from * size, size);
        }
    }
    return bytes;
}

} // namespace gufo::test
