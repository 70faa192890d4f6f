// The tensors of the files in tests/data/containers, as manifest.json lists them.
#pragma once

#include "base/byte_order.h"
#include "base/sha256.h"
#include "model/model.h"
#include "test_paths.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <filesystem>

namespace gufo::test {

inline std::filesystem::path containerFile(const QString& name) {
    return std::filesystem::path(GUFO_TEST_DATA "/containers") / name.toStdString();
}

inline QJsonObject containerManifest() {
    QFile file(QStringLiteral(GUFO_TEST_DATA "/containers/manifest.json"));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

// Decodes all values and returns the SHA-256 of them as little-endian floats.
inline std::string hashOfValues(const Model& model, const TensorInfo& tensor) {
    const auto rows = model.rowsOf(tensor);
    if (!rows || rows->weights() < tensor.weights()) {
        return "not decodable";
    }
    std::vector<float> values(tensor.weights());
    if (!decode(*rows, 0, values)) {
        return "not decoded";
    }
    return hexText(sha256(std::as_bytes(std::span(values))));
}

// Describes the first tensor that differs from what the manifest says about a file; empty if none does. `typeName` maps
// the manifest's names of types (those of PyTorch) to the file's.
inline QString differenceFromManifest(const Model& model, const QJsonArray& expected,
                                      const std::function<QString(const QString&)>& typeName) {
    if (static_cast<qsizetype>(model.tensors.size()) != expected.size()) {
        return QStringLiteral("%1 tensors instead of %2").arg(model.tensors.size()).arg(expected.size());
    }
    for (const QJsonValue& row : expected) {
        const QString name = row["name"].toString();
        const auto index = model.findTensor(name.toStdString());
        if (!index) {
            return name + QStringLiteral(" is missing");
        }
        const TensorInfo& tensor = model.tensor(*index);
        std::vector<std::uint64_t> shape;
        for (const QJsonValue& dim : row["shape"].toArray()) {
            shape.insert(shape.begin(), static_cast<std::uint64_t>(dim.toInteger()));
        }
        if (!(tensor.shape == Shape(shape))) {
            return name + QStringLiteral(" has another shape");
        }
        if (QString::fromStdString(tensor.typeName()) != typeName(row["dtype"].toString())) {
            return name + QStringLiteral(" has the type ") + QString::fromStdString(tensor.typeName());
        }
        if (!tensor.complete()) {
            return name + QStringLiteral(" is incomplete");
        }
        if (hashOfValues(model, tensor) != row["sha256_f32"].toString().toStdString()) {
            return name + QStringLiteral(" has other values");
        }
    }
    return {};
}

} // namespace gufo::test
