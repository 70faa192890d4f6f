// A key of the file that a conversion will write, and where its value comes from.
#pragma once

#include "model/owned_value.h"

#include <string>

namespace gufo::convert {

struct PlannedKey {
    std::string key;  // "tokenizer.ggml.bos_token_id"
    OwnedValue value; // with the type that is written
    // The file, or the file and the member, that the value was taken or computed from: "tokenizer.json",
    // "config.json:hidden_size", "config.json:text_config.rope_theta". Empty if it is a constant of the format.
    std::string from;
};

} // namespace gufo::convert
