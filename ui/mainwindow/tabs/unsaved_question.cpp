#include "ui/mainwindow/tabs/unsaved_question.h"

#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/text_color.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kQuestionMargin = 20;
constexpr int kWidth = 480;
constexpr int kMaxRows = 8; // more are scrolled

QString changesText(const ModelTab& tab) {
    const std::size_t count = tab.document()->document().differences().size();
    return UnsavedQuestion::tr("%n unsaved changes", nullptr, numerus(count));
}

// Saves the tabs one after the other. Calls `done` once if all were saved.
void saveEach(std::vector<QPointer<ModelTab>> tabs, std::function<void()> done) {
    while (!tabs.empty() && tabs.back().isNull()) {
        tabs.pop_back();
    }
    if (tabs.empty()) {
        done();
        return;
    }
    ModelTab* tab = tabs.back();
    tabs.pop_back();
    tab->save([tabs = std::move(tabs), done = std::move(done)](bool saved) {
        if (saved) {
            saveEach(tabs, done);
        }
    });
}

} // namespace

void UnsavedQuestion::ask(QWidget* parent, const std::vector<ModelTab*>& tabs, std::function<void()> proceed) {
    const auto saving = std::ranges::find_if(tabs, [](const ModelTab* tab) { return tab->isSaving(); });
    if (saving != tabs.end()) {
        auto* box = new QMessageBox(
            QMessageBox::Information, tr("Close"),
            tr("%1 is being saved. Close it when that is done, or cancel the save first.").arg((*saving)->title()),
            QMessageBox::Ok, parent);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->setTextFormat(Qt::PlainText);
        box->open();
        return;
    }
    for (ModelTab* tab : tabs) {
        if (!tab->commitTyped()) {
            askAboutTyped(parent, tabs, tab, std::move(proceed));
            return;
        }
    }
    std::vector<ModelTab*> unsaved = tabs;
    std::erase_if(unsaved, [](const ModelTab* tab) { return !tab->isModified(); });
    if (unsaved.empty()) {
        proceed();
        return;
    }
    (new UnsavedQuestion(parent, unsaved, std::move(proceed)))->open();
}

void UnsavedQuestion::askAboutTyped(QWidget* parent, const std::vector<ModelTab*>& tabs, ModelTab* tab,
                                    std::function<void()> proceed) {
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Close"),
                                tr("The text being typed in %1 is not valid.").arg(tab->title()), QMessageBox::NoButton,
                                parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(tab->typedProblem());
    QPushButton* discard = box->addButton(tr("Discard it"), QMessageBox::DestructiveRole);
    QPushButton* back = box->addButton(tr("Go back"), QMessageBox::RejectRole);
    box->setDefaultButton(back);
    box->setEscapeButton(back);
    connect(box, &QMessageBox::finished, box,
            [box, discard, parent, all = std::vector<QPointer<ModelTab>>(tabs.begin(), tabs.end()),
             typedIn = QPointer(tab), proceed = std::move(proceed)] {
                if (typedIn.isNull()) {
                    return;
                }
                if (box->clickedButton() != discard) {
                    typedIn->showTyped();
                    return;
                }
                typedIn->discardTyped();
                std::vector<ModelTab*> open;
                for (const QPointer<ModelTab>& each : all) {
                    if (!each.isNull()) {
                        open.push_back(each);
                    }
                }
                ask(parent, open, proceed);
            });
    box->open();
}

UnsavedQuestion::UnsavedQuestion(QWidget* parent, const std::vector<ModelTab*>& tabs, std::function<void()> proceed)
    : QDialog(parent)
    , m_tabs(tabs.begin(), tabs.end())
    , m_proceed(std::move(proceed))
    , m_save(new QPushButton(tr("&Save"), this))
    , m_discard(new QPushButton(tr("&Discard"), this))
    , m_cancel(new QPushButton(tr("Cancel"), this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Unsaved changes"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kQuestionMargin, 16, kQuestionMargin, 16);
    column->setSpacing(10);
    const bool several = tabs.size() > 1;
    auto* title = themedLabel(several ? tr("Save the changes to %n models?", nullptr, numerus(tabs.size()))
                                      : tr("Save the changes to %1?").arg(tabs.front()->title()),
                              TextStyle::Section, Token::Text, this);
    title->setWordWrap(true);
    column->addWidget(title);
    auto* explanation = themedLabel({}, TextStyle::Body, Token::Muted, this);
    explanation->setWordWrap(true);
    if (several) {
        explanation->setText(tr("The changes of models that are not checked are lost."));
        auto* list = new QWidget;
        auto* rows = new QVBoxLayout(list);
        rows->setContentsMargins(8, 6, 8, 6);
        rows->setSpacing(4);
        for (const ModelTab* tab : tabs) {
            auto* box = new QCheckBox(
                QStringLiteral("%1 (%2)").arg(tab->title().replace(u'&', QStringLiteral("&&")), changesText(*tab)),
                list);
            box->setChecked(true);
            box->setToolTip(plainToolTip(tab->description()));
            rows->addWidget(box);
            m_boxes.push_back(box);
        }
        auto* area = new QScrollArea(this);
        area->setWidgetResizable(true);
        area->setWidget(list);
        const int shown = std::min(static_cast<int>(tabs.size()), kMaxRows);
        area->setMinimumHeight(shown * (m_boxes.front()->sizeHint().height() + 4) + 14);
        column->addWidget(area);
    } else {
        explanation->setText(tr("It has %1. Discarded changes cannot be restored.").arg(changesText(*tabs.front())));
    }
    column->addWidget(explanation);
    column->addSpacing(6);
    m_save->setProperty("primary", true);
    m_save->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_discard);
    buttons->addStretch(1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_save);
    column->addLayout(buttons);
    setMinimumWidth(kWidth);
    connect(m_save, &QPushButton::clicked, this, &UnsavedQuestion::saveAll);
    connect(m_discard, &QPushButton::clicked, this, &UnsavedQuestion::discardAll);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
}

void UnsavedQuestion::saveAll() {
    std::vector<QPointer<ModelTab>> save;
    std::vector<QPointer<ModelTab>> discard;
    for (std::size_t i = 0; i < m_tabs.size(); ++i) {
        (m_boxes.empty() || m_boxes[i]->isChecked() ? save : discard).push_back(m_tabs[i]);
    }
    accept();
    saveEach(save, [discard, proceed = m_proceed] {
        for (const QPointer<ModelTab>& tab : discard) {
            if (!tab.isNull()) {
                tab->discardChanges();
            }
        }
        proceed();
    });
}

void UnsavedQuestion::discardAll() {
    accept();
    for (const QPointer<ModelTab>& tab : m_tabs) {
        if (!tab.isNull()) {
            tab->discardChanges();
        }
    }
    m_proceed();
}

} // namespace gufo::ui

#include "moc_unsaved_question.cpp"
