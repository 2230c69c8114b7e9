import { describe, expect, test } from '@jest/globals'
import { carriedIpv4, classifyAddress, compileCidrs, GLOBAL, isValidCidr } from './addresses.ts'

describe('classifyAddress', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '2001:4860:4860::8888',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '64:ff9b::8.8.8.8',
  ])('%s is global', (ip) => {
    expect(classifyAddress(ip)).toBe(GLOBAL)
  })

  test.each([
    ['0.0.0.0', 'this network'],
    ['0.1.2.3', 'this network'],
    ['10.0.0.1', 'private'],
    ['10.255.255.255', 'private'],
    ['100.64.0.1', 'shared address space'],
    ['100.100.100.200', 'shared address space'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['169.254.169.254', 'link-local, cloud metadata'],
    ['169.254.0.1', 'link-local'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.192', 'IETF protocol assignments'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', '6to4 relay'],
    ['192.168.0.1', 'private'],
    ['198.18.0.1', 'benchmarking'],
    ['198.19.255.255', 'benchmarking'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['168.63.129.16', 'cloud metadata'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['100::1', 'discard only'],
    ['100:0:0:1::1', 'dummy prefix'],
    ['2001:2::1', 'IETF protocol assignments'],
    ['2001:10::1', 'IETF protocol assignments'],
    ['2001:db8::1', 'documentation'],
    ['3fff::1', 'documentation'],
    ['5f00::1', 'segment routing'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'unique local'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'bound to an interface'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['4000::1', 'not global unicast'],
    ['1::1', 'not global unicast'],
    ['redis', 'not an IP address'],
    ['127.1', 'not an IP address'],
    ['', 'not an IP address'],
  ])('%s is %s', (ip, reason) => {
    expect(classifyAddress(ip)).toContain(reason)
  })

  test.each([
    ['::ffff:127.0.0.1', 'IPv4-mapped 127.0.0.1, loopback'],
    ['::ffff:7f00:1', 'IPv4-mapped 127.0.0.1, loopback'],
    ['0:0:0:0:0:ffff:a9fe:a9fe', 'IPv4-mapped 169.254.169.254, link-local'],
    ['::127.0.0.1', 'IPv4-compatible 127.0.0.1, loopback'],
    ['::7f00:1', 'IPv4-compatible 127.0.0.1, loopback'],
    ['::8.8.8.8', 'IPv4-compatible 8.8.8.8'],
    ['::ffff:0:7f00:1', 'IPv4-translated 127.0.0.1, loopback'],
    ['::ffff:0:8.8.8.8', 'IPv4-translated 8.8.8.8'],
    ['64:ff9b::7f00:1', 'NAT64 127.0.0.1, loopback'],
    ['64:ff9b::10.0.0.1', 'NAT64 10.0.0.1, private'],
    ['64:ff9b:1::a00:1', 'local NAT64 10.0.0.1, private'],
    ['64:ff9b:1::8.8.8.8', 'local NAT64 8.8.8.8'],
    ['2002:7f00:1::', '6to4 127.0.0.1, loopback'],
    ['2002:808:808::', '6to4 8.8.8.8'],
    ['2001::80ff:fffe', 'Teredo 127.0.0.1, loopback'],
    ['2001:0:4136:e378:8000:63bf:f7f7:f7f7', 'Teredo 8.8.8.8'],
  ])('%s carries %s', (ip, reason) => {
    expect(classifyAddress(ip)).toContain(reason)
  })

  test('what carries nothing is not unwrapped', () => {
    expect(carriedIpv4('2606:4700::1111')).toBeUndefined()
    expect(carriedIpv4('10.0.0.1')).toBeUndefined()
  })
})

describe('CIDR ranges', () => {
  test.each(['10.0.0.0/8', '10.0.0.5/8', '0.0.0.0/0', '::/0', 'fd00::/8', '::ffff:10.0.0.0/104'])(
    '%s is valid',
    (cidr) => {
      expect(isValidCidr(cidr)).toBe(true)
    },
  )

  test.each([
    '',
    '10.0.0.1',
    '10.0.0.0/33',
    '010.0.0.0/8',
    '10.0.0/8',
    '::1/129',
    'fe80::1%eth0/64',
    '/::/0',
    '10.0.0.0/8/',
  ])('%p is not', (cidr) => {
    expect(isValidCidr(cidr)).toBe(false)
    expect(() => compileCidrs([cidr])).toThrow('is not a CIDR range')
  })

  test.each([
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.0.0.0/8', '11.1.2.3', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['10.0.0.0/8', '::ffff:a01:203', true],
    ['127.0.0.0/8', '::ffff:127.0.0.1', true],
    ['127.0.0.0/8', '64:ff9b::7f00:1', true],
    // A 6to4 address is not its IPv4 address: an exemption for the one does not apply to the other.
    ['127.0.0.0/8', '2002:7f00:1::', false],
    ['::ffff:10.0.0.0/104', '10.1.2.3', true],
    ['::ffff:10.0.0.0/104', '11.1.2.3', false],
    // One BlockList for both families would say yes to these two.
    ['::/0', '10.1.2.3', false],
    ['0.0.0.0/0', '2606:4700::1', false],
    ['::/0', '2606:4700::1', true],
    ['fd00::/8', 'fd12::1', true],
    ['fe80::/10', 'fe80::1', true],
    ['fe80::/10', 'fe80::1%eth0', false],
    ['fe80::/10', 'redis', false],
    ['2001:db8::/33', '2001:db8:8000::1', false],
  ])('%s has %s: %p', (cidr, ip, expected) => {
    expect(compileCidrs([cidr]).has(ip)).toBe(expected)
  })
})
