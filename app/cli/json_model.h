// Values, findings and errors of core as JSON; the keys are documented in JSON.md.
#pragma once

#include "cli/json_writer.h"
#include "ui/report/json_model.h"

namespace gufo::cli {

using ui::typeName;
using ui::writeError;
using ui::writeFindings;
using ui::writeShape;
using ui::writeTypeAndValue;
using ui::writeValue;

} // namespace gufo::cli
