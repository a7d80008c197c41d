// libssh's things with one owner. The session's thread.
#pragma once

#include <libssh/callbacks.h>
#include <libssh/libssh.h>

#include <memory>
#include <string>

namespace n2nq::ssh {

template <auto free_it>
struct Freed {
  template <class T>
  void operator()(T* it) const {
    free_it(it);
  }
};

using SessionHandle = std::unique_ptr<ssh_session_struct, Freed<ssh_free>>;
using KeyHandle = std::unique_ptr<ssh_key_struct, Freed<ssh_key_free>>;
using EventHandle = std::unique_ptr<ssh_event_struct, Freed<ssh_event_free>>;
using ChannelHandle = std::unique_ptr<ssh_channel_struct, Freed<ssh_channel_free>>;

inline std::string error_of(ssh_session session) {
  const std::string text = ssh_get_error(session);
  return text.empty() ? "the connection ended" : text;
}

}  // namespace n2nq::ssh
