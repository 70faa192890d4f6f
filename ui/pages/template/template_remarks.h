// What is remarkable about a template that can be rendered: findings about its text (validate/validate.h), with their
// places in the editor and their repairs.
//
// Thread contract: pure; walks the vocabulary, so a page calls it in a job.
#pragma once

#include "base/job_context.h"
#include "model/change.h"
#include "model/finding.h"
#include "model/model.h"

#include <string_view>
#include <vector>

namespace gufo::ui {

struct TemplateRemark {
    Finding finding;
    std::size_t begin = 0; // of the place in the template, in bytes of UTF-8; the same as `end` if it has none
    std::size_t end = 0;
    std::vector<Change> fix; // empty if it has no repair
};

[[nodiscard]] std::vector<TemplateRemark> templateRemarks(const Model& model, std::string_view key,
                                                          const JobContext& job);

} // namespace gufo::ui
