// The tiny encoders of tests/data/encoders, and what their tests share.
#pragma once

#include "inference/engine/engine_session.h"
#include "inference/engine/gufo_engine.h"
#include "inference/engine_table.h"
#include "inference/interface/embedder.h"
#include "support/fixture_models.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>
#include <cstring>

namespace gufo::test {

inline const QString kEncoders = QStringLiteral(GUFO_TEST_DATA "/encoders/");

inline QStringList encoderNames() {
    QStringList names;
    for (const QString& file : QDir(kEncoders).entryList({"*.json"})) {
        names << file.chopped(5);
    }
    return names;
}

inline QJsonObject encoderJson(const QString& name) {
    QFile file(kEncoders + name + ".json");
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

inline std::shared_ptr<const Model> openEncoder(const QString& name) {
    auto model = openModel((kEncoders + name + ".gguf").toStdString());
    return model ? *model : nullptr;
}

inline std::vector<TokenId> idsIn(const QJsonArray& array) {
    std::vector<TokenId> ids;
    for (const QJsonValue& id : array) {
        ids.emplace_back(static_cast<std::size_t>(id.toInt()));
    }
    return ids;
}

// With a KV cache of floats. Null after an error.
inline std::unique_ptr<inference::Embedder> embedderOf(const std::shared_ptr<const Model>& model,
                                                       inference::SessionOptions options) {
    options.threads = 2;
    options.keys = KvCacheType::F32;
    options.values = KvCacheType::F32;
    auto embedder = inference::engineWith(inference::Feature::Embeddings)->openEmbedder(model, options, {});
    return embedder ? std::move(*embedder) : nullptr;
}

// Why a model makes no vectors: the error's name, place and arguments.
inline QString refusalToEmbed(const std::shared_ptr<const Model>& model) {
    const auto embedder = inference::openBuiltInEmbedder(model, {.context = 8}, {});
    if (embedder) {
        return "it runs";
    }
    QStringList parts{QString::fromStdString(std::string(errorName(embedder.error().code))),
                      QString::fromStdString(embedder.error().place.name)};
    for (const Argument& arg : embedder.error().args) {
        parts << QString::fromStdString(arg.text());
    }
    return parts.join(" | ");
}

inline double cosine(std::span<const float> a, std::span<const float> b) {
    double both = 0;
    double ofA = 0;
    double ofB = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const auto x = static_cast<double>(a[i]);
        const auto y = static_cast<double>(b[i]);
        both += x * y;
        ofA += x * x;
        ofB += y * y;
    }
    return both / std::sqrt(ofA * ofB);
}

// The smallest cosine of two rows; 0 if the sizes differ.
inline double smallestCosine(std::span<const float> a, std::span<const float> b, std::size_t width) {
    if (a.size() != b.size() || a.empty() || a.size() % width != 0) {
        return 0;
    }
    double smallest = 1;
    for (std::size_t i = 0; i < a.size(); i += width) {
        smallest = std::min(smallest, cosine(a.subspan(i, width), b.subspan(i, width)));
    }
    return smallest;
}

} // namespace gufo::test
