#include "messages/format.h"
