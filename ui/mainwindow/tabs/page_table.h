// The table of a model tab's pages in sidebar order (page_table.cpp).
#pragma once

#include "ui/shell/page.h"

#include <span>

namespace gufo::ui {

struct PageRow {
    const char* id; // used in settings and sessions
    Page* (*make)(QWidget* parent, const Model& model);
};
[[nodiscard]] std::span<const PageRow> pageTable();

} // namespace gufo::ui
