// Reads the weights that every token needs into the page cache, in the order of the file and in a thread of its own.
// The first evaluation of a model that is only on the disk waits for each matrix, so that it computes while the disk
// reads the next ones. If it read them itself, each page fault would wait for its own piece, and the disk would be idle
// in between.
//
// Thread contract: await() may be called on any thread; everything else belongs to the owner.
#pragma once

#include "inference/engine/binding/weights.h"
#include "model/index.h"
#include "model/model.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

namespace gufo::inference {

// How the embeddings of the tokens are used: only the rows of the text's tokens are decoded, or all of them are also
// the matrix that makes the logits.
enum class Embeddings : std::uint8_t { LookedUp, Multiplied };

class WeightReader {
public:
    // Begins to read. What is in the page cache is not read again. Reads nothing if the bytes exceed `memory`, because
    // the first would be dropped before they are used; 0 means that the memory is not known. Files that are not on this
    // computer, stacks of experts (a token needs only some of them), and embeddings that are only looked up are not
    // read.
    WeightReader(std::shared_ptr<const Model> model, std::uint64_t memory, Embeddings embeddings);
    // Stops reading; waits at most for one step.
    ~WeightReader();
    WeightReader(const WeightReader&) = delete;
    WeightReader& operator=(const WeightReader&) = delete;

    // Returns once these bytes of the model, as far as they are to be read, have been read or reading has ended; after
    // a request to stop, when the step that is being read has been read.
    void await(Bytes bytes, const std::stop_token& stop) const;

    // Consecutive bytes of one file.
    struct Range {
        const ByteSource* source = nullptr;
        ByteRange bytes{};
        const std::byte* data = nullptr; // where they are mapped
        std::uint64_t before = 0;        // bytes of the ranges before this one
    };

private:
    void read(const std::stop_token& stop);
    void publish(std::uint64_t read);

    std::shared_ptr<const Model> m_model;
    std::vector<Range> m_ranges;           // in the order in which they are read
    std::vector<const Range*> m_byAddress; // sorted by `data`
    std::atomic<std::uint64_t> m_read;     // bytes of the ranges; kAll if there is nothing to wait for
    std::jthread m_thread;                 // not running if there is nothing to read
};

// The bytes of the tensors that every token needs, by file and offset. Tensors less than 64 KiB apart share a range.
[[nodiscard]] std::vector<WeightReader::Range> weightRanges(const Model& model, Embeddings embeddings);

// Requests the rows of these tokens. Otherwise each row that is only on the disk would make the system read up to
// megabytes around it, while the thread that decodes it waits.
void requestRows(const Matrix& table, std::span<const TokenId> tokens);

} // namespace gufo::inference
