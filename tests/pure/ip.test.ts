// @engine sqlite
/** IP addresses and CIDR ranges as proxies, operators and DNS servers write them. */
import { expect, test } from 'bun:test'
import { forwardedAddress, inRange, isPublic, isRange, plainAddress, subscriberAt } from '../../src/pure/ip.ts'

test.each([
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['::FFFF:102:304', '1.2.3.4'],
  ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4'],
  ['[::ffff:7f00:1]', '127.0.0.1'],
  ['[2001:0DB8:0:0:0:0:0:1]', '2001:db8::1'],
  ['fe80::1%eth0.100', 'fe80::1'],
  ['1.2.3.4', '1.2.3.4'],
  ['example.com', 'example.com'],
])('plain address: %s is %s', (text, address) => expect(plainAddress(text)).toBe(address))

test.each([
  ['1.2.3.4:80', '1.2.3.4'],
  [' [::ffff:1.2.3.4]:80', '1.2.3.4'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[fe80::1%eth0]:443', 'fe80::1'],
  ['fe80::1%3', 'fe80::1'],
  ...['unknown', '', '1.2.3', '127.1', '010.0.0.1', '0x7f.0.0.1', '1.2.3.4.5', '1.2.3.256', ':::', '1::2::3', '_x'].map(
    text => [text, undefined] as const,
  ),
])('forwarded address: %s is %s', (text, address) => expect(forwardedAddress(text)).toBe(address))

test.each([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.1.2.3', '10.0.0.0/8', false],
  ['10.1.2.3', '10.9.9.9/8', true],
  ['10.1.2.3', '10.1.2.3', true],
  ['::ffff:10.1.2.3', '10.0.0.0/8', true],
  ['::ffff:a01:203', '10.1.2.3', true],
  ['10.1.2.3', '::ffff:10.0.0.0/104', true],
  ['11.1.2.3', '::ffff:10.0.0.0/104', false],
  ['10.1.2.3', '::/0', true],
  ['2001:db8::1', '0.0.0.0/0', false],
  ['2001:db8::1', '2001:db8::/32', true],
  ['2001:db9::1', '2001:db8::/32', false],
  ['fe80::1%eth0', 'fe80::/10', true],
  ['fe80::1', 'fe80::1%eth0', true],
  ['10.1.2.3', 'junk', false],
  ['junk', '0.0.0.0/0', false],
])('range: whether %s is in %s is %p', (address, range, is) => {
  // Of a range that has been read before too.
  for (const ranges of [[range], ['192.0.2.0/24', range]]) expect(inRange(address, ranges)).toBe(is)
})

test.each([
  ...[
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '/8',
    '',
    'localhost',
    '10.0/8',
    '010.0.0.1',
  ],
])('range: %s is refused', text => expect(isRange(text)).toBe(false))

test.each([
  ['loopback, IPv4-mapped', '::ffff:127.0.0.1'],
  ['loopback, IPv4-compatible', '::127.0.0.1'],
  ['loopback, IPv4-compatible in hexadecimal', '::7f00:1'],
  ['loopback, IPv4-translated', '::ffff:0:127.0.0.1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['NAT64 of loopback', '64:ff9b::127.0.0.1'],
  ['NAT64 of a public address', '64:ff9b::8.8.8.8'],
  ['NAT64, local-use prefix', '64:ff9b:1::8.8.8.8'],
  ['6to4', '2002:7f00:1::1'],
  ['Teredo', '2001::1'],
  ['discard', '100::1'],
  ['segment routing', '5f00::1'],
  ['not assigned', '4000::1'],
  ['no address', 'example.com'],
])('public: %s is no public address (%s)', (_, address) => expect(isPublic(address)).toBe(false))

test.each(['8.8.8.8', '::ffff:8.8.8.8', '::ffff:808:808', '2606:4700::1111'])(
  'public: %s is a public address',
  address => expect(isPublic(address)).toBe(true),
)

test('subscriber: an IPv6 network of 64 bits is one, however its addresses are written', () => {
  const [first, ...others] = ['2001:db8::1', '2001:0db8:0:0:f::2', '2001:db8::ffff:1.2.3.4', '2001:db8::1%eth0']
  for (const address of others) expect(subscriberAt(address)).toBe(subscriberAt(first!))
  expect(subscriberAt('2001:db8:0:1::1')).not.toBe(subscriberAt(first!))
  expect(subscriberAt('1.2.3.4')).toBe('1.2.3.4')
})
