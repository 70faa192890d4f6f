// The operations that patterns of tensors name, made for a model.
#pragma once

#include "convert/architecture.h"

namespace gufo::convert {

using Operations = Result<std::vector<Operation>>;

[[nodiscard]] Operations addOne(const ModelFacts& facts, const SourceTensor& tensor);
[[nodiscard]] Operations negateExponential(const ModelFacts& facts, const SourceTensor& tensor);
// Of a matrix; a bias or scale stays.
[[nodiscard]] Operations roundToTernary(const ModelFacts& facts, const SourceTensor& tensor);
[[nodiscard]] Operations permuteQueries(const ModelFacts& facts, const SourceTensor& tensor);
[[nodiscard]] Operations permuteKeys(const ModelFacts& facts, const SourceTensor& tensor);
// The two fastest dimensions; a bias stays.
[[nodiscard]] Operations transpose(const ModelFacts& facts, const SourceTensor& tensor);
// Without dimensions of size 1.
[[nodiscard]] Operations squeeze(const ModelFacts& facts, const SourceTensor& tensor);
// A vector as a column: [1, n].
[[nodiscard]] Operations asColumn(const ModelFacts& facts, const SourceTensor& tensor);
[[nodiscard]] Operations negateExponentialColumn(const ModelFacts& facts, const SourceTensor& tensor);
// Mamba 2's norm, in as many rows as there are groups.
[[nodiscard]] Operations splitIntoGroups(const ModelFacts& facts, const SourceTensor& tensor);

// The halves of fused rows.
[[nodiscard]] Operations firstHalf(const ModelFacts& facts, const SourceTensor& tensor);
[[nodiscard]] Operations secondHalf(const ModelFacts& facts, const SourceTensor& tensor);
// Interleaved rows: even ones are gates, odd ones are up. Unquantised weights are stored transposed.
[[nodiscard]] Operations evenRows(const ModelFacts& facts, const SourceTensor& tensor);
[[nodiscard]] Operations oddRows(const ModelFacts& facts, const SourceTensor& tensor);
[[nodiscard]] Operations evenBiases(const ModelFacts& facts, const SourceTensor& tensor);
[[nodiscard]] Operations oddBiases(const ModelFacts& facts, const SourceTensor& tensor);
[[nodiscard]] Operations transposeUnlessRepacked(const ModelFacts& facts, const SourceTensor& tensor);

// Fused query, key and value: of every head, or of every group of heads that share key and value.
[[nodiscard]] Operations regroupHeads(const ModelFacts& facts, const SourceTensor& tensor);
[[nodiscard]] Operations regroupFalcon(const ModelFacts& facts, const SourceTensor& tensor);

// The parts of DeepSeek's up-projection of latent keys and values.
[[nodiscard]] Operations latentKeys(const ModelFacts& facts, const SourceTensor& tensor);
[[nodiscard]] Operations latentValues(const ModelFacts& facts, const SourceTensor& tensor);

// The parts of the input projection of Qwen3-Next's linear attention.
[[nodiscard]] Operations deltaNetInputs(const ModelFacts& facts, const SourceTensor& tensor);
[[nodiscard]] Operations deltaNetGate(const ModelFacts& facts, const SourceTensor& tensor);

// Qwen3.5's linear attention: in the source, the value heads that share a key head follow each other; in GGUF, the
// first value heads of all key heads come first, then the second ones. These reorder the rows or columns of value
// heads.
[[nodiscard]] Operations tiledHeads(const ModelFacts& facts, const SourceTensor& tensor);  // one row for each head
[[nodiscard]] Operations tiledValues(const ModelFacts& facts, const SourceTensor& tensor); // as many as a head is wide
[[nodiscard]] Operations tiledInputs(const ModelFacts& facts, const SourceTensor& tensor); // after queries and keys
[[nodiscard]] Operations tiledConvolution(const ModelFacts& facts, const SourceTensor& tensor);
[[nodiscard]] Operations tiledColumns(const ModelFacts& facts, const SourceTensor& tensor);
[[nodiscard]] Operations tiledNegateExponential(const ModelFacts& facts, const SourceTensor& tensor);

// The tokens with which Qwen3's rerankers answer, in the order of the labels.
inline constexpr auto kAnswers = std::to_array<std::string_view>({"yes", "no"});
// Makes a ranking head of the output matrix by picking the rows of the tokens of the answers. Errors: NotSupported
// (Detail::TokenNotInVocabulary), the errors of reading the vocabulary.
[[nodiscard]] Operations answerRows(const ModelFacts& facts, const SourceTensor& tensor);
// Leaves out the tokens of images and audio, for which Gemma 3n has no embeddings in its blocks.
[[nodiscard]] Operations textTokens(const ModelFacts& facts, const SourceTensor& tensor);

// Position embeddings that begin after the number of the padding token.
[[nodiscard]] Operations withoutPaddingPositions(const ModelFacts& facts, const SourceTensor& tensor);

// The number of heads that Falcon's keys and values have.
[[nodiscard]] std::uint64_t falconKvHeads(const ModelFacts& facts);
// The first position that RoBERTa uses.
[[nodiscard]] std::uint64_t firstPosition(const ModelFacts& facts);

} // namespace gufo::convert
