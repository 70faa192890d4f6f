// Swapped tensors, compared with files that really have them, and the search for tensors that make two files of a model
// answer differently.
#include "inference/engine/gufo_engine.h"
#include "inference/engine/layered_run.h"
#include "inference/interface/run_observer.h"
#include "inference/measuring/blame.h"
#include "inference/measuring/perplexity.h"
#include "model/swapped_model.h"
#include "model/tensor_role.h"
#include "support/error_names.h"
#include "support/quantised_copies.h"
#include "support/test_unit.h"

#include <QDir>
#include <QTest>

#include <cstring>
#include <map>
#include <stop_token>
#include <tuple>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

constexpr std::size_t kTokens = 9;

std::string textOf(std::span<const float> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// Another file of the model: its floats are changed a little, and every other matrix whose rows allow it is quantised.
std::shared_ptr<const Model> otherFile(const Model& model) {
    std::size_t count = 0;
    return copyOf(
               model, [](std::string_view) { return false; },
               [&](auto& to, const TensorInfo& tensor, Bytes) {
                   const auto rows = model.rowsOf(tensor);
                   std::vector<float> values(tensor.weights());
                   if (tensor.typeId != static_cast<std::uint32_t>(TensorType::F32) || !rows ||
                       !decode(*rows, 0, values)) {
                       return false;
                   }
                   for (std::size_t i = 0; i < values.size(); ++i) {
                       values[i] *= 1 + 0.01F * static_cast<float>(i % 7);
                   }
                   const auto dims = tensor.shape.dims();
                   const std::vector<std::uint64_t> shape{dims.begin(), dims.end()};
                   const TensorTypeFact& type = tensorTypeFact(TensorType::Q8_0);
                   if (!isQuantisedIn(tensor, type) || ++count % 2 == 0) {
                       to.tensor(tensor.name, shape, TensorType::F32, textOf(values));
                       return true;
                   }
                   std::string encoded(blocksBytes(type, values.size()), '\0');
                   if (!encode({.typeId = type.id, .columns = dims[0], .importance = {}}, values,
                               std::as_writable_bytes(std::span(encoded)))) {
                       return false;
                   }
                   to.tensor(tensor.name, shape, TensorType::Q8_0, encoded);
                   return true;
               })
        .model();
}

// A file that really has the chosen tensors of the other one.
std::shared_ptr<const Model> fileWith(const Model& a, const Model& b,
                                      const std::function<bool(std::string_view)>& fromB) {
    return copyOf(
               a, [](std::string_view) { return false; },
               [&](auto& to, const TensorInfo& tensor, Bytes) {
                   if (!fromB(tensor.name)) {
                       return false;
                   }
                   const TensorInfo& other = b.tensor(*b.findTensor(tensor.name));
                   const Bytes bytes = *b.bytesOf(other);
                   const auto dims = other.shape.dims();
                   to.tensor(tensor.name, {dims.begin(), dims.end()}, static_cast<TensorType>(other.typeId),
                             std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
                   return true;
               })
        .model();
}

std::shared_ptr<const Model> swapped(const std::shared_ptr<const Model>& a, const std::shared_ptr<const Model>& b,
                                     const std::function<bool(std::string_view)>& fromB) {
    std::vector<TensorSwap> swaps;
    for (std::size_t i = 0; i < a->tensors.size(); ++i) {
        if (fromB(a->tensors[i].name)) {
            swaps.push_back({.tensor = TensorIndex(i), .from = b});
        }
    }
    return swapTensors(a, swaps).value();
}

std::vector<float> run(const std::shared_ptr<const Model>& model, std::span<const TokenId> tokens) {
    const auto session = loadForInference(model).value()->startSession({.context = kTokens, .threads = 1}).value();
    return logitsOf(*session, tokens, tokens.size());
}

bool sameBits(std::span<const float> a, std::span<const float> b) {
    return a.size() == b.size() && !a.empty() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

std::vector<TokenId> tokensFor(const Model& model) {
    const TensorInfo& table = model.tensor(*model.findTensor("token_embd.weight"));
    return randomTokens(kTokens, static_cast<std::uint32_t>(table.shape[1]));
}

QStringList fixtures() {
    QStringList names;
    for (const QFileInfo& file : QDir(kFixtures).entryInfoList({QStringLiteral("*.gguf")})) {
        names << file.completeBaseName();
    }
    return names;
}

// Ruins one tensor of a model: its weights change their places and signs.
std::shared_ptr<const Model> ruined(const Model& model, std::string_view name) {
    return copyOf(
               model, [](std::string_view) { return false; },
               [&](auto& to, const TensorInfo& tensor, Bytes) {
                   const auto rows = model.rowsOf(tensor);
                   std::vector<float> values(tensor.weights());
                   if (tensor.name != name || !rows || !decode(*rows, 0, values)) {
                       return false;
                   }
                   std::ranges::reverse(values);
                   std::ranges::transform(values, values.begin(), [](float x) { return -x; });
                   const auto dims = tensor.shape.dims();
                   to.tensor(tensor.name, {dims.begin(), dims.end()}, TensorType::F32, textOf(values));
                   return true;
               })
        .model();
}

const QString kSample = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-");

std::shared_ptr<const Model> sample(const char* type) {
    return openModel((kSample + type + ".gguf").toStdString()).value();
}

double meanKl(std::span<const float> p, std::span<const float> q, std::size_t rows) {
    const std::size_t size = p.size() / rows;
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        sum += divergenceOf(p.subspan(row * size, size), q.subspan(row * size, size));
    }
    return sum / static_cast<double>(rows);
}

void ignore(std::size_t /*part*/, const Blame& /*soFar*/) {}

} // namespace

class TestBlame : public QObject {
    Q_OBJECT

private slots:
    // Of every architecture: the same bits as a file that has the tensors, whole and from each block on.
    void swapsTensors_data() {
        QTest::addColumn<QString>("name");
        for (const QString& name : fixtures()) {
            QTest::newRow(qPrintable(name)) << name;
        }
    }
    void swapsTensors() {
        QFETCH(QString, name);
        const auto a = openFixture(name);
        QVERIFY(a);
        const auto b = otherFile(*a);
        const std::vector<TokenId> tokens = tokensFor(*a);
        const std::array models{a, b};
        const auto layered = LayeredRun::open(models, {.context = kTokens, .threads = 1, .logitRows = kTokens});
        QVERIFY2(layered, layered ? "" : qPrintable(errorOf(layered.error())));
        EngineSession& session = (*layered)->session();
        std::vector<float> rows;
        const std::size_t blocks = (*layered)->blocks();
        for (std::size_t block = 0; block <= blocks; ++block) {
            const auto chosen = [&](std::string_view tensor) {
                const TensorName parsed = parseTensorName(tensor);
                return block == blocks ? !parsed.block && parsed.role.starts_with("output") : parsed.block == block;
            };
            const std::vector<float> expected = run(fileWith(*a, *b, chosen), tokens);
            const auto mixed = swapped(a, b, chosen);
            QVERIFY(sameBits(run(mixed, tokens), expected));
            // The same from the block on, with the rows that a alone has made.
            QVERIFY((*layered)->use(mixed));
            QVERIFY(session.evaluateBlocks(tokens, {.first = block, .entering = rows}, nullptr, 0, {}));
            std::vector<float> found;
            for (std::size_t t = 0; t < tokens.size(); ++t) {
                found.insert(found.end(), session.logits(t).begin(), session.logits(t).end());
            }
            QVERIFY(sameBits(found, expected));
            QVERIFY((*layered)->use(a));
            if (block < blocks) {
                std::vector<float> after;
                QVERIFY(session.evaluateBlocks(tokens, {.first = block, .end = block + 1, .entering = rows}, &after,
                                               tokens.size(), {}));
                rows = std::move(after);
            }
        }
        const auto half = [&](std::string_view tensor) { return a->findTensor(tensor)->value % 2 == 1; };
        QVERIFY(sameBits(run(swapped(a, b, half), tokens), run(fileWith(*a, *b, half), tokens)));
    }

    void swapsExperts_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"qwen3moe", "gpt-oss", "llama4", "deepseek2", "granitehybrid-moe", "gemma4-moe"}) {
            QTest::newRow(name) << QString::fromLatin1(name);
        }
    }
    void swapsExperts() {
        QFETCH(QString, name);
        const auto a = openFixture(name);
        const auto b = decoded(*otherFile(*a)); // in the types of a, so that a file can have such stacks
        const std::vector<TokenId> tokens = tokensFor(*a);
        const auto isStack = [](const TensorInfo& tensor) {
            const TensorName parsed = parseTensorName(tensor.name);
            return parsed.fact != nullptr && parsed.fact->experts && parsed.suffix == "weight" &&
                   matricesOf(tensor) > 1;
        };
        constexpr std::uint64_t kExpert = 1;
        std::vector<TensorSwap> swaps;
        for (std::size_t i = 0; i < a->tensors.size(); ++i) {
            if (isStack(a->tensors[i])) {
                swaps.push_back({.tensor = TensorIndex(i), .from = b, .matrix = kExpert});
            }
        }
        QVERIFY(!swaps.empty());
        const auto file =
            copyOf(
                *a, [](std::string_view) { return false; },
                [&](auto& to, const TensorInfo& tensor, Bytes bytes) {
                    const TensorInfo& other = b->tensor(*b->findTensor(tensor.name));
                    if (!isStack(tensor) || other.typeId != tensor.typeId) {
                        return false;
                    }
                    std::string data(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                    const Bytes theirs = *b->bytesOf(other);
                    const std::size_t size = bytes.size() / matricesOf(tensor);
                    std::memcpy(data.data() + kExpert * size, theirs.data() + kExpert * size, size);
                    const auto dims = tensor.shape.dims();
                    to.tensor(tensor.name, {dims.begin(), dims.end()}, static_cast<TensorType>(tensor.typeId), data);
                    return true;
                })
                .model();
        const auto mixed = swapTensors(a, swaps);
        QVERIFY(mixed);
        const std::vector<float> found = run(*mixed, tokens);
        QVERIFY(sameBits(found, run(file, tokens)));
        QVERIFY(!sameBits(found, run(a, tokens)));
        // An expert of another type.
        const auto c = otherFile(*a);
        for (TensorSwap& swap : swaps) {
            swap.from = c;
        }
        const auto types = swapTensors(a, swaps);
        QVERIFY(types);
        QVERIFY(largestDifference(run(*types, tokens), found) < 0.5);
    }

    void refusesOtherTensors() {
        const auto a = openFixture(QStringLiteral("llama"));
        const auto other = openFixture(QStringLiteral("qwen3"));
        const auto refused = [](const auto& result) {
            return QString::fromStdString(errorWithDetails(result.error()));
        };
        QCOMPARE(refused(checkSwappable(*a, *other)), "invalid_argument architectures_differ");
        const std::string name = "blk.0.attn_q.weight";
        const auto without = copyOf(
                                 *a, [](std::string_view) { return false; },
                                 [&](auto&, const TensorInfo& tensor, Bytes) { return tensor.name == name; })
                                 .model();
        QCOMPARE(refused(checkSwappable(*a, *without)), "no_such_tensor");
        QCOMPARE(refused(checkSwappable(*without, *a)), "no_such_tensor");
        const TensorIndex query = *a->findTensor(name);
        const std::array gone{TensorSwap{.tensor = query, .from = without}};
        QCOMPARE(refused(swapTensors(a, gone)), "no_such_tensor");
        const auto shaped = copyOf(
                                *a, [](std::string_view) { return false; },
                                [&](auto& to, const TensorInfo& tensor, Bytes) {
                                    if (tensor.name != name) {
                                        return false;
                                    }
                                    to.tensor(tensor.name, {tensor.shape[0], 1});
                                    return true;
                                })
                                .model();
        const std::array wrong{TensorSwap{.tensor = query, .from = shaped}};
        QCOMPARE(refused(swapTensors(a, wrong)), "wrong_shape");
        QCOMPARE(refused(checkSwappable(*a, *shaped)), "wrong_shape");
        auto swappedOrder = std::make_shared<Model>(*a);
        swappedOrder->byteOrder = ByteOrder::Big;
        const std::array order{TensorSwap{.tensor = query, .from = swappedOrder}};
        QCOMPARE(refused(swapTensors(a, order)), "invalid_argument other_byte_order");
        auto truncated = std::make_shared<Model>(*a);
        truncated->tensors[query.value].bytesPresent -= 1;
        const std::array cut{TensorSwap{.tensor = query, .from = truncated}};
        QCOMPARE(refused(swapTensors(a, cut)), "invalid_argument tensor_data_incomplete");
        const std::array single{TensorSwap{.tensor = query, .from = a, .matrix = 0}};
        QCOMPARE(refused(swapTensors(a, single)), "not_supported");
    }

    void choosesText() {
        const std::vector<TokenId> tokens = randomTokens(40, 100);
        const auto whole = blameText(tokens, 32, TokenId(std::size_t{7}), {});
        QVERIFY(whole);
        QCOMPARE(whole->tokens.size(), std::size_t{31});
        QCOMPARE(whole->firstScored, std::size_t{16});
        QCOMPARE(whole->scored(), std::size_t{15});
        QCOMPARE(whole->tokens.front().value, 7U);
        const auto single = blameText(tokens, 32, {}, 3);
        QCOMPARE(single->scored(), std::size_t{1});
        QCOMPARE(single->tokens.size(), std::size_t{20});
        QCOMPARE(blameText(tokens, 512, {}, {})->tokens.size(), std::size_t{39}); // a shorter text
        QCOMPARE(QString::fromStdString(errorWithDetails(blameText(tokens, 32, {}, 15).error())),
                 "invalid_argument no_scored_position");
        QCOMPARE(QString::fromStdString(errorWithDetails(blameText(std::span(tokens).first(3), 32, {}, {}).error())),
                 "invalid_argument window_too_long");
    }

    // Files that really have the tensors have the same shares and total.
    void agreesWithFiles_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("by");
        for (const char* name :
             {"llama", "llama-rope-freqs", "qwen3moe", "qwen35", "jamba", "gemma3n", "rwkv7", "gemma4"}) {
            for (const BlameBy by : {BlameBy::Block, BlameBy::Role}) {
                QTest::addRow("%s %d", name, static_cast<int>(by)) << QString::fromLatin1(name) << static_cast<int>(by);
            }
        }
        QTest::addRow("qwen3moe experts") << QStringLiteral("qwen3moe") << static_cast<int>(BlameBy::Expert);
    }
    void agreesWithFiles() {
        QFETCH(QString, name);
        QFETCH(int, by);
        const auto a = openFixture(name);
        const auto b = decoded(*otherFile(*a));
        const auto text = blameText(tokensFor(*a), kTokens, {}, {});
        const auto parts = blameParts(*a, *b, static_cast<BlameBy>(by), {}, {});
        QVERIFY(text && parts);
        QVERIFY(!parts->parts.empty());
        const SessionOptions options{.threads = 1};
        Progress progress;
        const auto found = blame(a, b, *text, *parts, options, ignore, {.progress = &progress});
        QVERIFY2(found, found ? "" : qPrintable(errorOf(found.error())));
        QCOMPARE(progress.done(), progress.total());
        const auto scored = [&](const std::shared_ptr<const Model>& model) {
            const auto session =
                loadForInference(model).value()->startSession({.context = kTokens - 1, .threads = 1}).value();
            std::vector<float> all = logitsOf(*session, text->tokens, text->tokens.size());
            const std::size_t row = all.size() / text->tokens.size();
            return std::vector<float>(all.begin() + static_cast<std::ptrdiff_t>(text->firstScored * row), all.end());
        };
        const std::vector<float> reference = scored(a);
        const double total = meanKl(reference, scored(b), text->scored());
        QCOMPARE(found->total, total);
        QVERIFY(total > 0);
        double sum = 0;
        for (std::size_t i = 0; i < parts->parts.size(); ++i) {
            const BlamePart& part = parts->parts[i];
            std::vector<TensorSwap> fromB;
            std::vector<TensorSwap> fromA;
            for (const TensorIndex tensor : part.tensors) {
                fromB.push_back({.tensor = tensor, .from = b, .matrix = part.expert});
                fromA.push_back({.tensor = *b->findTensor(a->tensor(tensor).name), .from = a, .matrix = part.expert});
            }
            const double one = meanKl(reference, scored(swapTensors(a, fromB).value()), text->scored());
            const double other = meanKl(reference, scored(swapTensors(b, fromA).value()), text->scored());
            QCOMPARE(found->shares[i].fromOther, one);
            QCOMPARE(found->shares[i].restored, total - other);
            sum += one;
        }
        QVERIFY(std::abs(found->interactionFromOther() - (total - sum)) < 1e-12);
        QVERIFY(parts->runs() >= 4);
    }

    // Of twenty files with one ruined tensor each, which also differ everywhere by quantisation.
    void blamesTheRuinedTensor_data() {
        QTest::addColumn<QString>("tensor");
        const auto model = sample("Q8_0");
        QStringList names;
        for (const TensorInfo& tensor : model->tensors) {
            if (tensor.name.starts_with("blk.") && tensor.shape.count() == 2) {
                names << QString::fromStdString(std::string(tensor.name));
            }
        }
        constexpr qsizetype kCases = 20;
        QVERIFY(names.size() >= kCases);
        for (qsizetype i = 0; i < kCases; ++i) {
            const QString name = names[i * names.size() / kCases];
            QTest::newRow(qPrintable(name)) << name;
        }
    }
    void blamesTheRuinedTensor() {
        QFETCH(QString, tensor);
        const auto a = sample("F16");
        const auto quantised = sample("Q8_0");
        const auto b = ruined(*quantised, tensor.toStdString());
        const auto text = blameText(randomTokens(24, 500), 24, {}, {});
        const auto parts = blameParts(*a, *b, BlameBy::Tensor, {}, {});
        QVERIFY(text && parts);
        const auto found = blame(a, b, *text, *parts, {}, ignore, {});
        QVERIFY(found);
        const auto nameOf = [&](auto share) {
            const auto largest = std::ranges::max_element(found->shares, {}, share);
            return QString::fromStdString(parts->parts[static_cast<std::size_t>(largest - found->shares.begin())].name);
        };
        QCOMPARE(nameOf(&BlameShare::fromOther), tensor);
        QCOMPARE(nameOf(&BlameShare::restored), tensor);
    }

    void totalIsThatOfPerplexity() {
        const auto a = sample("F16");
        const auto b = sample("Q4_K");
        const std::vector<TokenId> tokens = randomTokens(64, 500);
        const auto sessionOf = [](const auto& model) {
            return loadForInference(model).value()->startSession({.context = 64, .logitRows = 64}).value();
        };
        const auto first = sessionOf(a);
        const auto second = sessionOf(b);
        const auto measured = perplexity(*first, second.get(), tokens, {.window = 64}, {});
        const auto text = blameText(tokens, 64, {}, {});
        const auto parts = blameParts(*a, *b, BlameBy::Block, {}, {});
        const auto found = blame(a, b, *text, *parts, {}, ignore, {});
        QVERIFY(measured && found);
        QVERIFY(std::abs(found->total - measured->divergence->nats.mean) < 1e-6 * found->total);
    }

    void isCancelled() {
        const auto a = sample("F16");
        const auto b = sample("Q4_K");
        const auto text = blameText(randomTokens(24, 500), 24, {}, {});
        const auto parts = blameParts(*a, *b, BlameBy::Tensor, {}, {});
        std::stop_source stop;
        std::size_t calls = 0;
        const auto found = blame(a, b, *text, *parts, {},
                                 [&](std::size_t, const Blame&) {
                                     ++calls;
                                     stop.request_stop();
                                 },
                                 {.stop = stop.get_token()});
        QVERIFY(!found);
        QCOMPARE(found.error().code, ErrorCode::Cancelled);
        QCOMPARE(calls, std::size_t{1});
        QCOMPARE(blameParts(*a, *b, BlameBy::Block, {}, {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
        QCOMPARE(layerDistances(a, b, *text, {}, {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
    }

    void groupsParts() {
        const auto a = sample("F16");
        const auto b = sample("Q4_K");
        const auto blocks = blameParts(*a, *b, BlameBy::Block, {}, {});
        QVERIFY(blocks->equal != 0); // norms
        for (std::size_t i = 1; i < blocks->parts.size(); ++i) {
            QVERIFY(blocks->parts[i - 1].firstBlock <= blocks->parts[i].firstBlock);
        }
        std::size_t tensors = 0;
        for (const BlamePart& part : blocks->parts) {
            tensors += part.tensors.size();
        }
        QCOMPARE(tensors + blocks->equal + blocks->unused, a->tensors.size());
        const auto only = blameParts(*a, *b, BlameBy::Tensor,
                                     [](std::string_view name) { return name.ends_with("attn_v.weight"); }, {});
        QCOMPARE(only->parts.size(), blocks->blocks);
        QVERIFY(blameParts(*a, *a, BlameBy::Block, {}, {})->parts.empty());
        QCOMPARE(QString::fromStdString(errorWithDetails(blameParts(*a, *b, BlameBy::Expert, {}, {}).error())),
                 "invalid_argument no_experts");
    }

    void measuresLayers() {
        const auto a = openFixture(QStringLiteral("qwen3moe"));
        const auto b = otherFile(*a);
        const auto text = blameText(tokensFor(*a), kTokens, {}, {});
        const auto same = layerDistances(a, a, *text, {}, {});
        QVERIFY(same);
        for (const LayerDistance& layer : *same) {
            QCOMPARE(layer.relative, std::vector<double>(text->tokens.size(), 0.0));
            QCOMPARE(layer.sameExperts, std::vector<double>(text->tokens.size(), 1.0));
        }
        Progress progress;
        const auto found = layerDistances(a, b, *text, {}, {.progress = &progress});
        QVERIFY(found);
        QCOMPARE(progress.done(), progress.total());
        // The states as an observer of plain runs sees them.
        class States final : public RunObserver {
        public:
            void experts(const Batch& batch, std::size_t used, std::span<const std::uint32_t> chosen,
                         std::span<const float> /*weights*/) override {
                routes.resize(batch.block + 1);
                for (std::size_t t = 0; t < batch.tokens; ++t) {
                    const auto of = chosen.subspan(t * used, used);
                    routes[batch.block].emplace_back(of.begin(), of.end());
                }
            }
            void stream(const Batch& batch, const Values& values) override {
                rows.resize(batch.block + 1);
                for (std::size_t t = 0; t < batch.tokens; ++t) {
                    rows[batch.block].insert(rows[batch.block].end(), values[t].begin(), values[t].end());
                }
            }
            std::vector<std::vector<float>> rows;
            std::vector<std::vector<std::vector<std::uint32_t>>> routes;
        };
        std::array<States, 2> seen;
        for (const auto& [states, model] : {std::pair(&seen[0], &a), std::pair(&seen[1], &b)}) {
            const auto session = loadForInference(*model).value()->startSession({.context = kTokens}).value();
            QVERIFY(session->observe(states));
            QVERIFY(session->evaluate(text->tokens, Logits::None, {}));
        }
        QCOMPARE(found->size(), seen[0].rows.size());
        for (std::size_t block = 0; block < found->size(); ++block) {
            QVERIFY(!seen[0].routes[block].empty());
            QVERIFY((*found)[block].expertsOfA == seen[0].routes[block]);
            QVERIFY((*found)[block].expertsOfB == seen[1].routes[block]);
            const std::size_t width = seen[0].rows[block].size() / text->tokens.size();
            for (std::size_t t = 0; t < text->tokens.size(); ++t) {
                double difference = 0;
                double length = 0;
                for (std::size_t i = t * width; i < (t + 1) * width; ++i) {
                    const auto x = static_cast<double>(seen[0].rows[block][i]);
                    difference += std::pow(static_cast<double>(seen[1].rows[block][i]) - x, 2);
                    length += x * x;
                }
                QVERIFY(std::abs((*found)[block].relative[t] - std::sqrt(difference / length)) < 1e-9);
                QVERIFY((*found)[block].cosine[t] <= 1 + 1e-12);
            }
        }
    }

    // Attention weights as an observer sees them: they sum to 1 (to less with a sink), reach neither the future nor
    // beyond a window, and are the same for a batch and for single tokens, which the engine evaluates in other ways.
    void observesAttention_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("sink");
        for (const char* name :
             {"llama", "gemma2", "qwen35", "deepseek2", "deepseek32", "mpt", "bloom", "phi3", "falcon-h1", "gemma3n"}) {
            QTest::newRow(name) << QString::fromLatin1(name) << false;
        }
        QTest::newRow("gpt-oss") << QStringLiteral("gpt-oss") << true;
    }
    void observesAttention() {
        QFETCH(QString, name);
        QFETCH(bool, sink);
        class Weights final : public RunObserver {
        public:
            bool wantsAttention(std::size_t /*block*/, std::size_t head) override { return head == 1; }
            void attention(std::size_t block, std::size_t head, std::uint32_t position, std::uint32_t first,
                           std::span<const float> weights) override {
                std::vector<float>& row = rows[{block, head, position}];
                row.assign(first, 0.0F);
                row.insert(row.end(), weights.begin(), weights.end());
            }
            std::map<std::tuple<std::size_t, std::size_t, std::uint32_t>, std::vector<float>> rows;
        };
        const auto model = openFixture(name);
        const std::vector<TokenId> tokens = tokensFor(*model);
        const auto observed = [&](std::size_t batch) {
            Weights seen;
            const auto session = loadForInference(model).value()->startSession({.context = kTokens}).value();
            const bool possible = session->observe(&seen);
            const std::vector<float> logits = logitsOf(*session, tokens, batch);
            return possible && !logits.empty() ? seen.rows : decltype(seen.rows)();
        };
        const auto together = observed(tokens.size());
        const auto single = observed(1);
        QVERIFY(!together.empty());
        QCOMPARE(single.size(), together.size());
        for (const auto& [key, row] : together) {
            const auto position = std::get<2>(key);
            QVERIFY(row.size() <= position + 1);
            double sum = 0;
            for (const float weight : row) {
                QVERIFY(weight >= 0);
                sum += static_cast<double>(weight);
            }
            QVERIFY2(sink ? sum < 1 && sum > 0 : std::abs(sum - 1) < 1e-5, qPrintable(QString::number(sum)));
            QVERIFY(largestDifference(row, single.at(key)) < 0.02);
        }
        // An observer changes nothing.
        const auto session = loadForInference(model).value()->startSession({.context = kTokens}).value();
        const std::vector<float> plain = logitsOf(*session, tokens, tokens.size());
        Weights seen;
        session->truncate(0);
        QVERIFY(session->observe(&seen));
        QVERIFY(sameBits(logitsOf(*session, tokens, tokens.size()), plain));
    }
};

GUFO_TEST(TestBlame)

#include "tst_blame.moc"
