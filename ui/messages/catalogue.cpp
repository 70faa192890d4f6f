#include "ui/messages/catalogue.h"

#include "ui/messages/figure_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <algorithm>
#include <limits>

// Q_INIT_RESOURCE declares a function of the global namespace.
static void initResources() { Q_INIT_RESOURCE(translations); }

namespace gufo::ui {
namespace {

// Formats %n like all other figures (formatCount): QCoreApplication would omit the separators.
class Catalogue : public QTranslator {
public:
    using QTranslator::QTranslator;

    [[nodiscard]] QString translate(const char* context, const char* source, const char* disambiguation,
                                    int n) const override {
        QString text = QTranslator::translate(context, source, disambiguation, n);
        if (text.isNull() && n >= 0) { // a sentence with a number that has one form only
            text = QTranslator::translate(context, source, disambiguation, -1);
        }
        if (n >= 0 && !text.isNull()) {
            text.replace(QLatin1String("%n"), formatCount(static_cast<std::uint64_t>(n)));
        }
        return text;
    }
};

const QString kFolder = QStringLiteral(":/translations");

// The translators of the user's language. The English one is never removed, because it holds the plural forms.
QList<QTranslator*> s_installed;
QLocale s_figures(QLocale::English, QLocale::UnitedStates);

bool install(QTranslator* translator, const QLocale& locale, const QString& name, const QString& folder) {
    if (translator->load(locale, name, QStringLiteral("_"), folder)) {
        QCoreApplication::installTranslator(translator);
        s_installed << translator;
        return true;
    }
    delete translator;
    return false;
}

// Qt asks the most recently installed translator first.
void installFor(const QLocale& locale) {
    s_figures = QLocale(QLocale::English, QLocale::UnitedStates);
    if (locale.language() != QLocale::English && locale.language() != QLocale::C) {
        QCoreApplication* owner = QCoreApplication::instance();
        (void)install(new QTranslator(owner), locale, QStringLiteral("qtbase"),
                      QLibraryInfo::path(QLibraryInfo::TranslationsPath));
        if (install(new Catalogue(owner), locale, QStringLiteral("gufo"), kFolder)) {
            s_figures = locale;
        }
    }
}

void installCatalogues() {
    initResources();
    (void)install(new Catalogue(QCoreApplication::instance()), QLocale(QLocale::English), QStringLiteral("gufo"),
                  kFolder);
    s_installed.clear();
    installFor(QLocale());
}
Q_COREAPP_STARTUP_FUNCTION(installCatalogues)

} // namespace

QStringList languages() {
    QStringList found;
    for (const QString& file : QDir(kFolder).entryList({QStringLiteral("gufo_*.qm")})) {
        found << file.section(QLatin1Char('.'), 0, 0).section(QLatin1Char('_'), 1);
    }
    std::ranges::sort(found, {}, nativeLanguageName);
    return found;
}

QString nativeLanguageName(const QString& language) {
    const QLocale locale(language);
    // QLocale speaks of "American English", which matters to nobody while there is only one English.
    QString name = locale.language() == QLocale::English ? QStringLiteral("English") : locale.nativeLanguageName();
    if (!name.isEmpty()) {
        name[0] = name[0].toUpper();
    }
    return name;
}

void setLanguage(const QString& language) {
    for (QTranslator* translator : s_installed) {
        QCoreApplication::removeTranslator(translator);
        delete translator;
    }
    s_installed.clear();
    const QLocale locale = language.isEmpty() ? QLocale::system() : QLocale(language);
    QLocale::setDefault(locale);
    installFor(locale);
}

const QLocale& figureLocale() { return s_figures; }

void keepEnglishFigures() { s_figures = QLocale(QLocale::English, QLocale::UnitedStates); }

int numerus(std::uint64_t n) {
    constexpr std::uint64_t kMaximum = std::numeric_limits<int>::max();
    // Languages choose the form by the last digits of the number.
    return static_cast<int>(n <= kMaximum ? n : 1'000'000'000 + n % 1'000'000);
}

} // namespace gufo::ui
