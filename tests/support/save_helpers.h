// For tests of saving: models edited without a document, and comparison of files.
#pragma once

#include "formats/gguf/write/save.h"
#include "model/model.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

namespace gufo::test {

using FileBytes = std::string;

// Reserves space in files of any size.
inline const SaveOptions kReserving{.reserveFrom = 0};

inline FileBytes readFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
inline void writeFile(const std::filesystem::path& path, const FileBytes& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Makes a changed copy of a model.
class ModelEdit {
public:
    explicit ModelEdit(const Model& base)
        : m_model(base) {
        m_model.owned.push_back(m_texts);
    }
    ModelEdit& set(std::string_view key, Value value) {
        if (const auto* text = std::get_if<std::string_view>(&value)) {
            value = std::string_view(m_texts->emplace_back(*text));
        }
        bool found = false;
        for (KeyValue& entry : entries()) {
            if (!found && entry.key == key) {
                entry.value = value;
                found = true;
            }
        }
        if (!found) {
            m_keys.push_back({.key = m_texts->emplace_back(key), .value = value});
        }
        return *this;
    }
    ModelEdit& remove(std::string_view key) {
        std::erase_if(entries(), [&](const KeyValue& entry) { return entry.key == key; });
        return *this;
    }
    SharedVector<TensorInfo>& tensors() { return m_model.tensors; }
    Model& raw() { return m_model; }
    [[nodiscard]] Model model() {
        Model result = m_model;
        result.metadata = Metadata();
        for (const KeyValue& entry : entries()) {
            result.metadata.add(entry);
        }
        return result;
    }

private:
    std::vector<KeyValue>& entries() {
        if (!m_taken) {
            m_keys.assign(m_model.metadata.begin(), m_model.metadata.end());
            m_taken = true;
        }
        return m_keys;
    }

    std::shared_ptr<std::deque<std::string>> m_texts = std::make_shared<std::deque<std::string>>();
    Model m_model;
    std::vector<KeyValue> m_keys;
    bool m_taken = false;
};

inline SaveReport reportOf(const Result<SaveReport>& result) { return result ? *result : SaveReport(); }
inline std::string describe(const Error& error) {
    std::string text(errorName(error.code));
    for (const Argument& arg : error.args) {
        text += " " + arg.text();
    }
    return text + " errno " + std::to_string(error.systemError);
}
template<typename T>
std::string describe(const Result<T>& result) {
    return result ? "done" : describe(result.error());
}

} // namespace gufo::test
