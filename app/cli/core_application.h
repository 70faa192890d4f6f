// The QCoreApplication that rendering chat templates needs (text/template_renderer.h): an event loop, and where the
// helper is. For as long as it lives; one at a time.
#pragma once

#include <QCoreApplication>

#include <string>

namespace gufo::cli {

class CoreApplication {
public:
    CoreApplication() = default;

private:
    int m_count = 1;
    std::string m_name = "gufo-cli";
    char* m_arguments = m_name.data();
    QCoreApplication m_application{m_count, &m_arguments};
};

} // namespace gufo::cli
