// gufo-write-manuals FOLDER writes the manual pages gufo(1), gufo-cli(1) and gufo-cli-VERB(1) from the tables that also
// drive the command lines. It runs while the program is built, and is not installed.
#include "cli/manual_pages.h"
#include "cli/verb.h"
#include "gufo/arguments.h"

#include <QCoreApplication>
#include <QFile>

#include <cstdio>

using namespace gufo::cli;

namespace {

const QString kVersion = QStringLiteral(GUFO_VERSION);

QString windowManual() {
    QString text =
        manualHeading(QStringLiteral("gufo"), kVersion, QStringLiteral("sees and edits what is inside GGUF models")) +
        QStringLiteral(".SH SYNOPSIS\n\\fBgufo\\fR [\\fIOPTION\\fR ...] [\\fIFILE\\fR ...]\n.SH DESCRIPTION\n") +
        manualText(QString::fromUtf8(kDescription).trimmed()) + QStringLiteral("\n.SH OPTIONS\n");
    for (const Option& option : kOptions) {
        text += QStringLiteral(".TP\n\\fB%1\\fR\n%2\n")
                    .arg(manualText(QString::fromUtf8(option.name)), manualText(QString::fromUtf8(option.help)));
    }
    return text + QStringLiteral(".PP\nOptions of Qt, such as \\fB\\-platform\\fR, are understood too.\n"
                                 ".SH SEE ALSO\n\\fBgufo\\-cli\\fR(1)\n");
}

bool write(const QString& path, const QString& text) {
    QFile file(path);
    const QByteArray bytes = text.toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.flush()) {
        std::fprintf(stderr, "gufo-write-manuals: %s: %s\n", qPrintable(path), qPrintable(file.errorString()));
        return false;
    }
    return true;
}

} // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv); // translations are asked for
    if (argc != 2) {
        std::fputs("usage: gufo-write-manuals FOLDER\n", stderr);
        return 2;
    }
    const QString folder = QString::fromLocal8Bit(argv[1]) + QLatin1Char('/');
    bool written = write(folder + QStringLiteral("gufo.1"), windowManual()) &&
                   write(folder + QStringLiteral("gufo-cli.1"), programManual(kVersion));
    for (const Verb* verb : verbs()) {
        written = written && write(folder + QStringLiteral("gufo-cli-%1.1").arg(QLatin1String(verb->name)),
                                   verbManual(*verb, kVersion));
    }
    return written ? 0 : 1;
}
