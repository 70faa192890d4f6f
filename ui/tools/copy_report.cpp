#include "ui/tools/copy_report.h"

#include "ui/jobs/job.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/report/bug_report.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>

namespace gufo::ui {
namespace {

class CopyTexts {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::CopyReport)
};

} // namespace

Job* copyReport(QObject* owner, const std::shared_ptr<const Model>& model, std::function<void(const QString&)> done) {
    return startJob<QString>(
        owner,
        [model](const JobContext& context) -> Result<QString> {
            const BugReport report = GUFO_TRY(makeBugReport(model, false, context));
            StringSink text;
            writeBugReport(text, report);
            return QString::fromStdString(text.text());
        },
        [done = std::move(done)](const Result<QString>& text) {
            if (!text) {
                done(errorLine(text.error()));
                return;
            }
            QGuiApplication::clipboard()->setText(*text);
            done(CopyTexts::tr("Copied a report of %n lines", nullptr,
                               numerus(static_cast<std::uint64_t>(text->count(u'\n')))));
        });
}

} // namespace gufo::ui
