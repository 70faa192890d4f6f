// Encoded rows of every type with their exact values (tests/data/golden).
#pragma once

#include "base/byte_source.h"
#include "tensor/decode.h"
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
    const TensorTypeFact* type = nullptr;
    QByteArray raw;
    std::vector<float> values;
    std::uint64_t columns = 0; // of a row

    [[nodiscard]] StoredRows rows() const { return *StoredRows::of(type->id, columns, asBytes(raw)); }
};

// Empty if the type has no golden blocks.
inline Golden golden(std::uint32_t typeId) {
    Golden result;
    result.type = findTensorType(typeId);
    for (const QJsonValue& row : goldenManifest()) {
        if (row["id"].toInteger() == static_cast<qint64>(typeId)) {
            result.raw = readGolden(row["name"].toString() + ".raw");
            const QByteArray values = readGolden(row["name"].toString() + ".f32");
            result.values.resize(values.size() / sizeof(float));
            std::copy_n(values.data(), values.size(), reinterpret_cast<char*>(result.values.data()));
            const auto columns = static_cast<std::uint64_t>(row["columns"].toInteger());
            result.columns = columns != 0 ? columns : result.values.size();
        }
    }
    return result;
}

// Returns a row of `blocks` golden blocks of the type in random order, with the header of the last golden row, or
// random bits for types without golden blocks.
inline std::vector<std::byte> shuffledBlocks(std::uint32_t typeId, std::size_t blocks, unsigned seed) {
    const Golden source = golden(typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    std::mt19937 random(seed);
    std::vector<std::byte> bytes;
    const std::size_t size = *rowBytes(type, blocks * type.blockSize);
    bytes.reserve(size);
    const auto append = [&](Bytes more) { bytes.insert(bytes.end(), more.begin(), more.end()); };
    if (!source.raw.isEmpty()) {
        const StoredRows rows = source.rows();
        append(rows.block(source.values.size() - 1).header);
        for (std::size_t b = 0; b < blocks; ++b) {
            append(rows.block(random() % (source.values.size() / type.blockSize) * type.blockSize).bytes);
        }
    }
    while (bytes.size() < size) {
        bytes.push_back(static_cast<std::byte>(random()));
    }
    return bytes;
}

} // namespace gufo::test
