// The licences that the Hugging Face Hub knows by an identifier, and what people write instead of it.
//
// Source: the Hub's documentation of model cards, "Licenses". Most identifiers are those of SPDX in lower case.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace gufo {

[[nodiscard]] std::span<const std::string_view> hubLicences(); // sorted
// The identifier that a text means: "Apache License 2.0", "apache2" and "Apache-2.0" are "apache-2.0". Nothing if it is
// none that the Hub knows.
[[nodiscard]] std::optional<std::string_view> hubLicence(std::string_view text);

} // namespace gufo
