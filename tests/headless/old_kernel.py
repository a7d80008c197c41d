#!/usr/bin/env python3
"""old_kernel.py PROGRAM ARGUMENTS...: runs it with the system calls that Linux 3.10 had on x86_64, of which finit_module
(313) was the last. The kernel answers all later ones as it answers those that it does not have, and calls itself 2.6."""
import ctypes
import errno
import os
import struct
import sys

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
SECCOMP_RET_ERRNO, SECCOMP_RET_ALLOW = 0x00050000, 0x7FFF0000
LOAD_WORD, JUMP_IF_GREATER, RETURN = 0x20, 0x25, 0x06
LAST = 313
UNAME26 = 0x0020000

rules = b"".join(struct.pack("HBBI", *rule) for rule in [
    (LOAD_WORD, 0, 0, 0),  # the number of the call
    (JUMP_IF_GREATER, 0, 1, LAST),
    (RETURN, 0, 0, SECCOMP_RET_ERRNO | errno.ENOSYS),
    (RETURN, 0, 0, SECCOMP_RET_ALLOW),
])
kept = ctypes.create_string_buffer(rules)
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(rules) // 8, ctypes.addressof(kept)))
libc = ctypes.CDLL(None, use_errno=True)
libc.personality(UNAME26)  # libraries ask for it: OpenSSL takes no /dev/random of a kernel that should have getrandom
if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program) != 0:
    sys.exit("old_kernel.py: " + os.strerror(ctypes.get_errno()))
os.execv(sys.argv[1], sys.argv[1:])
