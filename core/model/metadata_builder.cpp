#include "model/metadata_builder.h"

namespace gufo {

MetadataBuilder::MetadataBuilder(Model& model)
    : m_model(model)
    , m_texts(std::make_shared<std::deque<std::string>>()) {
    m_model.owned.push_back(m_texts);
}

std::string_view MetadataBuilder::keep(std::string text) { return m_texts->emplace_back(std::move(text)); }

bool MetadataBuilder::add(std::string key, const OwnedValue& value) {
    if (value.bytes() != nullptr) {
        m_model.owned.push_back(value.bytes());
    }
    return addView(std::move(key), value.value());
}

bool MetadataBuilder::addText(std::string key, std::string text) {
    return addView(std::move(key), keep(std::move(text)));
}

bool MetadataBuilder::addView(std::string key, const Value& value) {
    return m_model.metadata.add({.key = keep(std::move(key)), .value = value});
}

} // namespace gufo
