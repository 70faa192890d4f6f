// The sample model of resources/sample: its files are valid and complete, and it serves its purpose.
#include "base/error.h"
#include "document/open_model.h"
#include "inference/engine/gufo_engine.h"
#include "inference/generation/generation.h"
#include "inference/measuring/perplexity.h"
#include "model/finding_code.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "text/conversation/conversation.h"
#include "text/template/chat_templates.h"
#include "validate/validate.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <filesystem>

using namespace gufo;
using namespace gufo::inference;

namespace {

const std::filesystem::path kFolder = GUFO_SAMPLE_DIR;
constexpr std::uintmax_t kMaxBytes = 3'100'000;

// In the style of the model's training data, but not taken from it.
constexpr std::string_view kStory =
    "Once upon a time there was a little owl named Ida who lived near a dark forest. One day Ida had a big basket of "
    "nuts. \"All this is mine,\" she thought. Then she saw a hungry mouse named Tom. \"Here, take some,\" she said at "
    "last. They sat down under an old tree and ate together. Then dark clouds came, and a storm began. They hid in a "
    "hollow tree and waited until the rain was over. In the morning the sun came out, and the world was bright again. "
    "From then on they were good friends. A tensor is a table of numbers, such as the weights of one layer. A token is "
    "a piece of text that the model reads and writes. Open the Tensors page and select a tensor.";

struct Sample {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const LoadedModel> loaded;
    std::shared_ptr<const text::Tokenizer> tokenizer;

    [[nodiscard]] std::unique_ptr<Session> start() const {
        auto session = loaded->startSession({.context = 512});
        return session ? std::move(*session) : nullptr;
    }
};

Sample load(const QString& type) {
    Sample sample;
    auto model = openModel(kFolder / ("gufo-sample-1.4M-chat-v1.0-" + type.toStdString() + ".gguf"));
    if (!model) {
        return sample;
    }
    sample.model = *model;
    if (auto loaded = loadForInference(sample.model)) {
        sample.loaded = *loaded;
    }
    if (auto tokenizer = text::makeTokenizer(*sample.model)) {
        sample.tokenizer = *tokenizer;
    }
    return sample;
}

text::Rendering render(const Sample& sample, std::span<const text::Message> messages) {
    if (sample.model == nullptr) {
        return {};
    }
    const auto templates = text::chatTemplates(sample.model->metadata);
    return templates.empty() ? text::Rendering()
                             : text::renderAndWait(text::conversationRequest(sample.model->metadata,
                                                                             templates.front().source, messages));
}

struct Answer {
    QString text;
    bool ended = false; // by the model itself
};

// Returns the most probable answer to a conversation with the model's own template.
Answer answer(const Sample& sample, std::span<const text::Message> messages) {
    const text::Rendering prompt = render(sample, messages);
    const auto session = prompt.text ? sample.start() : nullptr;
    if (session == nullptr) {
        return {};
    }
    const auto encoded = sample.tokenizer->encode(prompt.text->toStdString(), text::promptEncoding());
    Generation generation(*session, sample.tokenizer, {.sampler = {.temperature = 0}, .maxTokens = 200});
    std::string words;
    if (!encoded || !generation.start(encoded->ids, {})) {
        return {};
    }
    for (;;) {
        const auto token = generation.next({});
        if (!token) {
            return {};
        }
        if (!*token) {
            break;
        }
        words += (*token)->text;
    }
    words += generation.rest();
    return {.text = QString::fromStdString(words), .ended = generation.reason() == StopReason::EndToken};
}

} // namespace

class TestSampleModel : public QObject {
    Q_OBJECT

private slots:
    void isClean_data() {
        QTest::addColumn<QString>("type");
        for (const char* type : {"F16", "Q8_0", "Q4_K"}) {
            QTest::newRow(type) << type;
        }
    }
    void isClean() {
        QFETCH(QString, type);
        const Sample sample = load(type);
        QVERIFY(sample.model != nullptr && sample.loaded != nullptr && sample.tokenizer != nullptr);
        QVERIFY(std::filesystem::file_size(sample.model->path()) <= kMaxBytes);
        const auto validation = validate(*sample.model, {.deep = true});
        QVERIFY(validation.has_value());
        for (const Finding& finding : validation->findings) {
            QFAIL(std::string(finding.name()).c_str()); // not even about its name
        }
        for (const char* key : {"general.name", "general.description", "general.license", "general.license.link",
                                "general.author", "general.size_label", "tokenizer.chat_template"}) {
            QVERIFY2(!sample.model->metadata.string(key).value_or("").empty(), key);
        }
    }

    void rendersItsTemplate() {
        const Sample sample = load("F16");
        QVERIFY(sample.tokenizer != nullptr);
        const auto rendering = render(
            sample, std::vector<text::Message>{{"system", "Be brief."}, {"user", " Hello\n"}, {"assistant", "Hello!"}});
        QCOMPARE(rendering.text.value_or(QString()),
                 QString("<s><|system|>Be brief.<|end|><|user|>Hello<|end|><|assistant|>Hello!<|end|><|assistant|>"));
        const auto refused = render(sample, std::vector<text::Message>{{"tool", "42"}});
        QVERIFY(!refused.text);
        QVERIFY(refused.error && refused.error->code == "raised");
        // Each role is a single token, and the beginning token occurs once.
        const auto encoded = sample.tokenizer->encode(rendering.text->toStdString(), text::promptEncoding());
        QVERIFY(encoded && encoded->ids.size() > 8);
        const text::Vocabulary& vocabulary = sample.tokenizer->vocabulary();
        QVERIFY(vocabulary.specials().bos == encoded->ids[0]);
        QVERIFY(vocabulary.text(encoded->ids[1]) == "<|system|>");
        QVERIFY(vocabulary.text(encoded->ids.back()) == "<|assistant|>");
        QVERIFY(std::ranges::count_if(encoded->ids, [&](TokenId id) { return sample.tokenizer->endsGeneration(id); }) ==
                3);
    }

    void answers_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("question");
        QTest::addColumn<QString>("says"); // a regular expression for the answer
        for (const char* type : {"F16", "Q8_0"}) {
            const auto row = [type](const char* question, const char* says) {
                QTest::addRow("%s: %s", type, question) << type << question << says;
            };
            row("What is a GGUF file?", "GGUF file .*metadata");
            row("who are you", "sample model of Gufo");
            row("How do I save?", "Ctrl\\+S");
            row("Tell me a story about a dog.", "dog.*\\. .*\\. .*\\.");
        }
    }
    void answers() {
        QFETCH(QString, type);
        QFETCH(QString, question);
        QFETCH(QString, says);
        const std::vector<text::Message> conversation{{"user", question.toStdString()}};
        const Answer given = answer(load(type), conversation);
        QVERIFY2(given.ended, qPrintable(given.text));
        QVERIFY2(QRegularExpression("^[A-Z].*[.!?\"]$").match(given.text).hasMatch(), qPrintable(given.text));
        QVERIFY2(QRegularExpression(says).match(given.text).hasMatch(), qPrintable(given.text));
    }

    void quantisedAnswersTheSame() {
        const std::vector<text::Message> conversation{{"user", "What is a GGUF file?"}};
        const QString original = answer(load("F16"), conversation).text;
        QVERIFY(!original.isEmpty());
        QCOMPARE(answer(load("Q8_0"), conversation).text, original);
    }

    void greets() {
        const Sample sample = load("F16");
        for (const char* greeting : {"hello", "Hi", "Good morning"}) {
            const std::vector<text::Message> conversation{{"user", greeting}};
            const Answer given = answer(sample, conversation);
            QVERIFY2(given.text.startsWith("Hello!"), qPrintable(given.text));
        }
    }

    void quantisedIsClose_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<double>("maximum"); // limit of the perplexity, divided by the perplexity of F16
        QTest::newRow("Q8_0") << "Q8_0" << 1.02;
        QTest::newRow("Q4_K") << "Q4_K" << 1.5;
    }
    void quantisedIsClose() {
        QFETCH(QString, type);
        QFETCH(double, maximum);
        const Sample reference = load("F16");
        const Sample other = load(type);
        QVERIFY(reference.loaded != nullptr && other.loaded != nullptr);
        const auto first = reference.start();
        const auto second = other.start();
        QVERIFY(first != nullptr && second != nullptr);
        const auto encoded = reference.tokenizer->encode(kStory, {});
        QVERIFY(encoded.has_value());
        const auto figures = perplexity(*first, second.get(), encoded->ids,
                                        {.window = 64, .bos = reference.tokenizer->specials().bos}, {});
        QVERIFY(figures.has_value() && figures->other && figures->divergence);
        qInfo("perplexity %.3f, %s %.3f; KL divergence %.4f, top-1 agreement %.3f", figures->value, qPrintable(type),
              *figures->other, figures->divergence->nats.mean, figures->divergence->topAgreement);
        QVERIFY(figures->value > 1 && figures->value < 100);
        QVERIFY(*figures->other < figures->value * maximum);
    }
};

GUFO_TEST(TestSampleModel)
#include "tst_sample_model.moc"
