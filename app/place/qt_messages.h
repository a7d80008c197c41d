// What Qt writes on stderr. Once, before the application is made.
#pragma once

namespace n2nq::place {

// A server without a desktop session has no folder for its sockets, and a program that draws to files needs none: of
// that Qt says nothing more. All else is written as before.
void be_silent_about_missing_session();

}  // namespace n2nq::place
