"""Requests and replies over Redis by redis-py, with frames written from docs/protocol.md: shares no code with the product.

foreign_redis.py replier PORT RUN COUNT: takes so many requests from the run's stream as one of its group, and replies.
foreign_redis.py requester PORT RUN COUNT: asks so much as requester 55, and prints what it is answered, a line each.
"""
import struct, sys, time
import redis

WHO, PORT, RUN, COUNT = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
DATA, REPLY, NUMBER = 6, 20, 55
server = redis.Redis(port=PORT, socket_timeout=20)


def empty(frame, head, body=b''):
    return struct.pack('<II', 8 + len(head) + len(body), frame) + head + body


def reply_to(sender, index):
    return empty(REPLY, struct.pack('<IIQqqII', sender, 0, index, 7, 8, NUMBER, 0))


def as_replier():
    group = dict(groupname='receivers', consumername=str(NUMBER))
    until = time.monotonic() + 30
    for _ in range(COUNT):
        while not (read := server.xreadgroup(streams={RUN: '>'}, count=1, block=1000, **group)):
            assert time.monotonic() < until, 'nobody asks'
        entry, fields = read[0][1][0]
        kind, sender, _, index = struct.unpack_from('<xxxxIIIQ', fields[b'm'])
        assert kind == DATA, kind
        server.xadd(f'{RUN}.reply.{sender}', {'m': reply_to(sender, index)}, nomkstream=True)
        server.xack(RUN, 'receivers', entry)
    print('replied', COUNT)


def as_requester():
    replies = f'{RUN}.reply.{NUMBER}'
    server.xgroup_create(replies, 'any', mkstream=True)
    for index in range(1, COUNT + 1):
        server.xadd(RUN, {'m': empty(DATA, struct.pack('<IIQqq', NUMBER, 0, index, 5, 6))}, nomkstream=True)
    last, left = '0-0', COUNT
    while left > 0:
        for _, entries in server.xread({replies: last}, block=10000):
            for last, fields in entries:
                frame = fields[b'm']
                kind, sender, _, index, _, _, replier = struct.unpack_from('<xxxxIIIQqqI', frame)
                print(kind, sender, index, replier, frame[48:].decode())
                left -= 1


{'replier': as_replier, 'requester': as_requester}[WHO]()
