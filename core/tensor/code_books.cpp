#include "tensor/code_books.h"

namespace gufo {

constinit const std::array<std::uint16_t, 256> kIq2XxsGrid{
#include "tensor/code_books/iq2_xxs_grid.inc"
};
constinit const std::array<std::uint16_t, 512> kIq2XsGrid{
#include "tensor/code_books/iq2_xs_grid.inc"
};
constinit const std::array<std::uint16_t, 1024> kIq2SGrid{
#include "tensor/code_books/iq2_s_grid.inc"
};
constinit const std::array<std::uint16_t, 2048> kIq1Grid{
#include "tensor/code_books/iq1_s_grid.inc"
};
constinit const std::array<std::uint16_t, 256> kIq3XxsGrid{
#include "tensor/code_books/iq3_xxs_grid.inc"
};
constinit const std::array<std::uint16_t, 512> kIq3SGrid{
#include "tensor/code_books/iq3_s_grid.inc"
};

} // namespace gufo
