// Rows of random bits of every type that can be decoded, and how their values are compared.
#pragma once

#include "tensor/decode.h"
#include "tensor/tensor_type.h"

#include <QTest>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace gufo::test {

// Bitwise equality, where any two NaNs are equal.
inline bool same(float a, float b) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

// Rows of random bits.
inline std::vector<std::byte> randomRows(const TensorTypeFact& type, std::size_t blocksInRow, std::size_t rows,
                                         unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(*tensorBytes(type, blocksInRow * type.blockSize, rows));
    for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(random());
    }
    return bytes;
}

// A row of test data for each type that can be decoded.
inline void addTypeRows() {
    QTest::addColumn<quint32>("typeId");
    for (const TensorTypeFact& type : tensorTypes()) {
        if (isDecodable(type.id)) {
            QTest::newRow(type.name.data()) << type.id;
        }
    }
}

} // namespace gufo::test
