#include "inference/engine/compute/multiply.h"

#include "tensor/decode.h"
#include "tensor/kernels/products.h"

#include <algorithm>
#include <functional>
#include <unistd.h>

namespace gufo::inference {
namespace {

// The residual of activations that were rounded to eight bits, rounded to eight bits too. The products of both add up
// to products with activations of about sixteen bits, with the kernels for eight, for every type of weights.

// Rounds the residual x − `rounded`. The runs of `rounded` are as far apart as the runs of the result.
inline void roundResidual(const ProductKernels& products, const float* x, std::size_t columns, const Int8Run* rounded,
                          const Int8Out& to) {
    for (std::size_t begin = 0, run = 0; begin < columns; begin += kRunWeights, ++run) {
        const Int8Run& known = rounded[run * to.stride];
        const std::size_t count = std::min(kRunWeights, columns - begin);
        float residual[kRunWeights]{};
        std::copy_n(x + begin, count, residual); // values beyond the row are 0
        for (std::size_t part = 0; part < kRunWeights / 16; ++part) {
            for (std::size_t i = 16 * part; i < 16 * part + 16; ++i) { // of constant length, to be vectorised
                residual[i] -= known.scales[part] * static_cast<float>(known.values[i]);
            }
        }
        products.toInt8(residual, count,
                        {.runs = to.runs + run * to.stride,
                         .transposed = to.transposed != nullptr ? to.transposed + run : nullptr});
    }
}

// Columns of rows that are decoded before multiplying: whole blocks of any type, and 32 rows of them fit the L2 cache.
constexpr std::size_t kDecodedColumns = 512;

// Size of a chunk: about a microsecond's work, so that no member waits long for the last one.
constexpr std::size_t kChunkBytes = 16 * 1024;
// A member takes several chunks at once while many are left; the overhead of a chunk is 2 % of its work for one token.
constexpr std::uint64_t kChunksAtOnce = 16;

// Half of the L2 cache, which belongs to one core.
std::size_t prefetchBytes() {
    const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return cache > 0 ? static_cast<std::size_t>(cache) / 2 : 128 * 1024;
}

std::size_t runsOf(std::size_t columns) { return (columns + kRunWeights - 1) / kRunWeights; }

} // namespace

Multiplier::Multiplier(Team& team, Memory& memory, std::size_t tokens, std::size_t columns, bool hasFloat16,
                       std::size_t residualColumns)
    : m_team(team)
    , m_kernels(activeKernels())
    , m_int8(memory.take<Int8Run>(tokens, runsOf(columns) + runsOf(residualColumns)))
    , m_int16(memory.take<Int16Run>(hasFloat16 ? tokens : 0, runsOf(columns)))
    , m_transposed(
          memory.take<Int8TransposedRun>(std::min(tokens, kFewVectors), runsOf(columns) + runsOf(residualColumns)))
    , m_chunks(team.size())
    , m_prefetchBytes(prefetchBytes()) {
    for (unsigned member = 0; member < team.size(); ++member) {
        m_scratch.push_back({memory.take<std::byte>(kStripScratch), memory.take<float>(kStripRows, kDecodedColumns),
                             memory.take<float>(residualColumns != 0 ? 2 * tokens : 0, kStripRows)});
    }
}

ProductKernels::Dot Multiplier::int8Dot(const Matrix& matrix) const {
    return matrix.order == ByteOrder::Little ? m_kernels.products.int8[matrix.typeId].dot : nullptr;
}

ProductKernels::Strip Multiplier::int8Strip(const Matrix& matrix) const {
    return matrix.order == ByteOrder::Little ? m_kernels.products.int8[matrix.typeId].strip : nullptr;
}

ProductKernels::WideStrip Multiplier::int16Strip(const Matrix& matrix) const {
    return m_int16 != nullptr && matrix.order == ByteOrder::Little ? m_kernels.products.int16[matrix.typeId] : nullptr;
}

void Multiplier::multiply(const Matrix& matrix, Rows x, Rows y, std::size_t tokens) {
    const Product product{&matrix, y};
    multiply({&product, 1}, x, tokens);
}

void Multiplier::multiply(std::span<const Product> products, Rows x, std::size_t tokens) {
    if (m_observer) {
        m_observer(products, x, tokens);
    }
    for (const Product& product : products) {
        if (m_await) {
            m_await(*product.matrix);
        }
    }
    if (byRows(products, tokens)) {
        prepareRows(products, x, tokens);
        multiplyByRows(products, x, tokens);
        return;
    }
    prepareStrips(products, x, tokens);
    m_next = 0;
    m_team.run([&](unsigned member) {
        std::uint64_t first = 0; // first strip of the product
        auto product = products.begin();
        for (std::uint64_t strip = m_next++;; strip = m_next++) {
            const auto strips = [&] { return (product->matrix->rows + kStripRows - 1) / kStripRows; };
            while (product != products.end() && strip - first >= strips()) {
                first += strips();
                ++product;
            }
            if (product == products.end()) {
                return;
            }
            const std::uint64_t begin = (strip - first) * kStripRows;
            multiplyStrip(*product, begin, std::min<std::uint64_t>(kStripRows, product->matrix->rows - begin), x,
                          tokens, m_scratch[member]);
        }
    });
}

bool Multiplier::byRows(std::span<const Product> products, std::size_t tokens) const {
    const auto few = [&](const Product& product) {
        const auto& int8 = m_kernels.products.int8[product.matrix->typeId];
        return streamed(*product.matrix) && tokens <= (int8.dotStreams != nullptr ? int8.few : kFewFloatVectors);
    };
    return tokens == 1 || std::ranges::all_of(products, few);
}

bool Multiplier::streamed(const Matrix& matrix) const {
    const ProductKernels& products = m_kernels.products;
    return matrix.order == ByteOrder::Little &&
           (products.int8[matrix.typeId].dotStreams != nullptr || products.floatStreams[matrix.typeId] != nullptr);
}

Multiplier::Share Multiplier::shareOf(const Matrix& matrix, unsigned member) const {
    Share share{};
    share.begin = matrix.rows * member / m_team.size();
    share.rows = matrix.rows * (member + 1) / m_team.size() - share.begin;
    share.streams = streamed(matrix) && !usesResiduals(matrix) ? kStreams : 1;
    share.apart = share.rows / share.streams;
    share.perChunk =
        std::max<std::uint64_t>(usesResiduals(matrix) ? kStripRows : 1, kChunkBytes / share.streams / matrix.rowBytes);
    // A share with fewer rows than streams becomes a single chunk.
    share.chunks =
        std::max<std::uint64_t>(share.rows != 0 ? 1 : 0, (share.apart + share.perChunk - 1) / share.perChunk);
    return share;
}

void Multiplier::multiplyChunks(const Product& product, const Share& share, std::uint64_t begin, std::uint64_t end,
                                const Input& input, const Scratch& scratch) const {
    const std::uint64_t first = begin * share.perChunk;
    const std::uint64_t count = std::min(end * share.perChunk, share.apart) - first;
    if (share.streams == 1) {
        multiplyRows(product, share.begin + first, count, input, scratch);
        return;
    }
    multiplyStreams(product, share.begin + first, count, share.apart, input);
    const std::uint64_t done = share.streams * share.apart;
    if (end == share.chunks && done != share.rows) {
        multiplyRows(product, share.begin + done, share.rows - done, input, scratch);
    }
}

const Multiplier::NextMatrix& Multiplier::follow(const Matrix& matrix) {
    NextMatrix& before = m_following[m_last];
    before.confirmed = before.first == matrix.data;
    if (!before.confirmed) {
        before.first = matrix.data;
        before.begins.clear();
        for (unsigned member = 0; member < m_team.size(); ++member) {
            const Share share = shareOf(matrix, member);
            before.begins.push_back(
                {.at = matrix.row(share.begin),
                 .bytes = std::min<std::uint64_t>(share.apart * matrix.rowBytes, m_prefetchBytes / share.streams),
                 .count = share.streams,
                 .apart = share.apart * matrix.rowBytes});
        }
    }
    m_last = matrix.data;
    return m_following[matrix.data];
}

void Multiplier::multiplyByRows(std::span<const Product> products, Rows x, std::size_t tokens) {
    for (unsigned member = 0; member < m_team.size(); ++member) {
        std::uint64_t chunks = 0;
        for (const Product& product : products) {
            chunks += shareOf(*product.matrix, member).chunks;
        }
        m_chunks.give(member, 0, chunks);
    }
    const NextMatrix& following = follow(*products.front().matrix);
    const Input input{x, tokens};
    m_team.run([&](unsigned member) {
        while (const auto taken = m_chunks.take(member, kChunksAtOnce)) {
            std::uint64_t first = 0; // first chunk of the product
            for (const Product& product : products) {
                const Share share = shareOf(*product.matrix, taken->owner);
                const std::uint64_t begin = std::max(taken->begin, first);
                const std::uint64_t end = std::min(taken->end, first + share.chunks);
                if (begin < end) {
                    multiplyChunks(product, share, begin - first, end - first, input, m_scratch[member]);
                }
                first += share.chunks;
            }
        }
        if (following.confirmed && member < following.begins.size()) {
            m_team.prefetchWhileWaiting(member, following.begins[member]);
        }
    });
}

Int8Rows Multiplier::rounded(std::size_t columns, std::size_t tokens) const {
    return {.runs = m_int8, .transposed = m_transposed, .stride = runsOf(columns), .count = tokens};
}

bool Multiplier::usesResiduals(const Matrix& matrix) const {
    return matrix.finerActivations && int8Dot(matrix) != nullptr;
}

void Multiplier::multiplyStreams(const Product& product, std::uint64_t begin, std::uint64_t count, std::uint64_t apart,
                                 const Input& input) const {
    const Matrix& matrix = *product.matrix;
    const EncodedRows rows{matrix.row(begin), matrix.rowBytes, matrix.columns};
    float* y = product.y[0] + begin;
    if (const auto int8 = m_kernels.products.int8[matrix.typeId].dotStreams) {
        int8(rows, count, apart, rounded(matrix.columns, input.tokens), y, product.y.stride);
    } else {
        m_kernels.products.floatStreams[matrix.typeId](rows, count, apart, input.x[0], input.x.stride, input.tokens, y,
                                                       product.y.stride);
    }
    for (std::size_t t = 0; t < input.tokens; ++t) {
        for (std::uint64_t stream = 0; stream < kStreams; ++stream) {
            finishRows(product, begin + stream * apart, count, t);
        }
    }
}

void Multiplier::multiplyRows(const Product& product, std::uint64_t begin, std::uint64_t count, const Input& input,
                              const Scratch& scratch) const {
    const Matrix& matrix = *product.matrix;
    const EncodedRows rows{matrix.row(begin), matrix.rowBytes, matrix.columns};
    const auto floats = matrix.order == ByteOrder::Little ? m_kernels.products.floats[matrix.typeId] : nullptr;
    const auto int8 = int8Dot(matrix);
    if (usesResiduals(matrix)) {
        for (std::uint64_t at = begin; at < begin + count; at += kStripRows) {
            multiplyWithResiduals(product, at, std::min<std::uint64_t>(kStripRows, begin + count - at), input.tokens,
                                  scratch);
        }
        return;
    }
    for (std::size_t t = 0; t < input.tokens; ++t) {
        float* y = product.y[t] + begin;
        if (int8 != nullptr) {
            int8(rows, count, rounded(matrix.columns, input.tokens)[t], y);
        } else if (floats != nullptr) {
            floats(rows, count, input.x[t], y);
        } else {
            const Product single{product.matrix, {product.y[t], product.y.stride}};
            for (std::uint64_t at = begin; at < begin + count; at += kStripRows) {
                multiplyDecoded(single, at, std::min<std::uint64_t>(kStripRows, begin + count - at), {input.x[t], 0}, 1,
                                scratch);
            }
        }
        finishRows(product, begin, count, t);
    }
}

void Multiplier::multiplyWithResiduals(const Product& product, std::uint64_t begin, std::uint64_t count,
                                       std::size_t tokens, const Scratch& scratch) const {
    const Matrix& matrix = *product.matrix;
    const auto& int8 = m_kernels.products.int8[matrix.typeId];
    const EncodedRows rows{matrix.row(begin), matrix.rowBytes, matrix.columns};
    const Int8Rows all = rounded(matrix.columns, 2 * tokens);
    const std::uint64_t perStream = int8.dotStreams != nullptr ? count / kStreams : 0;
    const std::uint64_t inStreams = perStream * kStreams;
    for (std::size_t first = 0; perStream != 0 && first < all.count; first += kFewVectors) {
        const Int8Rows batch{.runs = all[first].runs,
                             .transposed = all[first].transposed,
                             .stride = all.stride,
                             .count = std::min(kFewVectors, all.count - first)};
        int8.dotStreams(rows, perStream, perStream, batch, scratch.residual + first * kStripRows, kStripRows);
    }
    if (inStreams != count) {
        const EncodedRows remaining{matrix.row(begin + inStreams), matrix.rowBytes, matrix.columns};
        for (std::size_t i = 0; i < all.count; ++i) {
            int8.dot(remaining, count - inStreams, all[i], scratch.residual + i * kStripRows + inStreams);
        }
    }
    addResiduals(product, begin, count, tokens, scratch);
}

void Multiplier::addResiduals(const Product& product, std::uint64_t begin, std::uint64_t count, std::size_t tokens,
                              const Scratch& scratch) {
    for (std::size_t t = 0; t < tokens; ++t) {
        const std::span<const float> products(scratch.residual + t * kStripRows, count);
        std::ranges::transform(products, std::span(scratch.residual + (tokens + t) * kStripRows, count),
                               product.y[t] + begin, std::plus());
        finishRows(product, begin, count, t);
    }
}

void Multiplier::finishRows(const Product& product, std::uint64_t begin, std::uint64_t count, std::size_t token) {
    const std::span<float> rows(product.y[token] + begin, count);
    if (const float factor = product.matrix->factor(); factor != 1) {
        std::ranges::transform(rows, rows.begin(), [&](float x) { return factor * x; });
    }
    if (const std::span<const float> bias = product.matrix->bias; !bias.empty()) {
        std::ranges::transform(rows, bias.subspan(begin, count), rows.begin(), std::plus());
    }
}

void Multiplier::prepareRows(std::span<const Product> products, Rows x, std::size_t tokens) {
    bool int8 = false;
    bool residuals = false;
    for (const Product& product : products) {
        int8 = int8 || int8Dot(*product.matrix) != nullptr;
        residuals = residuals || usesResiduals(*product.matrix);
    }
    if (!int8) {
        return;
    }
    const std::size_t columns = products.front().matrix->columns;
    const std::size_t runs = runsOf(columns);
    m_team.forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned /*member*/) {
        for (std::uint64_t t = begin; t < end; ++t) {
            m_kernels.products.toInt8(x[t], columns,
                                      {.runs = m_int8 + t * runs, .transposed = m_transposed + t * runs});
            if (residuals) {
                const std::size_t residual = (tokens + t) * runs;
                roundResidual(m_kernels.products, x[t], columns, m_int8 + t * runs,
                              {.runs = m_int8 + residual, .transposed = m_transposed + residual});
            }
        }
    });
}

void Multiplier::prepareStrips(std::span<const Product> products, Rows x, std::size_t tokens) {
    bool int8 = false;
    bool int16 = false;
    bool residuals = false;
    for (const Product& product : products) {
        int8 = int8 || int8Strip(*product.matrix) != nullptr;
        int16 = int16 || int16Strip(*product.matrix) != nullptr;
        residuals = residuals || usesResiduals(*product.matrix);
    }
    if (!int8 && !int16) {
        return;
    }
    const std::size_t columns = products.front().matrix->columns;
    m_team.forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned /*member*/) {
        for (std::uint64_t t = begin; t < end; ++t) {
            if (int8) {
                m_kernels.products.toInt8(x[t], columns, {.runs = m_int8 + t, .stride = tokens});
            }
            if (residuals) {
                roundResidual(m_kernels.products, x[t], columns, m_int8 + t,
                              {.runs = m_int8 + tokens * runsOf(columns) + t, .stride = tokens});
            }
            if (int16) {
                m_kernels.products.toInt16(x[t], columns, m_int16 + t, tokens);
            }
        }
    });
}

void Multiplier::multiplyStrip(const Product& product, std::uint64_t begin, std::uint64_t count, Rows x,
                               std::size_t tokens, const Scratch& scratch) const {
    const Matrix& matrix = *product.matrix;
    const EncodedRows rows{matrix.row(begin), matrix.rowBytes, matrix.columns};
    float* y = product.y[0] + begin;
    if (const auto int8 = int8Strip(matrix)) {
        if (usesResiduals(matrix)) {
            const Int8Run* const residuals = m_int8 + tokens * runsOf(matrix.columns);
            float* const ofResiduals = scratch.residual + tokens * kStripRows;
            int8(rows, count, m_int8, tokens, scratch.residual, kStripRows, scratch.strip);
            int8(rows, count, residuals, tokens, ofResiduals, kStripRows, scratch.strip);
            addResiduals(product, begin, count, tokens, scratch);
            return;
        }
        int8(rows, count, m_int8, tokens, y, product.y.stride, scratch.strip);
    } else if (const auto int16 = int16Strip(matrix)) {
        int16(rows, count, m_int16, tokens, y, product.y.stride, scratch.strip);
    } else {
        multiplyDecoded(product, begin, count, x, tokens, scratch);
    }
    for (std::size_t t = 0; t < tokens; ++t) {
        finishRows(product, begin, count, t);
    }
}

void Multiplier::multiplyDecoded(const Product& product, std::uint64_t begin, std::uint64_t count, Rows x,
                                 std::size_t tokens, const Scratch& scratch) const {
    const Matrix& matrix = *product.matrix;
    const StoredRows stored = matrix.stored();
    for (std::size_t t = 0; t < tokens; ++t) {
        std::fill_n(product.y[t] + begin, count, 0.0F);
    }
    for (std::uint64_t column = 0; column < matrix.columns; column += kDecodedColumns) {
        const std::size_t width = std::min<std::uint64_t>(kDecodedColumns, matrix.columns - column);
        for (std::uint64_t r = 0; r < count; ++r) {
            // Cannot fail: types and sizes were checked when the weights were bound.
            (void)decode(stored, (begin + r) * matrix.columns + column,
                         std::span(scratch.rows + r * kDecodedColumns, width));
        }
        if (tokens == 1) {
            const auto* rows = reinterpret_cast<const std::byte*>(scratch.rows);
            float sums[kStripRows];
            m_kernels.products.floats[TensorType::F32]({rows, kDecodedColumns * sizeof(float), width}, count,
                                                       x[0] + column, sums);
            for (std::uint64_t r = 0; r < count; ++r) {
                product.y[0][begin + r] += sums[r];
            }
        } else {
            m_kernels.products.floatStrip(scratch.rows, kDecodedColumns, count, width, x[0] + column, x.stride, tokens,
                                          product.y[0] + begin, product.y.stride, scratch.strip);
        }
    }
}

} // namespace gufo::inference
