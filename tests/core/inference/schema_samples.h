// JSON schemas with documents that conform and documents that do not, and schemas that cannot be translated.
#pragma once

#include <QList>
#include <QStringList>

namespace gufo::test {

struct SchemaSample {
    const char* name;
    QString schema;
    QStringList valid;
    QStringList invalid;
};
[[nodiscard]] QList<SchemaSample> schemaSamples();

struct RefusedSchema {
    const char* name;
    const char* schema;
    const char* place;
    const char* why; // part of the error
};
[[nodiscard]] QList<RefusedSchema> refusedSchemas();

// Schemas that would take very long without limits.
struct HostileSchema {
    const char* name;
    QString schema;
};
[[nodiscard]] QList<HostileSchema> hostileSchemas();

} // namespace gufo::test
