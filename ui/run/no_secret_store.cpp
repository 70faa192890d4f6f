// Compiled instead of keychain_store.cpp where CMake does not find QtKeychain.
#include "ui/run/secret_store.h"

namespace gufo::ui {

std::shared_ptr<SecretStore> systemSecretStore() { return nullptr; }

} // namespace gufo::ui
