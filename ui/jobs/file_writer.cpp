#include "ui/jobs/file_writer.h"

namespace gufo::ui {

QThreadPool& fileWriter() {
    static QThreadPool writer;
    writer.setMaxThreadCount(1);
    return writer;
}

} // namespace gufo::ui
