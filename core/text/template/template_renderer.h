// Renders chat templates (Jinja) as Hugging Face transformers does: Jinja2 with trim_blocks, lstrip_blocks, loop
// controls, generation blocks, tojson, raise_exception and strftime_now. The work is done by the process
// gufo-render-helper, since a template may run forever or take all memory: it has 1 s of processor time and 400 MB for
// each rendering. It is kept between renderings and replaced when it dies.
//
// Columns, lengths and offsets count UTF-16 units, as QString does.
#pragma once

#include <QDateTime>
#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace gufo::text {

// What is wrong with a template or with what it was given; ui/messages/template_text.h has the words.
struct TemplateProblem {
    QString code; // "unknown_filter", "raised", "timed_out"
    QStringList args;
    int line = 0; // 1-based; 0: not known, or of no line
    int column = 0;
    int length = 0; // on that line; at least 1 where the line is known
};

struct RenderRequest {
    QString source;
    std::vector<std::pair<QString, QString>> variables{}; // name, value as JSON text; the last of a name counts
    QDateTime now = QDateTime::currentDateTime();         // for strftime_now
    bool checkOnly = false;                               // parse, look for unknown names, render nothing
};

struct MessageStart {
    int message;      // index in the variable "messages"
    qsizetype offset; // in Rendering::text: where a loop of the template came to it
};

struct Rendering {
    std::optional<QString> text{};           // not there if checkOnly or error
    std::optional<TemplateProblem> error{};  // why there is no text
    std::vector<TemplateProblem> problems{}; // names of filters, tests and functions that do not exist, even if unused
    std::vector<MessageStart> starts{};      // by offset
    double milliseconds = 0;                 // taken by the helper
};

// The variables that transformers always gives to a template beside the messages: tools and documents are none.
// `generationPrompt`: whether the answer of the assistant is to be begun.
[[nodiscard]] std::vector<std::pair<QString, QString>> standardVariables(const QString& messages, const QString& tools,
                                                                         bool generationPrompt);

// Threads: of the thread that made it, which runs an event loop. Nothing waits. What the helper replies, which may be
// hundreds of megabytes, is taken apart on a thread of the pool.
class TemplateRenderer : public QObject {
public:
    using Done = std::function<void(Rendering)>;

    // `program`: another helper than the installed one, for tests.
    explicit TemplateRenderer(QObject* parent = nullptr, QString program = helperProgram());
    ~TemplateRenderer() override;

    // Starts the helper, so that the first rendering need not wait for it (it takes about 0.1 s).
    void warmUp();

    // Calls `done` with the result, unless another render() or cancel() comes before it: the newest request counts.
    void render(RenderRequest request, Done done);
    // Forgets the request, and ends the helper if it is at work.
    void cancel();
    // Ends the helper and waits for its end: milliseconds. The destructor does not wait.
    void shutDown();
    [[nodiscard]] bool isBusy() const { return m_done != nullptr; }
    [[nodiscard]] qint64 helperId() const { return m_process != nullptr ? m_process->processId() : 0; }

    // Beside this program, or where it is installed; empty if it is not there.
    [[nodiscard]] static QString helperProgram();

private:
    void send();
    void receive();
    void onReply(QByteArray frame);
    void parse(QByteArray frame);
    void onParsed(quint64 number, std::optional<Rendering> rendering);
    void onDeath();
    QProcess* detachHelper();
    void stopHelper();
    void deliver(Rendering rendering);
    void fail(const QString& code);

    QString m_program;
    QProcess* m_process = nullptr; // a child
    bool m_ready = false;          // it has loaded its engine
    bool m_working = false;        // it has a request, perhaps one that was superseded
    bool m_superseded = false;
    bool m_parsing = false; // the reply to the newest request is being taken apart
    quint64 m_number = 0;   // of the newest request
    struct Mailbox;         // where threads of the pool find this object as long as it is there
    std::shared_ptr<Mailbox> m_mailbox;
    QByteArray m_received;
    QTimer m_deadline;
    QElapsedTimer m_clock;   // of the request at work
    RenderRequest m_request; // waiting or at work
    Done m_done;
};

// The same for programs without an event loop of their own; there must be a QCoreApplication. A stop ends it with the
// problem "cancelled".
[[nodiscard]] Rendering renderAndWait(RenderRequest request, std::stop_token stop = {});

} // namespace gufo::text
