// JSON on standard output.
#pragma once

#include "cli/output.h"
#include "ui/report/json_writer.h"

namespace gufo::cli {

using ui::JsonWriter;

} // namespace gufo::cli
