// Base of tests that use the page Inside by mouse and keys.
#pragma once

#include "document/open_model.h"
#include "support/page_parts.h"
#include "support/ui_test_settings.h"
#include "test_paths.h"
#include "ui/pages/inside/inside_page.h"
#include "ui/pages/inside/inside_partner.h"
#include "ui/theme/theme.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

using namespace gufo;
using namespace gufo::ui;
using gufo::test::part;

inline const QString kSample = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q4_K.gguf");
inline const QString kSampleF16 = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf");

inline QString fixture(const char* name) {
    return QStringLiteral(GUFO_TEST_DATA "/architectures/%1.gguf").arg(QLatin1String(name));
}

inline QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// The largest magnitude; cells where nothing is do not count.
inline float largestOf(const std::vector<float>& values) {
    float largest = 0;
    for (const float value : values) {
        largest = std::isnan(value) ? largest : std::max(largest, std::abs(value));
    }
    return largest;
}

inline float sumOf(const std::vector<float>& values) { return std::accumulate(values.begin(), values.end(), 0.0F); }

class InsidePageTest : public QObject {
protected:
    // Call before and after each test.
    void prepare() {
        m_settings.clear();
        Theme::instance().apply();
    }
    void finish() {
        m_page.reset();
        m_document.reset();
        Job::waitForAll();
    }

    InsidePage& open(const QString& path) {
        m_document = std::make_unique<ModelDocument>(openModel(path.toStdString()).value());
        return show();
    }
    InsidePage& show() {
        m_page = std::make_unique<InsidePage>();
        m_page->setDocument(m_document.get());
        m_page->setModel(m_document->current());
        m_page->resize(1100, 760);
        m_page->show();
        (void)QTest::qWaitForWindowExposed(m_page.get());
        m_page->activate();
        return *m_page;
    }
    void read(const QString& text) {
        m_page->field()->setPlainText(text);
        QTest::mouseClick(m_page->readButton(), Qt::LeftButton);
    }
    void compareWith(const QString& path) {
        QSignalSpy changed(m_page->partner(), &InsidePartner::changed);
        m_page->partner()->compareWith(path.toStdString());
        QVERIFY2(changed.wait(), qPrintable(m_page->message()));
    }
    // Of the stream at the last token.
    static float sizeOf(const inference::Inside& inside, std::size_t block) {
        return inside.sizes->stream[(block + 1) * inside.tokens - 1];
    }
    static std::vector<TokenId> tokens(std::size_t count) {
        std::vector<TokenId> ids;
        for (std::size_t i = 0; i < count; ++i) {
            ids.emplace_back(1 + i * 7 % 50);
        }
        return ids;
    }

    UiTestSettings m_settings;
    std::unique_ptr<ModelDocument> m_document;
    std::unique_ptr<InsidePage> m_page;
};
