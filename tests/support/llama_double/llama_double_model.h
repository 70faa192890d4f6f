// A model file for the stand-in library, and the settings of the library and of the lying engine for the processes that
// are started from now on.
#pragma once

#include "document/open_model.h"
#include "support/run_models.h"

#include <QFile>
#include <QTemporaryDir>

namespace gufo::test {

class LlamaDoubleModel {
public:
    LlamaDoubleModel() {
        const auto bytes = runnableFile().build();
        QFile file(path());
        if (!file.open(QIODevice::WriteOnly) ||
            file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size())) < 0) {
            qFatal("the model cannot be written");
        }
        file.close();
        auto opened = openModel(path().toStdString());
        if (!opened) {
            qFatal("the model cannot be opened");
        }
        m_model = *opened;
        behave({});
    }
    ~LlamaDoubleModel() {
        for (const char* name : {"GUFO_LIBLLAMA", "LLAMA_DOUBLE", "LYING_ENGINE"}) {
            qunsetenv(name);
        }
    }

    [[nodiscard]] QString path() const { return m_folder.filePath(QStringLiteral("model.gguf")); }
    [[nodiscard]] const std::shared_ptr<const Model>& model() const { return m_model; }
    [[nodiscard]] std::int32_t vocabulary() const {
        return static_cast<std::int32_t>(m_model->metadata.array("tokenizer.ggml.tokens")->length);
    }
    // `settings`: as in llama_double.cpp.
    void behave(const QByteArray& settings, const char* library = GUFO_LLAMA_DOUBLE) const {
        qputenv("GUFO_LIBLLAMA", library);
        qputenv("LLAMA_DOUBLE", "vocabulary=" + QByteArray::number(vocabulary()) + ' ' + settings);
    }

private:
    QTemporaryDir m_folder;
    std::shared_ptr<const Model> m_model;
};

} // namespace gufo::test
