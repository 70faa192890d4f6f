// The values that the Hugging Face Hub reads from a model card (licences, languages, links), and what people write
// instead of them.
//
// Source: the Hub's documentation of model cards. Most identifiers of licences are SPDX's in lower case.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gufo {

// The identifiers of the licences that the Hub knows, sorted.
[[nodiscard]] std::span<const std::string_view> hubLicences();
// The identifier that a text means: "Apache License 2.0", "apache2" and "Apache-2.0" are "apache-2.0". Nothing if it is
// none that the Hub knows.
[[nodiscard]] std::optional<std::string_view> hubLicence(std::string_view text);

// Whether a text is an identifier of a licence already: of the Hub or of SPDX, which differs in case and may say
// "-only" or
// "-or-later".
[[nodiscard]] bool isLicenceIdentifier(std::string_view text);

// Whether the text is a language as hubs list it: an ISO 639 code ("en", "yue"), with a script or region if need be
// ("pt-BR"), or "code" or "multilingual".
[[nodiscard]] bool isLanguage(std::string_view text);
// The code that a name of a language means: "English" is "en". Nothing for other texts.
[[nodiscard]] std::optional<std::string_view> languageCode(std::string_view text);

// Whether a text is the address of a page: http or https, a host, and no spaces.
[[nodiscard]] bool isLink(std::string_view text);
// The address that a text without a scheme likely means: "huggingface.co/owl/night" lacks only "https://", and
// "owl/night" is the name of a repository. Nothing for other texts.
[[nodiscard]] std::optional<std::string> completedLink(std::string_view text);

} // namespace gufo
