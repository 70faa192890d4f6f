#pragma once
#include "ui/messages/figure_text.h"
