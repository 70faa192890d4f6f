// Adds keys to a model whose names and values are not in its file as they are: what a reader translates from JSON, a
// pickle or another encoding. The model owns their memory.
#pragma once

#include "model/model.h"
#include "model/owned_value.h"

#include <deque>
#include <string>

namespace gufo {

class MetadataBuilder {
public:
    // The model must outlive the builder.
    explicit MetadataBuilder(Model& model);

    // Returns a view of the text that lives as long as the model.
    std::string_view keep(std::string text);
    // Each returns false if the key exists already; it is then kept beside the first.
    bool add(std::string key, const OwnedValue& value);
    bool addText(std::string key, std::string text);
    // `value` must live as long as the model.
    bool addView(std::string key, const Value& value);

private:
    Model& m_model;
    std::shared_ptr<std::deque<std::string>> m_texts; // a deque, so that the views of earlier texts remain valid
};

} // namespace gufo
