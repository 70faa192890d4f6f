// Matrix times activations, straight from the encoded weights.
#pragma once

#include "inference/team.h"
#include "inference/weights.h"

#include <span>
#include <vector>

namespace gufo::inference {

// Rows of floats, one for each token, `stride` apart.
struct Rows {
    float* data = nullptr;
    std::size_t stride = 0;
    [[nodiscard]] float* operator[](std::size_t token) const { return data + token * stride; }
};

class Multiplier {
public:
    // Columns of the widest matrix, for the scratch of each member.
    Multiplier(Team& team, std::size_t widest);

    // y[t] = M x[t] + bias for `tokens` rows. x has M.columns elements in a row, y M.rows; they do not overlap.
    void multiply(const Matrix& matrix, Rows x, Rows y, std::size_t tokens);
    // Several matrices of the same input in one step of the team (queries, keys and values; gate and up).
    struct Product {
        const Matrix* matrix;
        Rows y;
    };
    void multiply(std::span<const Product> products, Rows x, std::size_t tokens);

    [[nodiscard]] Team& team() { return m_team; }

private:
    Team& m_team;
    std::vector<std::vector<float>> m_scratch; // a decoded row for each member
};

} // namespace gufo::inference
