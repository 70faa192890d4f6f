#include "ui/pages/run/run_keys.h"

#include <array>

namespace gufo::ui {

QString RunKey::keysText() const {
    return QKeySequence(QLatin1String(keys), QKeySequence::PortableText).toString(QKeySequence::NativeText);
}

std::span<const RunKey> runKeys() {
    static constexpr auto kKeys = std::to_array<RunKey>({
        {RunCommand::Listed, QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Run: send the message"), "Return"},
        {RunCommand::Listed, QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Run: begin a new line in the message"),
         "Shift+Return"},
        {RunCommand::Send,
         QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Run: continue the text of a completion, or send the message"),
         "Ctrl+Return"},
        {RunCommand::Listed,
         QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Run: show the alternatives of the token at the cursor in a text"),
         "Alt+Return"},
        {RunCommand::Listed, QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Run: stop the answer"), "Esc"},
        {RunCommand::Regenerate, QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Run: regenerate the answer"), "Ctrl+R"},
        {RunCommand::EditLast, QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Run: edit the last message"), "Ctrl+E"},
        {RunCommand::PreviousAnswer, QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Run: go to the previous answer"),
         "Alt+Up"},
        {RunCommand::NextAnswer,
         QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Run: go to the next answer, or to the message field"), "Alt+Down"},
        {RunCommand::PreviousVersion,
         QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Run: show the previous version of the answer"), "Alt+Left"},
        {RunCommand::NextVersion,
         QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Run: show the next version of the answer"), "Alt+Right"},
        {RunCommand::Listed, QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Run: show or hide the settings"), "Ctrl+,"},
    });
    return kKeys;
}

} // namespace gufo::ui
