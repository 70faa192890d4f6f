// Renders chat templates (Jinja) like Hugging Face transformers: Jinja2 with trim_blocks, lstrip_blocks, loop controls,
// generation blocks, tojson, raise_exception and strftime_now. A template may run forever or take all memory, so the
// process gufo-render-helper renders it, with limits of 1 s of processor time and 400 MB. The helper is kept between
// renderings and restarted when it dies.
//
// Columns, lengths and offsets count UTF-16 units, as in QString.
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

// A problem of a template or of its input; its text is in ui/messages/template_text.h.
struct TemplateProblem {
    QString code; // "unknown_filter", "raised", "timed_out"
    QStringList args;
    int line = 0; // counts from 1; 0: not known, or not about a line
    int column = 0;
    int length = 0; // on that line; at least 1 where the line is known
};

struct RenderRequest {
    QString source;
    std::vector<std::pair<QString, QString>> variables{}; // name, value as JSON; the last value of a name counts
    QDateTime now = QDateTime::currentDateTime();         // the result of strftime_now
    bool checkOnly = false;                               // parse and look for unknown names without rendering
};

struct MessageStart {
    int message;      // index in the variable "messages"
    qsizetype offset; // in Rendering::text, where the template's loop reached the message
};

struct Rendering {
    std::optional<QString> text{};           // empty after an error or if checkOnly
    std::optional<TemplateProblem> error{};  // why there is no text
    std::vector<TemplateProblem> problems{}; // unknown filters, tests and functions, even if they are not reached
    std::vector<MessageStart> starts{};      // sorted by offset
    double milliseconds = 0;                 // spent by the helper
};

// The variables that transformers always passes to a template; tools and documents default to none. `generationPrompt`:
// whether the template is to begin the assistant's answer.
[[nodiscard]] std::vector<std::pair<QString, QString>> standardVariables(const QString& messages, const QString& tools,
                                                                         bool generationPrompt);

// Thread contract: belongs to the thread that made it, which must run an event loop. No call blocks. Replies of the
// helper, which may take hundreds of megabytes, are parsed on a thread of the pool.
class TemplateRenderer : public QObject {
public:
    using Done = std::function<void(Rendering)>;

    // `program`: path of the helper; tests pass another.
    explicit TemplateRenderer(QObject* parent = nullptr, QString program = helperProgram());
    ~TemplateRenderer() override;

    // Starts the helper, so that the first rendering need not wait for it (about 0.1 s).
    void warmUp();

    // Calls `done` with the result, unless another render() or cancel() comes first: only the newest request counts.
    void render(RenderRequest request, Done done);
    // Forgets the request, and ends the helper if it is busy.
    void cancel();
    // Ends the helper and waits for its exit, which takes milliseconds. The destructor does not wait.
    void shutDown();
    [[nodiscard]] bool isBusy() const { return m_done != nullptr; }
    [[nodiscard]] qint64 helperId() const { return m_process != nullptr ? m_process->processId() : 0; }

    // Path of the helper, next to this program or in its installation; empty if it is missing.
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
    QProcess* m_process = nullptr; // a child of this object
    bool m_ready = false;          // the helper has loaded its engine
    bool m_working = false;        // the helper has a request, perhaps a superseded one
    bool m_superseded = false;
    bool m_parsing = false; // the reply to the newest request is being parsed
    quint64 m_number = 0;   // of the newest request
    struct Mailbox;         // through which pool threads find this object while it exists
    std::shared_ptr<Mailbox> m_mailbox;
    QByteArray m_received;
    QTimer m_deadline;
    QElapsedTimer m_clock;   // of the current request
    RenderRequest m_request; // waiting or being rendered
    Done m_done;
};

// The same for threads without an event loop, while a QCoreApplication exists. Keeps the helper between renderings.
//
// Thread contract: belongs to the thread of the first rendering, on which it must be destroyed.
class WaitingRenderer {
public:
    WaitingRenderer();
    ~WaitingRenderer(); // waits for the helper's exit, which takes milliseconds
    WaitingRenderer(const WaitingRenderer&) = delete;
    WaitingRenderer& operator=(const WaitingRenderer&) = delete;

    // On a stop request, returns the problem "cancelled".
    [[nodiscard]] Rendering render(RenderRequest request, const std::stop_token& stop = {});

private:
    std::unique_ptr<TemplateRenderer> m_renderer; // null before the first rendering and after a stop request
};

// Starts a helper for this rendering alone.
[[nodiscard]] Rendering renderAndWait(RenderRequest request, const std::stop_token& stop = {});

} // namespace gufo::text
