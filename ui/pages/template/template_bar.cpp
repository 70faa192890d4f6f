#include "ui/pages/template/template_bar.h"

#include "text/template/chat_templates.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/template/template_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/folded_buttons.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>

#include <algorithm>

namespace gufo::ui {
namespace {

QByteArray bytesOf(const std::string& key) { return QByteArray::fromStdString(key); }

} // namespace

TemplateBar::TemplateBar(QWidget* parent)
    : ToolStrip(parent)
    , m_names(new QComboBox(this))
    , m_add(makeToolButton(QStringLiteral("plus"), TemplatePage::tr("Add a template"), this))
    , m_undo(makeToolButton(QStringLiteral("undo"), TemplatePage::tr("Undo"), this))
    , m_redo(makeToolButton(QStringLiteral("redo"), TemplatePage::tr("Redo"), this))
    , m_search(new FilterField(TemplatePage::tr("Search"), this))
    , m_view(new SegmentedControl(TemplatePage::tr("View"), this))
    , m_reset(new QPushButton(TemplatePage::tr("Reset"), this))
    , m_audit(makeToolButton(QStringLiteral("check"), TemplatePage::tr("Audit"), this))
    , m_chat(new QPushButton(TemplatePage::tr("Chat with draft"), this))
    , m_more(makeToolButton(QStringLiteral("more"), TemplatePage::tr("More"), this)) {
    m_names->setAccessibleName(TemplatePage::tr("Template"));
    m_names->setToolTip(
        TemplatePage::tr("The templates of the model: tokenizer.chat_template and tokenizer.chat_template.NAME"));
    m_names->setMinimumWidth(120);
    m_names->setMaximumWidth(220);
    m_search->setMinimumWidth(90);
    m_search->setMaximumWidth(180);
    m_search->setToolTip(
        TemplatePage::tr("Search the template; Return goes to the next, Shift+Return to the previous"));
    m_view->addSegment(TemplatePage::tr("Edit"));
    m_view->addSegment(TemplatePage::tr("Diff from saved"), {},
                       TemplatePage::tr("Show the differences from the template in the file"));
    auto* menu = new QMenu(m_more);
    fillMenu(menu);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(menu);
    m_reset->setIcon(themeIcon(QStringLiteral("undo")));
    m_audit->setText(TemplatePage::tr("Audit"));
    m_audit->setToolTip(
        TemplatePage::tr("Audit: find out whether the template does more than arrange the conversation, and what "
                         "it does wrong"));
    m_chat->setIcon(themeIcon(QStringLiteral("chat")));
    m_chat->setToolTip(TemplatePage::tr("Chat with the model through this template, including unsaved changes"));
    auto* line = static_cast<QHBoxLayout*>(layout());
    line->addWidget(m_names);
    line->addWidget(m_add);
    line->addSpacing(8);
    line->addWidget(m_undo);
    line->addWidget(m_redo);
    line->addSpacing(8);
    line->addWidget(m_view);
    line->addWidget(m_search, 1);
    line->addStretch(2);
    line->addWidget(m_reset);
    line->addWidget(m_audit);
    line->addWidget(m_chat);
    line->addWidget(m_more);
    new FoldedButtons(this, {m_reset, m_chat}, m_more);
    connect(m_names, &QComboBox::currentIndexChanged, this, &TemplateBar::templateChosen);
    connect(m_add, &QAbstractButton::clicked, this, &TemplateBar::addRequested);
    connect(m_undo, &QAbstractButton::clicked, this, &TemplateBar::undoRequested);
    connect(m_redo, &QAbstractButton::clicked, this, &TemplateBar::redoRequested);
    connect(m_reset, &QAbstractButton::clicked, this, &TemplateBar::resetRequested);
    connect(m_audit, &QAbstractButton::clicked, this, &TemplateBar::auditRequested);
    connect(m_chat, &QAbstractButton::clicked, this, &TemplateBar::chatRequested);
    connect(m_view, &SegmentedControl::chosen, this, [this](int view) { emit diffShown(view == 1); });
}

// A bare check mark says little, but in a window of 900 pixels there is no room for the word.
void TemplateBar::resizeEvent(QResizeEvent* event) {
    constexpr int kWide = 980;
    m_audit->setToolButtonStyle(width() >= kWide ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    ToolStrip::resizeEvent(event);
}

void TemplateBar::fillMenu(QMenu* menu) {
    menu->addAction(TemplatePage::tr("Load from File…"), this, &TemplateBar::loadRequested);
    menu->addAction(TemplatePage::tr("Save to File…"), this, &TemplateBar::saveRequested);
    menu->addSeparator();
    menu->addAction(TemplatePage::tr("Audit Template"), this, &TemplateBar::auditRequested);
    menu->addSeparator();
    menu->addAction(TemplatePage::tr("Add Template…"), this, &TemplateBar::addRequested);
    m_delete = menu->addAction(TemplatePage::tr("Delete This Template"), this, &TemplateBar::deleteRequested);
}

void TemplateBar::setTemplates(const std::vector<text::ChatTemplate>& templates, const std::string& key) {
    const QSignalBlocker quiet(m_names);
    m_names->clear();
    for (const text::ChatTemplate& each : templates) {
        m_names->addItem(displayText(each.name), bytesOf(std::string(each.key)));
    }
    m_names->setCurrentIndex(std::max(m_names->findData(bytesOf(key)), templates.empty() ? -1 : 0));
}

std::string TemplateBar::key() const { return m_names->currentData().toByteArray().toStdString(); }

bool TemplateBar::choose(const std::string& key) {
    const int index = m_names->findData(bytesOf(key));
    if (index >= 0) {
        m_names->setCurrentIndex(index);
    }
    return index >= 0;
}

void TemplateBar::setState(const State& state) {
    m_undo->setEnabled(state.undo);
    m_redo->setEnabled(state.redo);
    m_add->setEnabled(state.add);
    m_delete->setEnabled(state.remove);
    m_reset->setEnabled(state.reset);
    m_reset->setToolTip(state.isSaved ? TemplatePage::tr("Revert to the template in the file")
                                      : TemplatePage::tr("This template has not been saved to the file yet"));
}

} // namespace gufo::ui

#include "moc_template_bar.cpp"
