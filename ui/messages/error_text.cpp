#include "messages/error_text.h"
