#include "support/test_unit.h"
#include "tensor/tensor_type.h"
#include "ui/theme/series_paint.h"
#include "ui/theme/system_scheme.h"
#include "ui/theme/theme_scope.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileIconProvider>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>
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
    void iconsFollowTheTheme_data();
    void iconsFollowTheTheme();
    void iconsAreSharp();
    void mapsGrowInLightness_data();
    void mapsGrowInLightness();
    void filesCanBeToldApart_data();
    void filesCanBeToldApart();
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
        {"faint on base", Token::Faint, Token::Base},
        {"faint on alternate rows", Token::Faint, Token::AlternateRow},
        {"faint on window", Token::Faint, Token::Window},
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

void TestTheme::iconsFollowTheTheme_data() {
    QTest::addColumn<QIcon>("icon");
    QTest::addColumn<Token>("token");
    QTest::newRow("of a drawing") << themeIcon(QStringLiteral("list"), Token::Accent) << Token::Accent;
    QLineEdit field;
    field.setClearButtonEnabled(true);
    QTest::newRow("of a line edit's clear button") << field.findChild<QAbstractButton*>()->icon() << Token::Muted;
    QFileDialog dialog;
    dialog.setOption(QFileDialog::DontUseNativeDialog);
    for (const QToolButton* button : dialog.findChildren<QToolButton*>()) {
        if (!button->icon().isNull()) {
            QTest::addRow("of the file dialog's %s", qPrintable(button->objectName())) << button->icon() << Token::Text;
        }
    }
    const QFileIconProvider provider;
    QTest::newRow("of a folder") << provider.icon(QFileIconProvider::Folder) << Token::Accent;
    QTest::newRow("of a file") << provider.icon(QFileIconProvider::File) << Token::Muted;
    QTest::newRow("of a drive") << provider.icon(QFileIconProvider::Drive) << Token::Muted;
    QTest::newRow("of the computer") << provider.icon(QFileIconProvider::Computer) << Token::Muted;
    QTest::newRow("of a warning") << QApplication::style()->standardIcon(QStyle::SP_MessageBoxWarning)
                                  << Token::WarningMark;
}

void TestTheme::iconsFollowTheTheme() {
    QFETCH(QIcon, icon);
    QFETCH(Token, token);
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
    QCOMPARE(strongest(), themeColor(token));
    const QColor light = themeColor(token);
    Theme::instance().setChoice(Theme::Choice::Dark);
    QVERIFY(themeColor(token) != light);
    QCOMPARE(strongest(), themeColor(token));
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

void TestTheme::filesCanBeToldApart_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QList<double>>("sight");
    // How a colour in linear RGB looks to people with a kind of colour blindness: G. Machado, M. Oliveira, L.
    // Fernandes, 2009, doi:10.1109/TVCG.2009.113, severity 1.
    const std::pair<const char*, QList<double>> kinds[] = {
        {"all colours", {1, 0, 0, 0, 1, 0, 0, 0, 1}},
        {"protanopia", {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998}},
        {"deuteranopia", {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881}},
        {"tritanopia", {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}}};
    for (const auto& [name, sight] : kinds) {
        QTest::addRow("%s, light", name) << false << sight;
        QTest::addRow("%s, dark", name) << true << sight;
    }
}

// Eight files had four colours, which repeated.
void TestTheme::filesCanBeToldApart() {
    QFETCH(bool, dark);
    QFETCH(QList<double>, sight);
    const ThemeScope scope(dark);
    // A colour in Oklab (B. Ottosson, 2020), times 100, as these people see it.
    const auto seen = [&](const QColor& color) {
        const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
        const std::array rgb{linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
        std::array<double, 3> in{};
        for (std::size_t i = 0; i < 3; ++i) {
            const auto row = static_cast<qsizetype>(3 * i);
            in[i] = std::clamp(sight[row] * rgb[0] + sight[row + 1] * rgb[1] + sight[row + 2] * rgb[2], 0.0, 1.0);
        }
        const double l = std::cbrt(0.4122214708 * in[0] + 0.5363325363 * in[1] + 0.0514459929 * in[2]);
        const double m = std::cbrt(0.2119034982 * in[0] + 0.6806995451 * in[1] + 0.1073969566 * in[2]);
        const double s = std::cbrt(0.0883024619 * in[0] + 0.2817188376 * in[1] + 0.6299787005 * in[2]);
        return std::array{100 * (0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s),
                          100 * (1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s),
                          100 * (0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)};
    };
    constexpr int kFiles = static_cast<int>(kSeriesStyles);
    constexpr double kApart = 8; // about four times what can just be noticed
    for (int a = -1; a < kFiles; ++a) {
        const QColor color = seriesPen(a).color();
        QVERIFY2(contrast(color, themeColor(Token::Base)) >= 3, qPrintable(QString::number(a)));
        for (int b = a + 1; b < kFiles; ++b) {
            const auto x = seen(color);
            const auto y = seen(seriesPen(b).color());
            const double distance = std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
            QVERIFY2(distance >= kApart, qPrintable(QStringLiteral("%1, %2: %3").arg(a).arg(b).arg(distance)));
            // The second cue: another mark (the reference's is not filled) and other dashes (it is a thin grey line).
            QVERIFY(a < 0 || seriesShape(a) != seriesShape(b));
            QVERIFY(a < 0 || seriesPen(a).dashPattern() != seriesPen(b).dashPattern());
        }
        // Further lines have the colours again, but neither the filling of the mark nor the dashes.
        if (a >= 0) {
            const int again = a + kFiles;
            QCOMPARE(seriesPen(again).color(), color);
            QVERIFY(isSeriesFilled(a) && !isSeriesFilled(again));
            QVERIFY(seriesPen(again).dashPattern() != seriesPen(a).dashPattern());
        }
    }
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
