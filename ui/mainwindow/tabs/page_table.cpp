#include "ui/mainwindow/tabs/page_table.h"

#include "inference/measuring/line_vectors.h"
#include "ui/pages/bytes/bytes_page.h"
#include "ui/pages/diagram/diagram_page.h"
#include "ui/pages/embed/embed_page.h"
#include "ui/pages/inside/inside_page.h"
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
Page* make(QWidget* parent, const Model&) {
    return new P(parent);
}

Page* makeRun(QWidget* parent, const Model& model) {
    if (inference::isForVectors(model)) {
        return new EmbedPage(parent);
    }
    return new RunPage(parent);
}

constexpr auto kPages = std::to_array<PageRow>({
    {"overview", make<OverviewPage>},
    {"metadata", make<MetadataPage>},
    {"tensors", make<TensorsPage>},
    {"diagram", make<DiagramPage>},
    {"tokenizer", make<TokenizerPage>},
    {"template", make<TemplatePage>},
    {"run", makeRun},
    {"inside", make<InsidePage>},
    {"bytes", make<BytesPage>},
});

} // namespace

std::span<const PageRow> pageTable() { return kPages; }

} // namespace gufo::ui
