#include "ui/messages/catalogue.h"

#include "ui/messages/figure_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTranslator>

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
        if (n >= 0 && !text.isNull()) {
            text.replace(QLatin1String("%n"), formatCount(static_cast<std::uint64_t>(n)));
        }
        return text;
    }
};

void install(const QLocale& locale) {
    auto* catalogue = new Catalogue(QCoreApplication::instance());
    if (catalogue->load(locale, QStringLiteral("gufo"), QStringLiteral("_"), QStringLiteral(":/translations"))) {
        QCoreApplication::installTranslator(catalogue);
    } else {
        delete catalogue;
    }
}

// Qt asks the most recently installed translator first.
void installCatalogues() {
    initResources();
    install(QLocale(QLocale::English));
    if (const QLocale user; user.language() != QLocale::English && user.language() != QLocale::C) {
        install(user);
    }
}
Q_COREAPP_STARTUP_FUNCTION(installCatalogues)

} // namespace

int numerus(std::uint64_t n) {
    constexpr std::uint64_t kMaximum = std::numeric_limits<int>::max();
    // Languages choose the form by the last digits of the number.
    return static_cast<int>(n <= kMaximum ? n : 1'000'000'000 + n % 1'000'000);
}

} // namespace gufo::ui
