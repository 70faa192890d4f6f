#include "messages/finding_text.h"
