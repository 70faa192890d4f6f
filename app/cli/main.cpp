// gufo-cli: finds the verb, parses its arguments and runs it.

#include "base/error.h"
#include "cli/completion.h"
#include "cli/console.h"
#include "cli/core_application.h"
#include "cli/help.h"
#include "cli/invocation.h"
#include "cli/outputs.h"
#include "cli/similar_name.h"
#include "formats/container/container.h"
#include "formats/ollama/store.h"
#include "hub/model_place.h"
#include "net/model_address.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "version.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gufo::cli {
namespace {

// Returns an error for an argument that is no file but could be the name of a model on a hub without "hf.co/". The
// name is not looked up, because a mistyped path would be sent to a server.
std::optional<QString> unclearName(const Verb& verb, const Invocation& invocation) {
    if (!verb.takesAddress || &verb == &downloadVerb) { // download takes such names
        return std::nullopt;
    }
    const auto isFile = [](const std::filesystem::path& path) {
        std::error_code error;
        return std::filesystem::exists(path, error) || containerByName(path) != nullptr || ollama::manifestNamed(path);
    };
    const bool allAreModels = &verb == &compareVerb; // of other verbs, only the first argument is a model
    for (const std::string& argument : invocation.positional()) {
        const auto place = hub::ModelPlace::parse(argument);
        const auto name = hub::ModelPlace::parseTyped(argument);
        if (name && place.isLocal() && !isFile(argument)) {
            return Cli::tr("%1: there is no such file. If it is the name of a model on Hugging Face, write %2.")
                .arg(ui::displayText(argument), ui::displayText(name->text()));
        }
        if (!allAreModels) {
            break;
        }
    }
    return std::nullopt;
}

int runVerb(const Verb& verb, const std::vector<std::string>& arguments, Console& console) {
    const auto invocation = Invocation::parse(verb, arguments);
    if (!invocation) {
        return console.fail(QStringLiteral("%1: %2").arg(QLatin1String(verb.name), invocation.error()));
    }
    if (invocation->wantsHelp()) {
        console.out().write(verbHelp(verb, console.proseColumns()));
        return kDone;
    }
    const auto isLocal = [](const std::string& argument) { return hub::ModelPlace::parse(argument).isLocal(); };
    if (!verb.takesAddress && !std::ranges::all_of(invocation->positional(), isLocal)) {
        return console.fail(
            Cli::tr("%1 reads or writes whole files on this computer, and takes no address: download the "
                    "model first")
                .arg(QLatin1String(verb.name)));
    }
    if (const auto unclear = unclearName(verb, *invocation)) {
        return console.fail(*unclear);
    }
    if (const auto refusal = refusalToReplace(verb, *invocation)) {
        return console.fail(QStringLiteral("%1: %2").arg(QLatin1String(verb.name), *refusal));
    }
    return verb.run(*invocation, console);
}

// The hosts that may be contacted without encryption: GUFO_PLAIN_HOSTS=nas.local,10.0.0.5
void allowPlainHosts() {
    std::vector<std::string> hosts;
    for (const QByteArray& host : qgetenv("GUFO_PLAIN_HOSTS").split(',')) {
        if (!host.trimmed().isEmpty()) {
            hosts.push_back(host.trimmed().toStdString());
        }
    }
    net::setPlainHosts(std::move(hosts));
}

bool isHelp(const std::string& argument) { return argument == "help" || argument == "--help" || argument == "-h"; }

int failUnknownVerb(const std::string& typed, Console& console) {
    std::vector<std::string_view> names{"help"};
    std::ranges::transform(verbs(), std::back_inserter(names), &Verb::name);
    const QString meant = didYouMean(similarName(typed, names));
    return console.fail(Cli::tr("there is no verb \"%1\"; see gufo-cli help").arg(ui::displayText(typed)) +
                        (meant.isEmpty() ? QString() : QStringLiteral(". ") + meant));
}

int runHelp(const std::vector<std::string>& arguments, Console& console) {
    const int width = console.proseColumns();
    if (arguments.empty()) {
        console.out().write(programHelp(width));
        return kDone;
    }
    if (isHelp(arguments.front())) {
        console.out().write(helpOfHelp(width));
        return kDone;
    }
    const Verb* verb = findVerb(arguments.front());
    if (verb == nullptr) {
        return failUnknownVerb(arguments.front(), console);
    }
    if (arguments.size() == 1) {
        console.out().write(verbHelp(*verb, width));
        return kDone;
    }
    const auto help = topicHelp(*verb, arguments[1], width);
    if (!help) {
        QStringList topics;
        for (const std::string_view topic : topicsOf(*verb)) {
            topics << ui::displayText(topic);
        }
        return console.fail(
            Cli::tr("the help of %1 has no topic \"%2\"; there are: %3")
                .arg(QLatin1String(verb->name), ui::displayText(arguments[1]), topics.join(QStringLiteral(", "))));
    }
    console.out().write(*help);
    return kDone;
}

// The scripts of shells take ":files" for a request to add names of files.
int runComplete(const std::vector<std::string>& words, Console& console) {
    const Completions found = completionsOf(words);
    for (const std::string& word : found.words) {
        console.out().write(word + '\n');
    }
    if (found.files) {
        console.out().write(":files\n");
    }
    return kDone;
}

int run(const std::vector<std::string>& arguments, Console& console) {
    if (arguments.empty()) {
        return console.fail(Cli::tr("a verb is missing; see gufo-cli help"));
    }
    const std::string& first = arguments.front();
    const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    if (first == "--version" || first == "-v") {
        console.out().write("gufo-cli " + versionLine() + '\n');
        return kDone;
    }
    if (first == "--complete") {
        return runComplete(rest, console);
    }
    if (isHelp(first)) {
        return runHelp(rest, console);
    }
    if (const Verb* verb = findVerb(first)) {
        return runVerb(*verb, rest, console);
    }
    return failUnknownVerb(first, console);
}

// Opens /dev/null for standard streams that are closed (2>&-). Otherwise the next file opened would take the
// descriptor, and messages would be written into a model.
void openStandardStreams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) != stream) {
            std::_Exit(2);
        }
    }
}

} // namespace
} // namespace gufo::cli

int main(int argc, char** argv) {
    using namespace gufo;
    cli::openStandardStreams();
    // If the reader closes the pipe early (| head), Output sees EPIPE, and half-written files are still removed.
    std::signal(SIGPIPE, SIG_IGN);
    const cli::CoreApplication application;
    ui::keepEnglishFigures();
    QCoreApplication::setApplicationVersion(QStringLiteral(GUFO_VERSION));
    cli::allowPlainHosts();
    cli::Console console;
    int code = cli::run({argv + std::min(argc, 1), argv + argc}, console);
    if (const int error = console.out().finish(); error != 0) {
        code =
            console.fail(systemError(error, {}, ErrorCode::WriteFailed), cli::Cli::tr("standard output").toStdString());
    }
    return code;
}
