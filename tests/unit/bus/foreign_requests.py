"""Requests and replies by redis-py and pika, with frames written from docs/protocol.md: shares no code with the product.

foreign_requests.py redis|rabbitmq replier PORT RUN COUNT: takes so many requests of the run as one of those that share
them, and replies.
foreign_requests.py redis|rabbitmq requester PORT RUN COUNT: asks so much as requester 55, and prints what it is
answered, a line each. Over RabbitMQ both use direct reply-to.
"""
import struct, sys, time

KIND, WHO, PORT, RUN, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], int(sys.argv[5])
DATA, REPLY, NUMBER = 6, 20, 55


def empty(frame, head):
    return struct.pack('<II', 8 + len(head), frame) + head


def request(index):
    return empty(DATA, struct.pack('<IIQqq', NUMBER, 0, index, 5, 6))


# The reply, and to whom.
def reply_to(frame):
    kind, sender, _, index = struct.unpack_from('<xxxxIIIQ', frame)
    assert kind == DATA, kind
    return empty(REPLY, struct.pack('<IIQqqII', sender, 0, index, 7, 8, NUMBER, 0)), sender


def tell(frame):
    kind, sender, _, index, _, _, replier = struct.unpack_from('<xxxxIIIQqqI', frame)
    print(kind, sender, index, replier, frame[48:].decode())


def redis_replier():
    group = dict(groupname='receivers', consumername=str(NUMBER))
    until = time.monotonic() + 30
    for _ in range(COUNT):
        while not (read := server.xreadgroup(streams={RUN: '>'}, count=1, block=1000, **group)):
            assert time.monotonic() < until, 'nobody asks'
        entry, fields = read[0][1][0]
        reply, sender = reply_to(fields[b'm'])
        server.xadd(f'{RUN}.reply.{sender}', {'m': reply}, nomkstream=True)
        server.xack(RUN, 'receivers', entry)


def redis_requester():
    replies = f'{RUN}.reply.{NUMBER}'
    server.xgroup_create(replies, 'any', mkstream=True)
    for index in range(1, COUNT + 1):
        server.xadd(RUN, {'m': request(index)}, nomkstream=True)
    last, left = '0-0', COUNT
    while left > 0:
        for _, entries in server.xread({replies: last}, block=10000):
            for last, fields in entries:
                tell(fields[b'm'])
                left -= 1


def rabbitmq_replier():
    channel.basic_qos(prefetch_count=1)
    left = COUNT
    for method, properties, body in channel.consume(f'{RUN}.queue.1', inactivity_timeout=30):
        assert method, 'nobody asks'
        assert properties.reply_to.startswith('amq.rabbitmq.reply-to.'), properties
        channel.basic_publish('', properties.reply_to, reply_to(body)[0])
        channel.basic_ack(method.delivery_tag)
        left -= 1
        if left == 0:
            break
    channel.cancel()


def rabbitmq_requester():
    asking = pika.BasicProperties(reply_to='amq.rabbitmq.reply-to')
    left = COUNT

    def on_reply(_channel, _method, _properties, body):
        nonlocal left
        tell(body)
        left -= 1

    channel.basic_consume('amq.rabbitmq.reply-to', on_reply, auto_ack=True)
    for index in range(1, COUNT + 1):
        channel.basic_publish(RUN, '1', request(index), asking)
    while left > 0:
        channel.connection.process_data_events(time_limit=30)


if KIND == 'redis':
    import redis
    server = redis.Redis(port=PORT, socket_timeout=20)
else:
    import pika
    channel = pika.BlockingConnection(pika.ConnectionParameters(port=PORT)).channel()
globals()[f'{KIND}_{WHO}']()
if WHO == 'replier':
    print('replied', COUNT)
