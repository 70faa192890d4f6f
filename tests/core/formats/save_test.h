// What the tests of saving share: a model, its bytes, and a folder for each test.
#pragma once

#include "base/mapped_file.h"
#include "document/open_model.h"
#include "formats/gguf/write/save.h"
#include "formats/save/recover.h"
#include "support/gguf_builder.h"
#include "support/save_helpers.h"

#include <QTemporaryDir>
#include <QTest>

namespace gufo::test {

// Bytes that show their origin.
inline std::vector<std::byte> patternBytes(std::size_t count, unsigned seed) {
    std::vector<std::byte> bytes(count);
    for (std::size_t i = 0; i < count; ++i) {
        bytes[i] = static_cast<std::byte>(seed * 37 + i * 11 + i / 251);
    }
    return bytes;
}

// Two tensors of 40,000 and 4,004 bytes.
inline GgufBuilder smallSavedModel() {
    GgufBuilder file;
    file.key("general.architecture", "llama").key("general.name", "before").key("llama.block_count", std::uint32_t{2});
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"<s>", "</s>", "owl"});
    file.key("tokenizer.chat_template", "{{ messages }}");
    file.tensor("token_embd.weight", kF32, {100, 100}, patternBytes(40'000, 1));
    file.tensor("output.weight", kF32, {7, 143}, patternBytes(4'004, 2));
    return file;
}

inline std::string tensorBytes(const Model& model) {
    std::string all;
    for (const TensorInfo& tensor : model.tensors) {
        const Bytes bytes = model.bytesOf(tensor).value();
        all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    return all;
}

#define VERIFY_DONE(result) QVERIFY2(result, describe(result).c_str())

// A test that saves models in a folder of its own.
class SaveTest : public QObject {
protected:
    void makeFolder() {
        m_folder = std::make_unique<QTemporaryDir>("/var/tmp/gufo-save-XXXXXX");
        QVERIFY(m_folder->isValid());
    }
    std::filesystem::path write(const GgufBuilder& file, const char* name = "model.gguf") {
        file.write(path(name));
        return path(name);
    }
    std::filesystem::path path(const char* name) {
        return std::filesystem::path(m_folder->path().toStdString()) / name;
    }
    // Checks that only the named files exist: no journal and no temporary file.
    void onlyFiles(const std::vector<std::string>& names) {
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(m_folder->path().toStdString())) {
            found.push_back(entry.path().filename().native());
        }
        std::ranges::sort(found);
        QCOMPARE(found, names);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

} // namespace gufo::test
