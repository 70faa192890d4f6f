// A small model, and steps that must succeed or be refused, for the tests of documents.
#pragma once

#include "document/document.h"
#include "formats/gguf/read/reader.h"
#include "model/array_index.h"
#include "support/gguf_builder.h"

#include <QTest>

#include <limits>

namespace gufo::test {

inline GgufBuilder documentSample() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("general.name", "Owl");
    file.key("x.u8", std::uint8_t{200});
    file.key("x.i64", std::numeric_limits<std::int64_t>::min());
    file.key("x.f32", 1.5F);
    file.key("x.f64", 2.5);
    file.key("x.bool", true);
    file.key("x.ints", std::vector<std::int32_t>{1, 2, 3, 4, 5});
    file.key("x.words", std::vector<std::string>{"a", "bb", "", "dddd"});
    file.tensor("a", 0, {4});
    file.tensor("b", 0, {8});
    file.tensor("c", 0, {12});
    return file;
}

inline std::shared_ptr<const Model> openDocumentSample(const GgufBuilder& file) {
    auto model = gguf::read(file.source());
    if (!model) {
        qFatal("the sample does not open");
    }
    return *model;
}

inline std::vector<std::string> keysOf(const Model& model) {
    std::vector<std::string> keys;
    for (const KeyValue& entry : model.metadata) {
        keys.emplace_back(entry.key);
    }
    return keys;
}

inline std::vector<std::string> tensorsOf(const Model& model) {
    std::vector<std::string> names;
    for (const TensorInfo& tensor : model.tensors) {
        names.emplace_back(tensor.name);
    }
    return names;
}

inline std::vector<std::string> wordsOf(const Model& model, std::string_view key) {
    std::vector<std::string> words;
    const ArrayView* array = model.metadata.array(key);
    for (const Value& word : arrayHead(*array, array->length)) {
        words.emplace_back(std::get<std::string_view>(word));
    }
    return words;
}

using Words = std::vector<std::string>;

template<typename T>
OwnedValue ownedNumber(T value) {
    return OwnedValue(Value(value));
}

inline OwnedValue ownedWords(const Words& texts) { return OwnedValue::strings(texts); }

// Applies a step that must succeed.
inline AppliedStep applied(Document& document, std::vector<Change> changes, std::string label = "step") {
    auto step = document.apply(std::move(changes), std::move(label));
    if (!step) {
        qFatal("refused: %s %s", std::string(errorName(step.error().code)).c_str(),
               step.error().args.empty() ? "" : step.error().args[0].text().c_str());
    }
    return *std::move(step);
}

inline ErrorCode refusedStep(Document& document, std::vector<Change> changes) {
    const auto before = document.current();
    const auto step = document.apply(std::move(changes), "step");
    if (step) {
        qFatal("a change that should be refused was made");
    }
    if (document.current() != before || document.isModified()) {
        qFatal("a refused step changed something");
    }
    return step.error().code;
}

inline void compareModels(const Model& a, const Model& b) {
    QCOMPARE(keysOf(a), keysOf(b));
    QCOMPARE(tensorsOf(a), tensorsOf(b));
    for (std::size_t i = 0; i < a.metadata.size(); ++i) {
        QVERIFY(OwnedValue::sameValue(a.metadata[KvIndex(i)].value, b.metadata[KvIndex(i)].value));
    }
}

} // namespace gufo::test
