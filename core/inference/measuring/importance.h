// Collects an importance matrix: for each column of a model's matrices, the sum of its squared inputs over a text,
// separately for each expert (formats/imatrix/imatrix.h). Sums are in double precision, in the order of tokens, so that
// a collection which was interrupted and continued equals one that was not, bit for bit.
//
// Only matrices of blocks are covered: embedding and output are quantised without importance.
#pragma once

#include "formats/imatrix/imatrix_writer.h"
#include "inference/interface/session.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace gufo::inference {

// Thread contract: one thread at a time.
class ImportanceCollector final : public ProductListener {
public:
    explicit ImportanceCollector(const Model& model) // must outlive the collector
        : m_model(model) {}

    void inputs(std::span<const Factor> factors, const Input& input) override;

    // Continues with sums collected earlier. Error: InvalidArgument (Detail::ImatrixOtherModel) if they do not fit the
    // model.
    [[nodiscard]] Result<> restore(const std::vector<ImatrixEntry>& entries);
    [[nodiscard]] std::vector<ImatrixEntry> entries() const; // by name

private:
    struct Sums {
        std::vector<double> squares;
        std::vector<std::uint64_t> counts;
    };
    // Null for a tensor that is not collected.
    Sums* sumsOf(TensorIndex tensor, std::size_t columns);

    const Model& m_model;
    std::map<std::uint64_t, Sums> m_sums; // by tensor
    std::vector<double> m_squares;        // of one product
};

struct ImportanceSettings {
    std::uint32_t chunk = 512;    // tokens evaluated together
    std::uint64_t maximum = 0;    // chunks; 0: as many as the text has
    std::uint64_t saveEvery = 10; // chunks; 0: never before the end
    std::optional<TokenId> bos{}; // replaces the first token of each chunk, if the tokenizer adds one
    std::vector<std::string> datasets{};
};

// Identifies what a collection reads: the model (names, shapes and the beginnings of its tensors), the tokens and the
// size of chunks, but not their number.
[[nodiscard]] std::uint64_t importanceOrigin(const Model& model, std::span<const TokenId> tokens,
                                             const ImportanceSettings& settings);

// Evaluates the text chunk by chunk and returns the result. `begun` is an unfinished collection to be continued, or
// null. `save` receives the sums so far after every `saveEvery` chunks, except after the last chunk, and the sums of
// all whole chunks when the collection is cancelled; its errors end the collection. Progress counts tokens. Errors:
// InvalidArgument (Detail::WindowTooLong: fewer tokens than a chunk; ImatrixOtherModel); NotSupported (the engine
// cannot report its products: Session::listen()); the errors of Session::evaluate and of `save`.
using SaveImportance = std::function<Result<>(const ImatrixContents&)>;
[[nodiscard]] Result<ImatrixContents> collectImportance(Session& session, const Model& model,
                                                        std::span<const TokenId> tokens,
                                                        const ImportanceSettings& settings,
                                                        const ImatrixContents* begun, const SaveImportance& save,
                                                        const JobContext& job);

} // namespace gufo::inference
