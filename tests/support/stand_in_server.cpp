// A program that behaves like llama-server towards the program that starts it: it takes the same arguments, reads its
// key from the environment, needs a moment to load, writes a log, and answers like test::ServerDouble. With "--stand-in
// refuse" it ends like a llama-server that cannot load its model; with "--stand-in crash" it crashes during its first
// answer; with "--stand-in long-line" it prints its key around the 4,000th byte of a line that is not yet complete.
#include "document/open_model.h"
#include "support/server_double.h"

#include <QCoreApplication>
#include <QTimer>

#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
    using namespace gufo;
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const auto valueOf = [&](const char* name) {
        const qsizetype at = arguments.lastIndexOf(QLatin1String(name));
        return at >= 0 ? arguments.value(at + 1) : QString();
    };
    std::printf("stand-in: build b1, arguments %s\n", qPrintable(arguments.mid(1).join(u' ')));
    std::fflush(stdout);
    const QString behaviour = valueOf("--stand-in");
    if (behaviour == QStringLiteral("refuse")) {
        std::fprintf(stderr, "error: unable to allocate the GPU buffer\n");
        return 1;
    }
    const auto model = openModel(valueOf("--model").toStdString());
    if (!model) {
        std::fprintf(stderr, "error: failed to load the model\n");
        return 1;
    }
    const char* key = std::getenv("LLAMA_API_KEY");
    if (behaviour == QStringLiteral("long-line") && key != nullptr) {
        const std::string line = std::string(3970, 'x') + key + std::string(4000, 'y');
        std::fwrite(line.data(), 1, line.size(), stdout);
        std::fflush(stdout);
    }
    test::ServerDouble server(
        *model, {.fault = test::Fault::Loading, .key = key != nullptr ? key : "", .port = valueOf("--port").toInt()});
    QTimer::singleShot(300, &application, [&] {
        std::printf("main: server is listening on %s\n", server.address().c_str());
        std::fflush(stdout);
        server.finishLoading();
    });
    QTimer crash;
    if (behaviour == QStringLiteral("crash")) {
        QObject::connect(&crash, &QTimer::timeout, [&] {
            if (!server.lastBody("/completion").empty()) {
                std::fprintf(stderr, "ggml_vulkan: device lost\n");
                std::_Exit(134);
            }
        });
        crash.start(5);
    }
    return QCoreApplication::exec();
}
