#include "ui/mainwindow/tabs/page_table.h"

#include "ui/pages/metadata/metadata_page.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/template/template_page.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/pages/tokenizer/tokenizer_page.h"

#include <array>

namespace gufo::ui {
namespace {

template<typename P>
Page* make(QWidget* parent) {
    return new P(parent);
}

constexpr auto kPages = std::to_array<PageRow>({
    {"overview", make<OverviewPage>},
    {"metadata", make<MetadataPage>},
    {"tensors", make<TensorsPage>},
    {"tokenizer", make<TokenizerPage>},
    {"template", make<TemplatePage>},
    {"run", make<RunPage>},
});

} // namespace

std::span<const PageRow> pageTable() { return kPages; }

} // namespace gufo::ui
