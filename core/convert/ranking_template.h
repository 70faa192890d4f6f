// The prompt with which Qwen3's rerankers were trained, as their model cards state it. It is part of the model, which
// gives no meaningful scores for another text.
#pragma once

#include <string_view>

namespace gufo::convert {

inline constexpr std::string_view kRankingTemplate =
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct "
    "provided. Note that the answer can only be \"yes\" or \"no\".<|im_end|>\n"
    "<|im_start|>user\n<Instruct>: Given a web search query, retrieve relevant passages that answer the query\n"
    "<Query>: {query}\n<Document>: {document}<|im_end|>\n"
    "<|im_start|>assistant\n<think>\n\n</think>\n\n";

} // namespace gufo::convert
