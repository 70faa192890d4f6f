// The pages of a model tab, in the order of the sidebar: one row each (page_table.cpp).
#pragma once

#include "ui/shell/page.h"

#include <span>

namespace gufo::ui {

struct PageRow {
    const char* id; // in settings and sessions
    Page* (*make)(QWidget* parent);
};
[[nodiscard]] std::span<const PageRow> pageTable();

} // namespace gufo::ui
