// The log view as assistive technology sees it: a text to be read, that of the lines that are shown.
#pragma once

namespace n2nq::ui {

// Once is enough; more does no harm.
void make_log_views_accessible();

}  // namespace n2nq::ui
