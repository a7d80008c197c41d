// Whether the host is who it was: its key against known_hosts. The session's thread.
#pragma once

#include <expected>

#include "app/hosts/host.h"
#include "app/remote/link_events.h"
#include "app/ssh/asker.h"
#include "app/ssh/handle.h"

namespace n2nq::ssh {

// What was found; or why it goes no further. Asks where the host is not known, and then writes it down.
std::expected<remote::StepReport, remote::LinkFailure> check_host_key(ssh_session session, const hosts::Host& host,
                                                                      Asker& asker);

}  // namespace n2nq::ssh
