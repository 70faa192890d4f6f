#include "ui/guide/guide_window.h"

#include "ui/guide/guide_chapters.h"
#include "ui/theme/theme.h"
#include "ui/widgets/filter_field.h"

#include <QImage>
#include <QKeyEvent>
#include <QListWidget>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kId = Qt::UserRole;

QStringList wordsOf(const QString& text) { return text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts); }

bool containsAll(const QString& text, const QStringList& words) {
    return std::ranges::all_of(words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

// Gives lines more room than the conversion from Markdown does, and code the colours of the theme.
void layOut(QTextDocument* document) {
    constexpr int kLineHeight = 140; // per cent
    for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        QTextBlockFormat format = block.blockFormat();
        const bool isCode = format.hasProperty(QTextFormat::BlockCodeLanguage) ||
                            format.hasProperty(QTextFormat::BlockCodeFence) || format.nonBreakableLines();
        if (isCode) {
            format.setBackground(themeColor(Token::AlternateRow));
        } else {
            format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
        }
        cursor.setBlockFormat(format);
    }
}

// Shows the pictures of the guide in the colours of the theme, no wider than the text.
class GuideText : public QTextBrowser {
public:
    using QTextBrowser::QTextBrowser;

    QVariant loadResource(int type, const QUrl& name) override {
        if (type != QTextDocument::ImageResource) {
            return QTextBrowser::loadResource(type, name);
        }
        constexpr int kWidth = 560; // beside the chapters, in the window's first size
        QImage picture = guidePicture(name.toString(), Theme::instance().isDark());
        picture = picture.scaledToWidth(std::min(picture.width(), qRound(kWidth * devicePixelRatio())),
                                        Qt::SmoothTransformation);
        picture.setDevicePixelRatio(devicePixelRatio());
        return picture;
    }
};

} // namespace

GuideWindow::GuideWindow(QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_search(new FilterField(tr("Search the guide"), this))
    , m_chapters(new QListWidget(this))
    , m_text(new GuideText(this)) {
    setWindowTitle(tr("Guide"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_search->setAccessibleName(tr("Search the guide"));
    m_chapters->setAccessibleName(tr("Chapters"));
    m_chapters->setFrameShape(QFrame::NoFrame);
    m_chapters->setWordWrap(true);
    m_text->setAccessibleName(tr("Chapter"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_text->document()->setDocumentMargin(24);

    auto* left = new QWidget(this);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(8);
    column->addWidget(m_search);
    column->addWidget(m_chapters);
    auto* splitter = new QSplitter(this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(left);
    splitter->addWidget(m_text);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({260, 640});
    auto* row = new QVBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(splitter);

    for (const GuideChapter& chapter : guideChapters()) {
        auto* item = new QListWidgetItem(guideTitle(chapter), m_chapters);
        item->setData(kId, QLatin1String(chapter.id));
    }
    connect(m_chapters, &QListWidget::currentRowChanged, this, &GuideWindow::showCurrent);
    connect(m_search, &FilterField::filterChanged, this, &GuideWindow::filter);
    connect(m_search, &FilterField::leftDownwards, m_chapters, qOverload<>(&QWidget::setFocus));
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (const GuideChapter* chapter = findGuideChapter(link.toString())) {
            showChapter(*chapter);
        }
    });
    connect(&Theme::instance(), &Theme::changed, this, &GuideWindow::showCurrent);
    resize(920, 640);
}

void GuideWindow::showChapter(const GuideChapter& chapter) {
    m_search->clear();
    filter();
    for (int row = 0; row < m_chapters->count(); ++row) {
        if (m_chapters->item(row)->data(kId).toString() == QLatin1String(chapter.id)) {
            m_chapters->setCurrentRow(row);
        }
    }
    m_text->setFocus();
    show();
    raise();
    activateWindow();
}

void GuideWindow::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Find)) {
        m_search->setFocus(Qt::ShortcutFocusReason);
    } else if (event->matches(QKeySequence::Close) || event->key() == Qt::Key_Escape) {
        close();
    } else {
        QWidget::keyPressEvent(event);
    }
}

// Hides the chapters that do not contain the words that are searched for, and shows the first of the others.
void GuideWindow::filter() {
    const QStringList words = wordsOf(m_search->text());
    int first = -1;
    for (int row = 0; row < m_chapters->count(); ++row) {
        QListWidgetItem* item = m_chapters->item(row);
        const GuideChapter* chapter = findGuideChapter(item->data(kId).toString());
        item->setHidden(!containsAll(guideText(*chapter), words));
        first = first < 0 && !item->isHidden() ? row : first;
    }
    const QListWidgetItem* current = m_chapters->currentItem();
    if (first >= 0 && (current == nullptr || current->isHidden())) {
        m_chapters->setCurrentRow(first);
    }
    markFound();
}

void GuideWindow::showCurrent() {
    const QListWidgetItem* item = m_chapters->currentItem();
    if (item == nullptr) {
        return;
    }
    m_text->document()->setDefaultFont(themeFont(TextStyle::Body));
    m_text->document()->clear(); // the pictures of the other theme are forgotten with the text
    m_text->setMarkdown(guideText(*findGuideChapter(item->data(kId).toString())));
    layOut(m_text->document());
    m_text->moveCursor(QTextCursor::Start);
    markFound();
}

void GuideWindow::markFound() {
    QList<QTextEdit::ExtraSelection> marks;
    for (const QString& word : wordsOf(m_search->text())) {
        QTextCursor found(m_text->document());
        while (!(found = m_text->document()->find(word, found)).isNull()) {
            QTextEdit::ExtraSelection mark;
            mark.cursor = found;
            mark.format.setBackground(themeColor(Token::Selection));
            marks << mark;
        }
    }
    m_text->setExtraSelections(marks);
    if (!marks.isEmpty()) {
        m_text->setTextCursor(QTextCursor(marks.front().cursor.block()));
        m_text->ensureCursorVisible();
    }
}

} // namespace gufo::ui

#include "moc_guide_window.cpp"
