"""A sender that shares no code with the product: http.client, ssl, and WebSocket by hand.

foreign_client.py KIND HOST PORT PATH TOKEN [SHA256 of the certificate] -> one line for each step.
"""
import base64, hashlib, http.client, os, socket, ssl, struct, sys

KIND, HOST, PORT, PATH, TOKEN = sys.argv[1:6]
PIN = sys.argv[6] if len(sys.argv) > 6 else None


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def frame(index, payload, sender=3):
    return struct.pack('<IIIIQqq', 40 + len(payload), DATA, sender, crc32c(payload), index, 5, 6) + payload


DATA = 6


def tls(sock):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    wrapped = context.wrap_socket(sock)
    print(wrapped.version(), hashlib.sha256(wrapped.getpeercert(True)).hexdigest() == PIN)
    return wrapped


def by_http():
    connection = http.client.HTTPConnection(HOST, int(PORT), timeout=20)
    if PIN:
        connection.sock = tls(socket.create_connection((HOST, int(PORT)), 20))
    headers = {'Authorization': 'Bearer ' + TOKEN}
    for method, body in (('GET', None), ('POST', frame(1, b'hello')), ('POST', frame(2, b'')),
                         ('POST', frame(3, b'x' * 300000))):
        connection.request(method, PATH, body=body, headers=headers)
        answer = connection.getresponse()
        print(method, answer.status, len(answer.read()))
    connection.request('POST', PATH, body=frame(4, b''), headers={'Authorization': 'Bearer no'})
    answer = connection.getresponse()
    print(answer.status, answer.getheader('WWW-Authenticate'), answer.getheader('Connection'))


def masked(first, payload):
    key = os.urandom(4)
    length = len(payload)
    if length < 126:
        head = struct.pack('!BB', first, 0x80 | length)
    elif length < 65536:
        head = struct.pack('!BBH', first, 0x80 | 126, length)
    else:
        head = struct.pack('!BBQ', first, 0x80 | 127, length)
    return head + key + bytes(b ^ key[i % 4] for i, b in enumerate(payload))


def by_websocket():
    sock = socket.create_connection((HOST, int(PORT)), 20)
    if PIN:
        sock = tls(sock)
    key = base64.b64encode(os.urandom(16)).decode()
    sock.sendall(('GET %s?sender=3 HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nUpgrade: websocket\r\n'
                  'Connection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n'
                  % (PATH, HOST, TOKEN, key)).encode())
    stream = sock.makefile('rb')
    status = stream.readline().split()[1].decode()
    fields = {}
    while line := stream.readline().strip():
        name, value = line.decode().split(': ', 1)
        fields[name.lower()] = value
    wanted = base64.b64encode(hashlib.sha1((key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').encode()).digest()).decode()
    print(status, fields['sec-websocket-accept'] == wanted)
    large = frame(3, b'x' * 300000)
    sock.sendall(masked(0x82, frame(1, b'hello')) + masked(0x89, b'still there?') + masked(0x82, frame(2, b'')))
    sock.sendall(masked(0x02, large[:1000]) + masked(0x00, large[1000:90000]) + masked(0x80, large[90000:]))
    sock.sendall(masked(0x88, struct.pack('!H', 1000)))
    rest = stream.read()
    print(rest[:14], rest[14:])


by_http() if KIND == 'http' else by_websocket()
