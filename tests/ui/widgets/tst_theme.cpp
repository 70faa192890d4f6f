#include "support/test_unit.h"
#include "tensor/tensor_type.h"
#include "ui/theme/system_scheme.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <cmath>

using namespace gufo;
using namespace gufo::ui;

class TestTheme : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void changesAtOnce();
    void textCanBeRead_data();
    void textCanBeRead();
    void heights();
    void iconsExist_data();
    void iconsExist();
    void iconsFollowTheTheme();
    void iconsAreSharp();
    void mapsGrowInLightness_data();
    void mapsGrowInLightness();
    void bitsPerWeightHasAFixedScale();
    void unquantisedTypesCanBeToldApart_data();
    void unquantisedTypesCanBeToldApart();
    void readsTheSystemsFiles_data();
    void readsTheSystemsFiles();
};

namespace {

// Relative luminance and contrast as defined by WCAG 2.2.
double luminance(const QColor& color) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

} // namespace

void TestTheme::changesAtOnce() {
    Theme& theme = Theme::instance();
    theme.setChoice(Theme::Choice::Light);
    QPushButton button(QStringLiteral("x"));
    const QColor light = button.palette().color(QPalette::Window);
    QSignalSpy changed(&theme, &Theme::changed);
    theme.setChoice(Theme::Choice::Dark);
    QCOMPARE(changed.count(), 1);
    QVERIFY(theme.isDark());
    QCoreApplication::processEvents();
    QVERIFY(luminance(button.palette().color(QPalette::Window)) < luminance(light));
    QCOMPARE(button.palette().color(QPalette::Window), themeColor(Token::Window));
    theme.setChoice(Theme::Choice::System);
    QCOMPARE(theme.isDark(), SystemScheme::instance().isDark());
}

void TestTheme::textCanBeRead_data() {
    QTest::addColumn<Theme::Choice>("choice");
    QTest::addColumn<Token>("text");
    QTest::addColumn<Token>("ground");
    QTest::addColumn<double>("minimum");
    const struct {
        const char* name;
        Token text;
        Token ground;
    } pairs[] = {
        {"text on base", Token::Text, Token::Base},
        {"text on selection", Token::Text, Token::Selection},
        {"text on button", Token::Text, Token::Button},
        {"muted on base", Token::Muted, Token::Base},
        {"muted on window", Token::Muted, Token::Window},
        {"muted on header", Token::Muted, Token::Header},
        {"muted on selection", Token::Muted, Token::Selection},
        {"on accent", Token::OnAccent, Token::Accent},
        {"accent on base", Token::Accent, Token::Base},
        {"good on base", Token::Good, Token::Base},
        {"warning on base", Token::WarningText, Token::Base},
        {"warning on its fill", Token::WarningText, Token::WarningFill},
        {"error on base", Token::ErrorText, Token::Base},
        {"error on its fill", Token::ErrorText, Token::ErrorFill},
        {"user-defined chip", Token::UserDefinedChipText, Token::UserDefinedChip},
    };
    for (const auto& pair : pairs) {
        QTest::addRow("%s, light", pair.name) << Theme::Choice::Light << pair.text << pair.ground << 4.5;
        QTest::addRow("%s, dark", pair.name) << Theme::Choice::Dark << pair.text << pair.ground << 4.5;
    }
}

void TestTheme::textCanBeRead() {
    QFETCH(Theme::Choice, choice);
    QFETCH(Token, text);
    QFETCH(Token, ground);
    QFETCH(double, minimum);
    Theme::instance().setChoice(choice);
    const double found = contrast(themeColor(text), themeColor(ground));
    QVERIFY2(found >= minimum, qPrintable(QString::number(found)));
}

void TestTheme::heights() {
    QPushButton button(QStringLiteral("Open…"));
    QCOMPARE(button.sizeHint().height(), 26);
    QPushButton small(QStringLiteral("Fix"));
    small.setProperty("small", true);
    QCOMPARE(small.sizeHint().height(), 22);
    QCOMPARE(QLineEdit().sizeHint().height(), 26);
    QCOMPARE(QComboBox().sizeHint().height(), 26);
    QCOMPARE(QSpinBox().sizeHint().height(), 26);
    QTableWidget table(3, 2);
    table.ensurePolished();
    QCOMPARE(table.rowHeight(0), 24);
    QCOMPARE(table.horizontalHeader()->sizeHint().height(), 25);
}

void TestTheme::iconsExist_data() {
    QTest::addColumn<QString>("name");
    const QStringList files = QDir(QStringLiteral(":/gufo/icons")).entryList({QStringLiteral("*.svg")});
    QVERIFY(files.size() >= 30);
    for (const QString& file : files) {
        QTest::newRow(qPrintable(file)) << file.chopped(4);
    }
}

void TestTheme::iconsExist() {
    QFETCH(QString, name);
    const QImage image = themeIcon(name).pixmap(QSize(16, 16)).toImage();
    int drawn = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            drawn += image.pixelColor(x, y).alpha() > 128 ? 1 : 0;
        }
    }
    QVERIFY2(drawn >= 6, qPrintable(QString::number(drawn)));
    QVERIFY(themeIcon(QStringLiteral("no such icon")).isNull());
}

void TestTheme::iconsFollowTheTheme() {
    const QIcon icon = themeIcon(QStringLiteral("list"), Token::Accent);
    const auto strongest = [&] {
        const QImage image = icon.pixmap(QSize(64, 64)).toImage();
        QColor found = Qt::transparent;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                if (image.pixelColor(x, y).alpha() > found.alpha()) {
                    found = image.pixelColor(x, y);
                }
            }
        }
        return found;
    };
    Theme::instance().setChoice(Theme::Choice::Light);
    QCOMPARE(strongest(), themeColor(Token::Accent));
    const QColor light = themeColor(Token::Accent);
    Theme::instance().setChoice(Theme::Choice::Dark);
    QVERIFY(themeColor(Token::Accent) != light);
    QCOMPARE(strongest(), themeColor(Token::Accent));
}

void TestTheme::iconsAreSharp() {
    const QPixmap pixmap = themeIcon(QStringLiteral("file")).pixmap(QSize(16, 16), 2.0);
    QCOMPARE(pixmap.size(), QSize(32, 32));
    QCOMPARE(pixmap.devicePixelRatio(), 2.0);
}

void TestTheme::mapsGrowInLightness_data() {
    QTest::addColumn<ColorMap>("map");
    QTest::newRow("viridis") << ColorMap::Viridis;
    QTest::newRow("cividis") << ColorMap::Cividis;
}

void TestTheme::mapsGrowInLightness() {
    QFETCH(ColorMap, map);
    double before = -1;
    for (int i = 0; i <= 255; i += 5) {
        const double current = luminance(colorMapAt(map, i / 255.0));
        QVERIFY2(current > before, qPrintable(QString::number(i)));
        before = current;
    }
    QCOMPARE(colorMapAt(map, -3), colorMapAt(map, 0));
    QCOMPARE(colorMapAt(map, 7), colorMapAt(map, 1));
    QCOMPARE(colorMapAt(map, std::nan("")), colorMapAt(map, 0));
}

void TestTheme::bitsPerWeightHasAFixedScale() {
    QCOMPARE(bitsPerWeightColor(2.0), colorMapAt(ColorMap::Viridis, 0));
    QCOMPARE(bitsPerWeightColor(8.5), colorMapAt(ColorMap::Viridis, 1));
    QCOMPARE(bitsPerWeightColor(1.0), colorMapAt(ColorMap::Viridis, 0));
    QCOMPARE(bitsPerWeightColor(16), themeColor(Token::Unquantised));
    QCOMPARE(bitsPerWeightColor(std::nan("")), themeColor(Token::Unquantised));
    QCOMPARE(tensorTypeColor(12), bitsPerWeightColor(4.5)); // Q4_K
    QCOMPARE(tensorTypeColor(1), themeColor(Token::Unquantised));
    QCOMPARE(tensorTypeColor(999'999), themeColor(Token::Faint));
}

void TestTheme::unquantisedTypesCanBeToldApart_data() {
    QTest::addColumn<Theme::Choice>("choice");
    QTest::newRow("light") << Theme::Choice::Light;
    QTest::newRow("dark") << Theme::Choice::Dark;
}

void TestTheme::unquantisedTypesCanBeToldApart() {
    QFETCH(Theme::Choice, choice);
    Theme::instance().setChoice(choice);
    const auto apart = [](const QColor& a, const QColor& b) {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
    };
    const std::array types{TensorType::F16, TensorType::BF16, TensorType::F32, TensorType::F64};
    for (std::size_t i = 0; i < types.size(); ++i) {
        const QColor color = tensorTypeColor(static_cast<std::uint32_t>(types[i]));
        QVERIFY(apart(color, themeColor(Token::Base)) > 40);
        QVERIFY(apart(color, themeColor(Token::Muted)) > 40); // of the metadata in the bar of bytes
        for (std::size_t j = 0; j < i; ++j) {
            QVERIFY(apart(color, tensorTypeColor(static_cast<std::uint32_t>(types[j]))) > 30);
        }
    }
    QVERIFY(apart(bitsPerWeightColor(16), bitsPerWeightColor(32)) > 60);
    QVERIFY(tensorTypeColor(static_cast<std::uint32_t>(TensorType::I32)) !=
            tensorTypeColor(static_cast<std::uint32_t>(TensorType::F32)));
    Theme::instance().setChoice(Theme::Choice::System);
}

void TestTheme::readsTheSystemsFiles_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("kde");
    QTest::addColumn<int>("dark"); // -1: not stated
    QTest::newRow("GTK prefers dark") << QByteArray("[Settings]\ngtk-application-prefer-dark-theme=1\n") << false << 1;
    QTest::newRow("GTK prefers dark, true")
        << QByteArray("[Settings]\ngtk-application-prefer-dark-theme=true\n") << false << 1;
    QTest::newRow("GTK prefers light") << QByteArray("[Settings]\ngtk-application-prefer-dark-theme=0\n") << false << 0;
    QTest::newRow("GTK dark theme") << QByteArray("[Settings]\ngtk-theme-name=Adwaita-dark\n") << false << 1;
    QTest::newRow("GTK light theme") << QByteArray("[Settings]\ngtk-theme-name=Adwaita\n") << false << 0;
    QTest::newRow("GTK says nothing") << QByteArray("[Settings]\n") << false << -1;
    QTest::newRow("KDE dark") << QByteArray("[Colors:Window]\nBackgroundNormal=42,46,50\n") << true << 1;
    QTest::newRow("KDE light") << QByteArray("[Colors:Window]\nBackgroundNormal=239,240,241\n") << true << 0;
    QTest::newRow("KDE says nothing") << QByteArray("[General]\n") << true << -1;
}

void TestTheme::readsTheSystemsFiles() {
    QFETCH(QByteArray, text);
    QFETCH(bool, kde);
    QFETCH(int, dark);
    const QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("settings.ini"));
    const auto ask = [&] {
        return kde ? SystemScheme::darkFromKdeColors(path) : SystemScheme::darkFromGtkSettings(path);
    };
    QVERIFY(!ask());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    const auto found = ask();
    QCOMPARE(found ? static_cast<int>(*found) : -1, dark);
}

GUFO_TEST_WIDGETS(TestTheme)
#include "tst_theme.moc"
