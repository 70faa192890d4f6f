#include "ui/pages/tensors/block_line.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"

#include <QTextDocumentFragment>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kReserve = 4; // in characters of a byte: for ellipses and the link

QString fact(const QString& name, const QString& figure) {
    return QStringLiteral("<span style='color:%1'>%2</span>&nbsp;%3")
        .arg(themeColor(Token::Muted).name(), name.toHtmlEscaped(), figure.toHtmlEscaped());
}

QString hexByte(std::byte byte) {
    return QStringLiteral("%1").arg(std::to_integer<unsigned>(byte), 2, 16, QLatin1Char('0')).toUpper();
}

} // namespace

BlockLine::BlockLine(QWidget* parent)
    : QWidget(parent)
    , m_facts(new QLabel)
    , m_bytes(new QLabel) {
    for (QLabel* label : {m_facts, m_bytes}) {
        label->setTextFormat(Qt::RichText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextBrowserInteraction);
        label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    }
    m_facts->setAccessibleName(tr("The weight and its block"));
    m_bytes->setAccessibleName(tr("Bytes of the block"));
    m_facts->setFont(themeFont(TextStyle::Table));
    m_bytes->setFont(themeFont(TextStyle::Mono));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_facts);
    layout->addWidget(m_bytes);
    connect(m_bytes, &QLabel::linkActivated, this, [this] {
        m_all = !m_all;
        render();
    });
    connect(&Theme::instance(), &Theme::changed, this, &BlockLine::render);
}

void BlockLine::setExplanation(std::uint32_t typeId, const WeightExplanation& explanation) {
    m_typeId = typeId;
    m_explanation = explanation;
    m_message.clear();
    render();
}

void BlockLine::setMessage(const QString& message) {
    m_explanation.reset();
    m_message = message;
    render();
}

void BlockLine::clear() { setMessage({}); }

void BlockLine::render() {
    m_facts->setText(m_explanation ? factsHtml() : m_message.toHtmlEscaped());
    m_facts->setToolTip(m_explanation
                            ? tr("The block starts at byte %1 of the file.").arg(formatCount(m_explanation->offset))
                            : QString());
    m_bytes->setText(m_explanation ? bytesHtml(bytesInSight()) : QString());
    // A scroll area asks for the least size without a width, which for a label with wrapped lines is one line. A label
    // that is allowed to be higher takes room from the bytes below it.
    for (QLabel* label : {m_facts, m_bytes}) {
        label->setFixedHeight(label->text().isEmpty() ? 0 : label->heightForWidth(width()));
    }
}

QString BlockLine::factsHtml() const {
    const WeightFields& fields = m_explanation->fields;
    const TensorTypeFact* type = findTensorType(m_typeId);
    const bool quantised = type != nullptr && type->kind == TensorTypeKind::Quantised;
    QStringList facts;
    facts << fact(quantised ? tr("Block") : tr("Weight"), formatCount(m_explanation->block));
    for (const WeightExplanation::Constant& constant : m_explanation->constants) {
        facts << fact(displayText(constant.name), formatReal(constant.value, 4));
    }
    if (quantised) {
        facts << fact(tr("scale"), formatReal(fields.scale, 4));
        if (fields.minimum != 0) {
            facts << fact(tr("min"), formatReal(fields.minimum, 4));
        }
        const QString level = QString::number(fields.level).replace(QLatin1Char('-'), QChar(0x2212));
        const int code = firstStored(m_typeId) + fields.code;
        facts << fact(tr("q"), code == fields.level ? level : tr("%1 (code %2)").arg(level).arg(code));
    }
    facts << fact(tr("value"), formatReal(fields.value, 6));
    return facts.join(QStringLiteral(" &nbsp;&nbsp; "));
}

void BlockLine::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    render();
}

std::vector<bool> BlockLine::bytesInSight() const {
    const std::vector<bool>& decisive = m_explanation->decisive;
    std::vector<bool> inSight = decisive;
    const int byteWidth = QFontMetrics(themeFont(TextStyle::Mono)).horizontalAdvance(QStringLiteral("00 "));
    const int room = width() / std::max(byteWidth, 1) - kReserve;
    auto used = static_cast<int>(std::ranges::count(decisive, true));
    for (std::size_t i = 0; i < inSight.size() && (m_all || used < room); ++i) {
        used += inSight[i] ? 0 : 1;
        inSight[i] = true;
    }
    return inSight;
}

QString BlockLine::bytesHtml(const std::vector<bool>& inSight) const {
    const QString marked = QStringLiteral("<span style='background-color:%1;color:%2'>%3</span>");
    const QString plain = QStringLiteral("<span style='color:%1'>%2</span>");
    QStringList runs;
    const auto& bytes = m_explanation->bytes;
    const auto& decisive = m_explanation->decisive;
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t first = i;
        QStringList run;
        for (; i < bytes.size() && decisive[i] == decisive[first] && inSight[i] == inSight[first]; ++i) {
            run << hexByte(bytes[i]);
        }
        if (!inSight[first]) {
            runs << plain.arg(themeColor(Token::Muted).name(), QStringLiteral("…"));
        } else if (decisive[first]) {
            runs << marked.arg(themeColor(Token::Selection).name(), themeColor(Token::Text).name(),
                               run.join(QLatin1Char(' ')));
        } else {
            runs << plain.arg(themeColor(Token::Muted).name(), run.join(QLatin1Char(' ')));
        }
    }
    const bool whole = std::ranges::count(inSight, false) == 0;
    if (!whole || m_all) {
        runs << QStringLiteral("<a href='all' style='color:%1;text-decoration:none'>%2</a>")
                    .arg(themeColor(Token::Accent).name(), m_all ? tr("less") : tr("all"));
    }
    return runs.join(QLatin1Char(' '));
}

QString BlockLine::text() const {
    if (!m_explanation) {
        return m_message;
    }
    QStringList bytes;
    for (const std::byte byte : m_explanation->bytes) {
        bytes << hexByte(byte);
    }
    const QString facts = QTextDocumentFragment::fromHtml(factsHtml()).toPlainText();
    return QString(facts).replace(QChar(0xA0), QLatin1Char(' ')) + QLatin1Char('\n') + bytes.join(QLatin1Char(' '));
}

} // namespace gufo::ui

#include "moc_block_line.cpp"
