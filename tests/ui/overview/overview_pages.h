// The models, summaries and shown pages of the tests of the Overview.
#pragma once

#include "model/model.h"
#include "support/page_models.h"
#include "ui/pages/overview/overview_page.h"

#include <QSignalSpy>

namespace gufo::test {

inline std::shared_ptr<const ui::Overview> overviewOf(const GgufBuilder& file) {
    auto overview = ui::summarise(readModel(file), {});
    return overview ? *overview : nullptr;
}

inline GgufBuilder smallLlama(std::uint32_t blocks = 2) {
    GgufBuilder file;
    addSmallLlama(file, blocks);
    return file;
}

// A page whose summary and checks are there.
struct ShownPage {
    explicit ShownPage(std::shared_ptr<const Model> model, QSize size = {1272, 770}) {
        page.resize(size);
        page.setModel(std::move(model));
        page.show();
        QSignalSpy summarised(&page, &ui::OverviewPage::summarised);
        QSignalSpy checked(page.findChild<ui::FindingsPanel*>(), &ui::FindingsPanel::checked);
        page.activate();
        ready = (summarised.wait() || page.overview() != nullptr) && (checked.count() > 0 || checked.wait());
        QCoreApplication::processEvents();
    }
    ui::OverviewPage page;
    bool ready = false;
};

} // namespace gufo::test
