// Renders chat templates (Jinja) like Hugging Face transformers: Jinja2 with trim_blocks, lstrip_blocks, loop controls,
// generation blocks, tojson, raise_exception and strftime_now. A template may run forever or take all memory, so the
// process gufo-render-helper renders it, with limits of 1 s of processor time and 400 MB. One request is sent to it,
// and one answer comes back. The helper is kept between renderings, and another one replaces it when it has ended.
//
// Columns, lengths and offsets count UTF-16 units, as in QString.
#pragma once

#include "channel/child_process.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <atomic>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace gufo::text {

// A problem of a template or of its input; its text is in ui/messages/problem_text.h.
struct TemplateProblem {
    QString code; // "unknown_filter", "raised", "timed_out"
    QStringList args;
    int line = 0; // counts from 1; 0: not known, or not about a line
    int column = 0;
    int length = 0; // on that line; at least 1 where the line is known
};

// What the audit of templates wants to know besides the text (template/template_outline.h).
struct TemplateOutline;

// The outcome of a condition: of an if, an inline if, or the left side of "and" and "or".
struct TemplateOutcome {
    int line;
    int column;
    bool holds;
    auto operator<=>(const TemplateOutcome&) const = default;
};

struct RenderRequest {
    QString source;
    std::vector<std::pair<QString, QString>> variables{}; // name, value as JSON; the last value of a name counts
    QDateTime now = QDateTime::currentDateTime();         // the result of strftime_now
    bool checkOnly = false;                               // parse and look for unknown names without rendering
    bool outline = false;                                 // fill in Rendering::outline
    // Fill in Rendering::outcomes, and let these conditions have these outcomes whatever they evaluate to.
    std::optional<std::vector<TemplateOutcome>> forced{};
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
    std::shared_ptr<const TemplateOutline> outline{};
    std::vector<TemplateOutcome> outcomes{}; // of the conditions that were evaluated, also if an error followed
    double milliseconds = 0;                 // spent by the helper
};

// The variables that transformers always passes to a template; tools and documents default to none. `generationPrompt`:
// whether the template is to begin the assistant's answer.
[[nodiscard]] std::vector<std::pair<QString, QString>> standardVariables(const QString& messages, const QString& tools,
                                                                         bool generationPrompt);

// Thread contract: thread-safe. render() blocks, so a page calls it in a job; concurrent calls wait for each other. The
// destructor waits for the helper's exit, which takes milliseconds.
class TemplateRenderer {
public:
    // `program`: path of the helper; tests pass another.
    explicit TemplateRenderer(QString program = helperProgram());

    // Starts the helper without waiting for it, so that the next rendering waits less (about 0.1 s). Does not block.
    void warmUp();

    // Returns the problem "cancelled" within milliseconds of a stop request, which ends a helper that is rendering;
    // "helper_missing" if no helper can be started; "timed_out", "out_of_memory" or "helper_died" if it ended.
    [[nodiscard]] Rendering render(const RenderRequest& request, const std::stop_token& stop = {});

    [[nodiscard]] qint64 helperId() const { return m_helperId; } // 0: there is none

    // Path of the helper, next to this program or in its installation; empty if it is missing, or if there is no
    // QCoreApplication.
    [[nodiscard]] static QString helperProgram();

private:
    [[nodiscard]] bool start();
    [[nodiscard]] std::expected<Rendering, QString> ask(std::span<const std::byte> request,
                                                        const std::stop_token& stop);
    [[nodiscard]] channel::ChildProcess::End endHelper(int milliseconds);

    QString m_program;
    std::mutex m_mutex; // held while a request is rendered
    std::optional<channel::ChildProcess> m_helper;
    bool m_ready = false; // the helper has loaded its engine
    std::atomic<qint64> m_helperId = 0;
};

// Starts a helper for this rendering alone.
[[nodiscard]] Rendering renderAndWait(const RenderRequest& request, const std::stop_token& stop = {});

} // namespace gufo::text
