#include "ui/mainwindow/go_to/go_to_field.h"

#include "ui/messages/figure_text.h"
#include "ui/shell/places.h"
#include "ui/theme/style_shapes.h"

#include <QAction>
#include <QKeyEvent>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

constexpr int kResultHeight = 26;
constexpr int kResultsWidth = 520;

struct KindRow {
    GoToHit::Kind kind;
    const char* icon;
    const char* title;
    TextStyle style;
};
constexpr std::array<KindRow, 6> kKinds{{
    {GoToHit::Kind::Page, "overview", QT_TRANSLATE_NOOP("gufo::ui::GoToField", "Page"), TextStyle::Body},
    {GoToHit::Kind::Key, "metadata", QT_TRANSLATE_NOOP("gufo::ui::GoToField", "Key"), TextStyle::Mono},
    {GoToHit::Kind::Tensor, "tensors", QT_TRANSLATE_NOOP("gufo::ui::GoToField", "Tensor"), TextStyle::Mono},
    {GoToHit::Kind::Token, "tokenizer", QT_TRANSLATE_NOOP("gufo::ui::GoToField", "Token"), TextStyle::Mono},
    {GoToHit::Kind::Address, "link", QT_TRANSLATE_NOOP("gufo::ui::GoToField", "Address"), TextStyle::Mono},
    {GoToHit::Kind::Command, "run", QT_TRANSLATE_NOOP("gufo::ui::GoToField", "Command"), TextStyle::Body},
}};

enum Role { KindRole = Qt::UserRole, DetailRole };

// A command of the menus: "Edit › Undo".
struct Command {
    QString name;
    QAction* action;
};

QString plainText(QString text) { return text.remove(QLatin1Char('&')); }

void collectCommands(const QList<QAction*>& actions, const QString& path, std::vector<Command>& commands) {
    for (QAction* action : actions) {
        if (action->isSeparator() || !action->isVisible() || !action->isEnabled()) {
            continue;
        }
        const QString name =
            path.isEmpty() ? plainText(action->text()) : path + QStringLiteral(" › ") + plainText(action->text());
        if (const QMenu* menu = action->menu()) {
            collectCommands(menu->actions(), name, commands);
        } else {
            commands.push_back({name, action});
        }
    }
}

class ResultDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        Q_UNUSED(index);
        return {100, std::max(kResultHeight, option.fontMetrics.height() + 8)};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QVariant kind = index.data(KindRole);
        const bool selected = kind.isValid() && (option.state & QStyle::State_Selected) != 0;
        painter->save();
        if (selected) {
            painter->fillRect(option.rect, themeColor(Token::Selection));
        }
        QRect text = option.rect.adjusted(10, 0, -10, 0);
        if (kind.isValid()) {
            const KindRow& row = kKinds[static_cast<std::size_t>(kind.toInt())];
            drawIcon(painter, QRect(text.left(), text.top(), 16, text.height()), QString::fromLatin1(row.icon),
                     selected ? Token::Accent : Token::Muted, 14);
            text.setLeft(text.left() + 26);
            const QString detail = index.data(DetailRole).toString();
            painter->setFont(themeFont(TextStyle::Axis));
            painter->setPen(themeColor(Token::Muted));
            painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, detail);
            text.setRight(text.right() - painter->fontMetrics().horizontalAdvance(detail) - 10);
            painter->setFont(themeFont(row.style));
            painter->setPen(themeColor(Token::Text));
        } else {
            painter->setFont(themeFont(TextStyle::Table));
            painter->setPen(themeColor(Token::Muted));
        }
        painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                          painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, text.width()));
        painter->restore();
    }
};

// The keys of a command, or what it is.
QString commandDetail(const QAction* action) {
    const QString keys = action != nullptr ? action->shortcut().toString(QKeySequence::NativeText) : QString();
    return keys.isEmpty() ? GoToField::tr("Command") : keys;
}

} // namespace

GoToField::GoToField(QWidget* parent)
    : QLineEdit(parent)
    , m_results(new QListWidget) {
    setProperty("small", true);
    setPlaceholderText(tr("Go to key, tensor, page or command"));
    setAccessibleName(tr("Go to key, tensor, page or command"));
    setFont(themeFont(TextStyle::Table));
    addAction(themeIcon(QStringLiteral("search"), Token::Muted), LeadingPosition);
    connect(this, &QLineEdit::textEdited, this, &GoToField::search);
    m_results->hide();
    m_results->setItemDelegate(new ResultDelegate(m_results));
    m_results->setFocusPolicy(Qt::NoFocus);
    m_results->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_results->setUniformItemSizes(true);
    m_results->setMouseTracking(true);
    m_results->setAccessibleName(tr("Results"));
    connect(m_results, &QListWidget::itemClicked, this, [this] { choose(m_results->currentRow()); });
    connect(this, &QObject::destroyed, m_results, &QObject::deleteLater);
}

void GoToField::setModel(std::shared_ptr<const Model> model, const QStringList& pageTitles) {
    m_model = std::move(model);
    m_pageTitles = pageTitles;
    if (hasFocus()) {
        search();
    }
}

void GoToField::setCommands(QMenuBar* menus) { m_menus = menus; }

std::vector<GoToHit> GoToField::matchingPages() const {
    std::vector<GoToHit> hits;
    const WordMatcher wanted(text().toStdString());
    for (int i = 0; i < m_pageTitles.size(); ++i) {
        std::string title = m_pageTitles[i].toStdString();
        if (wanted.empty() || wanted.match(title)) {
            hits.push_back({.kind = GoToHit::Kind::Page, .name = std::move(title), .number = i});
        }
    }
    return hits;
}

std::vector<GoToHit> GoToField::matchingCommands() {
    std::vector<GoToHit> hits;
    m_commands.clear();
    const WordMatcher wanted(text().toStdString());
    if (wanted.empty() || m_menus.isNull()) {
        return hits;
    }
    std::vector<Command> commands;
    collectCommands(m_menus->actions(), {}, commands);
    std::vector<std::pair<int, const Command*>> found;
    for (const Command& command : commands) {
        // The words of a command are few and common, so a part of one is not enough.
        const auto quality = wanted.match(command.name.toStdString());
        if (quality && wanted.beginsWords(command.name.toStdString())) {
            found.emplace_back(*quality, &command);
        }
    }
    std::ranges::sort(found); // `commands` is in the order of the menus
    for (const auto& [quality, command] : found) {
        if (hits.size() == kMaxHitsPerKind) {
            break;
        }
        hits.push_back({.kind = GoToHit::Kind::Command,
                        .name = command->name.toStdString(),
                        .number = static_cast<int>(m_commands.size())});
        m_commands.emplace_back(command->action);
    }
    return hits;
}

std::vector<GoToHit> GoToField::withAddress(std::vector<GoToHit> hits) const {
    if (const auto address = typedPlace(text())) {
        const bool isOnlyThis = !hub::ModelPlace::parse(text().trimmed().toStdString()).isLocal();
        hits.insert(isOnlyThis ? hits.begin() : hits.end(),
                    GoToHit{.kind = GoToHit::Kind::Address, .name = address->text(), .place = {}, .address = *address});
    }
    return hits;
}

void GoToField::search() {
    m_job.cancel();
    m_chooseFirst = false;
    if (!m_model || text().isEmpty()) {
        std::vector<GoToHit> hits = matchingPages();
        std::ranges::move(matchingCommands(), std::back_inserter(hits));
        showHits(withAddress(std::move(hits)));
        return;
    }
    m_job.start<std::vector<GoToHit>>([model = m_model, wanted = text().toStdString()](
                                          const JobContext& job) { return searchModel(*model, wanted, job); },
                                      [this](Result<std::vector<GoToHit>> found) {
                                          if (found && hasFocus()) {
                                              std::vector<GoToHit> hits = matchingPages();
                                              std::ranges::move(matchingCommands(), std::back_inserter(hits));
                                              std::ranges::move(*found, std::back_inserter(hits));
                                              showHits(withAddress(std::move(hits)));
                                              if (m_chooseFirst) {
                                                  choose(0);
                                              }
                                          }
                                      });
}

void GoToField::showHits(std::vector<GoToHit> hits) {
    m_hits = std::move(hits);
    m_results->clear();
    for (const GoToHit& hit : m_hits) {
        const QString detail =
            hit.kind == GoToHit::Kind::Token     ? tr("Token %1").arg(formatCount(hit.place.index.value_or(0)))
            : hit.kind == GoToHit::Kind::Address ? tr("Contact %1").arg(hostOf(hit.address))
            : hit.kind == GoToHit::Kind::Command ? commandDetail(m_commands[static_cast<std::size_t>(hit.number)])
                                                 : tr(kKinds[static_cast<std::size_t>(hit.kind)].title);
        const QString name = gufo::ui::displayText(hit.name);
        auto* item = new QListWidgetItem(name, m_results);
        item->setData(KindRole, static_cast<int>(hit.kind));
        item->setData(DetailRole, detail);
        item->setData(Qt::AccessibleTextRole, QString(name + QStringLiteral(", ") + detail));
    }
    if (m_hits.empty()) {
        auto* none = new QListWidgetItem(m_model ? tr("No name contains these words")
                                                 : tr("Open a model to go to its keys, tensors and tokens, or type an "
                                                      "address"),
                                         m_results);
        none->setFlags(Qt::NoItemFlags);
    } else {
        m_results->setCurrentRow(0);
    }
    placeResults();
}

void GoToField::placeResults() {
    QWidget* top = window();
    if (m_results->parentWidget() != top) {
        m_results->setParent(top);
    }
    const int shown = std::min(m_results->count(), 14);
    const int height = shown * m_results->sizeHintForRow(0) + 2;
    const QPoint corner = mapTo(top, QPoint(width(), this->height() + 2));
    const int wide = std::min(kResultsWidth, corner.x() - 8);
    m_results->setGeometry(corner.x() - wide, corner.y(), wide, height);
    m_results->show();
    m_results->raise();
}

void GoToField::leave() {
    m_results->hide();
    setText({}); // clear() would add to the undo history, which would grow as long as the window exists
    emit left();
}

void GoToField::choose(int row) {
    if (row < 0 || row >= static_cast<int>(m_hits.size())) {
        return;
    }
    const GoToHit hit = m_hits[static_cast<std::size_t>(row)];
    leave();
    if (hit.kind == GoToHit::Kind::Page) {
        emit pageChosen(hit.number);
    } else if (hit.kind == GoToHit::Kind::Command) {
        const QPointer<QAction> action = m_commands[static_cast<std::size_t>(hit.number)];
        if (action != nullptr && action->isEnabled()) {
            action->trigger();
        }
    } else if (hit.kind == GoToHit::Kind::Address) {
        emit addressChosen(hit.address);
    } else {
        emit placeChosen(hit.place);
    }
}

void GoToField::keyPressEvent(QKeyEvent* event) {
    const int row = m_results->currentRow();
    switch (event->key()) {
    case Qt::Key_Down:
        m_results->setCurrentRow(std::min(row + 1, m_results->count() - 1));
        return;
    case Qt::Key_Up:
        m_results->setCurrentRow(std::max(row - 1, 0));
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_job.isRunning()) {
            m_chooseFirst = true;
        } else {
            choose(row);
        }
        return;
    case Qt::Key_Escape:
        leave();
        return;
    default:
        QLineEdit::keyPressEvent(event);
    }
}

void GoToField::focusInEvent(QFocusEvent* event) {
    QLineEdit::focusInEvent(event);
    search();
}

void GoToField::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    m_results->hide();
}

void GoToField::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    if (text().isEmpty()) {
        QPainter painter(this);
        painter.setFont(themeFont(TextStyle::Axis));
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(rect().adjusted(0, 0, -9, 0), Qt::AlignRight | Qt::AlignVCenter,
                         QKeySequence(QStringLiteral("Ctrl+K")).toString(QKeySequence::NativeText));
    }
}

} // namespace gufo::ui

#include "moc_go_to_field.cpp"
