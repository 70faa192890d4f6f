#include "model/hub_values.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;

class TestLicences : public QObject {
    Q_OBJECT

private slots:
    void whatPeopleWrite_data();
    void whatPeopleWrite();
    void identifiersStandForThemselves();
    void identifiersOfSpdx();
};

void TestLicences::whatPeopleWrite_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("identifier"); // empty: none
    QTest::newRow("without punctuation") << QByteArray("apache2") << QByteArray("apache-2.0");
    QTest::newRow("SPDX") << QByteArray("Apache-2.0") << QByteArray("apache-2.0");
    QTest::newRow("the title") << QByteArray("Apache License, Version 2.0") << QByteArray("apache-2.0");
    QTest::newRow("MIT") << QByteArray("MIT License") << QByteArray("mit");
    QTest::newRow("GPL") << QByteArray("GPL-3.0-or-later") << QByteArray("gpl-3.0");
    QTest::newRow("with v") << QByteArray("gpl v3") << QByteArray("gpl-3.0");
    QTest::newRow("another version") << QByteArray("gpl-2.0-only") << QByteArray("gpl-2.0");
    QTest::newRow("Creative Commons") << QByteArray("CC BY-NC 4.0") << QByteArray("cc-by-nc-4.0");
    QTest::newRow("Llama") << QByteArray("llama3.1") << QByteArray("llama3.1");
    QTest::newRow("OpenRAIL++") << QByteArray("OpenRAIL++") << QByteArray("openrail++");
    QTest::newRow("OpenRAIL") << QByteArray("openrail") << QByteArray("openrail");
    QTest::newRow("nothing") << QByteArray() << QByteArray();
    QTest::newRow("words alone") << QByteArray("the license") << QByteArray();
    QTest::newRow("a licence of its own") << QByteArray("tongyi-qianwen") << QByteArray();
    QTest::newRow("two licences") << QByteArray("apache-2.0 AND mit") << QByteArray();
}

void TestLicences::whatPeopleWrite() {
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, identifier);
    QCOMPARE(hubLicence(text.toStdString()).value_or(std::string_view()), std::string_view(identifier.toStdString()));
}

void TestLicences::identifiersStandForThemselves() {
    for (const std::string_view each : hubLicences()) {
        QCOMPARE(hubLicence(each), std::optional(each));
        QVERIFY(isLicenceIdentifier(each));
    }
}

// "Or later" is part of what a licence says, so that it must not be lost.
void TestLicences::identifiersOfSpdx() {
    for (const char* identifier : {"Apache-2.0", "GPL-3.0-or-later", "LGPL-2.1-only", "mit"}) {
        QVERIFY2(isLicenceIdentifier(identifier), identifier);
    }
    for (const char* other : {"apache2", "GPL v3", "the MIT License", "", "-only"}) {
        QVERIFY2(!isLicenceIdentifier(other), other);
    }
}

GUFO_TEST(TestLicences)
#include "tst_licences.moc"
