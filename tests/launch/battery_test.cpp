#include "tests/launch/link_rig.h"
