// Puts a text about a model for a thread about a fault onto the clipboard (report/bug_report.h). A job makes it,
// because the model is checked.
#pragma once

#include "model/model.h"

#include <QObject>

#include <functional>
#include <memory>

namespace gufo::ui {

class Job;

// `done` is called with a sentence for the status line. `owner` cancels the job when it is destroyed.
Job* copyReport(QObject* owner, const std::shared_ptr<const Model>& model, std::function<void(const QString&)> done);

} // namespace gufo::ui
