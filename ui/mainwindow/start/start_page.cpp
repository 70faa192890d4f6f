#include "ui/mainwindow/start/start_page.h"

#include "ui/mainwindow/start/recent_files.h"
#include "ui/mainwindow/start/recent_table.h"
#include "ui/messages/catalogue.h"
#include "ui/shell/native_path.h"
#include "ui/theme/style_shapes.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QSvgRenderer>
#include <QVBoxLayout>

#include <array>

namespace gufo::ui {
namespace {

constexpr int kLeftWidth = 452;
constexpr int kNarrowLeftWidth = 360;
constexpr int kNarrowBelow = 1200;
constexpr int kOwlSize = 84;

QLabel* makeLabel(const QString& text, TextStyle style, Token token, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setFont(themeFont(style));
    const auto recolour = [label, token] {
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, themeColor(token));
        label->setPalette(palette);
    };
    recolour();
    QObject::connect(&Theme::instance(), &Theme::changed, label, recolour);
    return label;
}

class Owl final : public QWidget {
public:
    explicit Owl(QWidget* parent)
        : QWidget(parent)
        , m_drawing(QStringLiteral(":/gufo/gufo.svg")) {
        setFixedSize(kOwlSize, kOwlSize);
    }

protected:
    void paintEvent(QPaintEvent* event) override {
        Q_UNUSED(event);
        QPainter painter(this);
        m_drawing.render(&painter, QRectF(rect()));
    }

private:
    QSvgRenderer m_drawing;
};

// The dashed area. The whole window accepts drops; this area makes that visible.
class DropArea final : public QWidget {
public:
    using QWidget::QWidget;

    void setHovered(bool hovered) {
        m_hovered = hovered;
        update();
    }

protected:
    void paintEvent(QPaintEvent* event) override {
        Q_UNUSED(event);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QPen pen(themeColor(m_hovered ? Token::Accent : Token::StrongLine), m_hovered ? 1.6 : 1.0);
        pen.setDashPattern({3.0, 2.5});
        painter.setPen(pen);
        painter.setBrush(themeColor(m_hovered ? Token::ChangedRow : Token::Base));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.8, 0.8, -0.8, -0.8), 8, 8);
    }

private:
    bool m_hovered = false;
};

struct HintRow {
    const char* what;
    const char* keys;
};
constexpr std::array<HintRow, 4> kHints{{
    {QT_TRANSLATE_NOOP("gufo::ui::StartPage", "Open"), "Ctrl+O"},
    {QT_TRANSLATE_NOOP("gufo::ui::StartPage", "Open address, or a repository"), "Ctrl+L"},
    {QT_TRANSLATE_NOOP("gufo::ui::StartPage", "Reopen closed tab"), "Ctrl+Shift+T"},
    {QT_TRANSLATE_NOOP("gufo::ui::StartPage", "Go to anything"), "Ctrl+K"},
}};

} // namespace

StartPage::StartPage(RecentFiles* recent, QWidget* parent)
    : QWidget(parent)
    , m_recent(recent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_left = makeLeft();
    row->addWidget(m_left);
    row->addWidget(makeRight(recent), 1);
}

QWidget* StartPage::makeLeft() {
    auto* left = new QWidget(this);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(56, 72, 45, 24);
    column->setSpacing(0);

    auto* head = new QHBoxLayout;
    head->setSpacing(24);
    head->addWidget(new Owl(left));
    auto* names = new QVBoxLayout;
    names->setSpacing(0);
    names->addStretch(1);
    names->addWidget(makeLabel(QStringLiteral("Gufo"), TextStyle::StartTitle, Token::Text, left));
    QLabel* slogan = makeLabel(tr("See what is inside a model, and change it"), TextStyle::Body, Token::Muted, left);
    slogan->setWordWrap(true);
    names->addWidget(slogan);
    names->addStretch(1);
    head->addLayout(names, 1);
    column->addLayout(head);
    column->addSpacing(34);

    m_drop = new DropArea(left);
    m_drop->setMinimumHeight(220);
    m_drop->setMaximumHeight(304);
    m_drop->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    auto* drop = new QVBoxLayout(m_drop);
    drop->setSpacing(4);
    auto* icon = new QLabel(m_drop);
    const auto redraw = [icon] {
        icon->setPixmap(themeIcon(QStringLiteral("import"), Token::Accent).pixmap({28, 28}, icon->devicePixelRatio()));
    };
    redraw();
    connect(&Theme::instance(), &Theme::changed, icon, redraw);
    QFont dropFont = themeFont(TextStyle::FactValue);
    dropFont.setPixelSize(dropFont.pixelSize() - 1);
    auto* dropTitle = makeLabel(tr("Drop model files here"), TextStyle::FactValue, Token::Text, m_drop);
    dropTitle->setFont(dropFont);
    auto* openButton = new QPushButton(tr("Open…"), m_drop);
    openButton->setProperty("primary", true);
    openButton->setIcon(themeIcon(QStringLiteral("folder"), Token::OnAccent));
    connect(openButton, &QPushButton::clicked, this, &StartPage::openDialogRequested);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch(1);
    buttons->addWidget(openButton);
    if (const std::filesystem::path sample = sampleModelPath(); !sample.empty()) {
        m_sample = new QPushButton(tr("Sample model"), m_drop);
        m_sample->setToolTip(tr("Open the small chat model that comes with Gufo"));
        connect(m_sample, &QPushButton::clicked, this, [this, sample] { emit openRequested(sample); });
        buttons->addWidget(m_sample);
    }
    buttons->addStretch(1);
    drop->addStretch(1);
    drop->addWidget(icon, 0, Qt::AlignHCenter);
    drop->addSpacing(8);
    drop->addWidget(dropTitle, 0, Qt::AlignHCenter);
    drop->addWidget(
        makeLabel(tr("or a folder with models in it, or a link to one"), TextStyle::Table, Token::Muted, m_drop), 0,
        Qt::AlignHCenter);
    drop->addSpacing(10);
    drop->addLayout(buttons);
    drop->addSpacing(14);
    drop->addWidget(
        makeLabel(tr("Any GGUF version; shard sets open as one model"), TextStyle::Axis, Token::Muted, m_drop), 0,
        Qt::AlignHCenter);
    drop->addStretch(1);
    column->addWidget(m_drop, 10);
    column->addSpacing(30);

    for (const HintRow& hint : kHints) {
        auto* line = new QHBoxLayout;
        line->addWidget(makeLabel(tr(hint.what), TextStyle::Table, Token::Muted, left));
        line->addStretch(1);
        const QString keys = QKeySequence(QString::fromLatin1(hint.keys)).toString(QKeySequence::NativeText);
        line->addWidget(makeLabel(keys, TextStyle::Table, Token::Text, left));
        column->addLayout(line);
        column->addSpacing(9);
    }
    column->addStretch(1);
    return left;
}

QWidget* StartPage::makeRight(RecentFiles* recent) {
    auto* right = new QWidget(this);
    right->setAutoFillBackground(true);
    right->setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(44, 66, 56, 24);
    column->setSpacing(12);

    auto* title = makeLabel(tr("Recent"), TextStyle::FactValue, Token::Text, right);
    QFont bold = title->font();
    bold.setBold(true);
    bold.setPixelSize(bold.pixelSize() - 1);
    title->setFont(bold);
    m_filter = new QLineEdit(right);
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setAccessibleName(tr("Filter recent files"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(themeIcon(QStringLiteral("search"), Token::Muted), QLineEdit::LeadingPosition);
    m_filter->setFixedWidth(200);
    m_restore = new QPushButton(right);
    m_restore->setObjectName(QStringLiteral("restoreButton"));
    m_restore->setIcon(themeIcon(QStringLiteral("clock")));
    m_restore->hide();
    connect(m_restore, &QPushButton::clicked, this, &StartPage::restoreSessionRequested);
    auto* head = new QHBoxLayout;
    head->addWidget(title);
    head->addStretch(1);
    head->addWidget(m_filter);
    head->addWidget(m_restore);
    column->addLayout(head);

    m_table = new RecentTable(recent, right);
    auto* empty = new QWidget(right);
    auto* emptyColumn = new QVBoxLayout(empty);
    emptyColumn->setContentsMargins(0, 4, 0, 0);
    emptyColumn->addWidget(makeLabel(tr("Models that you open appear here."), TextStyle::Body, Token::Muted, empty));
    emptyColumn->addStretch(1);
    m_list = new QStackedWidget(right);
    m_list->addWidget(m_table);
    m_list->addWidget(empty);
    column->addWidget(m_list, 1);
    connect(m_table, &RecentTable::openRequested, this, &StartPage::openRequested);
    connect(m_filter, &QLineEdit::textChanged, m_table, &RecentTable::setFilter);
    const auto showList = [this, recent] {
        m_list->setCurrentIndex(recent->files().empty() ? 1 : 0);
        m_filter->setVisible(!recent->files().empty());
    };
    showList();
    connect(recent, &RecentFiles::changed, this, showList);
    return right;
}

QWidget* StartPage::filterField() const { return m_recent->files().empty() ? nullptr : m_filter; }

void StartPage::setSessionTabs(int tabs) {
    m_restore->setText(tr("Restore session (%n tabs)", nullptr, numerus(tabs)));
    m_restore->setVisible(tabs > 0);
}

void StartPage::setDropHovered(bool hovered) { static_cast<DropArea*>(m_drop)->setHovered(hovered); }

void StartPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_table->checkFiles();
}

void StartPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool narrow = width() < kNarrowBelow;
    m_left->setFixedWidth(narrow ? kNarrowLeftWidth : kLeftWidth);
    m_left->layout()->setContentsMargins(narrow ? 24 : 56, narrow ? 40 : 72, narrow ? 23 : 45, 24);
    m_table->setNarrow(narrow);
}

void StartPage::paintEvent(QPaintEvent* event) {
    Q_UNUSED(event);
    QPainter painter(this);
    painter.fillRect(m_left->width() - 1, 0, 1, height(), themeColor(Token::Line));
}

std::filesystem::path sampleModelPath() {
    const QDir programs(QCoreApplication::applicationDirPath());
    const QFileInfo file(
        programs.filePath(QStringLiteral("../" GUFO_DATA_DIR "/gufo/sample/gufo-sample-1.4M-chat-v1.0-F16.gguf")));
    return file.isFile() ? fromQtPath(file.canonicalFilePath()) : std::filesystem::path();
}

} // namespace gufo::ui

#include "moc_start_page.cpp"
