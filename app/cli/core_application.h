// The program's QCoreApplication. It locates the helper that renders chat templates
// (text/template/template_renderer.h) and loads the translations (ui/messages/catalogue.h). It is given no arguments,
// because Qt would consume some of them.
#pragma once

#include <QCoreApplication>

#include <clocale>
#include <string>

namespace gufo::cli {

class CoreApplication {
public:
    // Qt sets the process locale to the user's, but numbers in files and JSON use a decimal point.
    CoreApplication() { std::setlocale(LC_NUMERIC, "C"); }

private:
    int m_count = 1;
    std::string m_name = "gufo-cli";
    char* m_arguments = m_name.data();
    QCoreApplication m_application{m_count, &m_arguments};
};

} // namespace gufo::cli
