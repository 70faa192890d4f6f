#include "ui/mainwindow/page_table.h"

#include "ui/pages/tensors/tensors_page.h"

#include <array>

namespace gufo::ui {
namespace {

template<typename P>
Page* make(QWidget* parent) {
    return new P(parent);
}

constexpr auto kPages = std::to_array<PageRow>({
    {"tensors", make<TensorsPage>},
});

} // namespace

std::span<const PageRow> pageTable() { return kPages; }

} // namespace gufo::ui
