import net from 'node:net';
import type { HostResolver } from '../../../src/adapters/webhook/hostResolver.ts';

/** Hosts by what they lead to: this machine, its neighbours, the cloud's own services, or nowhere. */
export const hostileHosts: Record<string, string[]> = {
  loopback: ['127.0.0.1', '127.0.0.1.', '127.255.255.254', '[::1]', '[0:0:0:0:0:0:0:1]', '[0::0.0.0.1]'],
  'loopback in short': ['127.1', '127.0.1', '127.0x1'],
  'loopback as one number': ['2130706433', '0x7f000001', '0x7F000001', '017700000001', '00000017700000001'],
  'loopback in octal and hex': ['0177.0.0.1', '0x7f.1', '0x7f.0.0.01', '0x7f.0x0.0x0.0x1', '00000177.1'],
  'loopback in other digits': ['①②⑦.⓪.⓪.①', '１２７.０.０.１', '１２７.１', '127。0。0。1', '𝟙𝟚𝟟.𝟘.𝟘.𝟙'],
  'loopback, percent-encoded': ['%31%32%37.0.0.1', '127%2e0%2e0%2e1', '%30x7f000001'],
  'an empty part': ['127.0.0.1..', 'localhost..', '.localhost', 'crm..example'],
  unspecified: ['0', '0x', '0.0.0.0', '0.0.0.1', '256', '[::]', '[0:0:0:0:0:0:0.0.0.0]'],
  'IPv4-mapped IPv6': [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:FFFF:127.0.0.1]',
    '[::ffff:10.0.0.1]',
    '[::ffff:93.184.215.14]',
  ],
  'IPv4-translated and -compatible IPv6': ['[::ffff:0:127.0.0.1]', '[::127.0.0.1]', '[::7f00:1]'],
  NAT64: [
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::7f00:1]',
    '[64:ff9b:1:ffff::10.0.0.1]',
  ],
  '6to4 and Teredo': [
    '[2002:7f00:1::]',
    '[2002:a9fe:a9fe::1]',
    '[2001:0:7f00:1::]',
    '[2001::80ff:fffe]',
    '192.88.99.1',
  ],
  'link-local and site-local': ['169.254.0.1', '[fe80::1]', '[febf::1]', '[fec0::1]'],
  'with a zone': ['[fe80::1%25eth0]', '[fe80::1%eth0]', '[::1%25lo]'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.1.1', '0xa.1', '[fc00::1]', '[fdff::1]'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.254'],
  'metadata of AWS, Google, Azure, OpenStack': [
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '[::ffff:169.254.169.254]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
  ],
  "Azure's platform": [
    '168.63.129.16',
    '2822734096',
    '[::ffff:168.63.129.16]',
    '[::FFFF:A83F:8110]',
    '[64:ff9b::168.63.129.16]',
    '[2002:a83f:8110::]',
  ],
  'metadata of Alibaba and Oracle': ['100.100.100.200', '192.0.0.192'],
  'documentation and benchmarking': [
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '[2001:db8::1]',
    '[3fff::1]',
    '[2001:2::1]',
  ],
  'multicast and broadcast': [
    '224.0.0.1',
    '239.255.255.255',
    '255.255.255.255',
    '4294967295',
    '[ff02::1]',
    '[ff0e::1]',
  ],
  reserved: ['240.0.0.1', '[100::1]', '[5f00::1]', '[4000::1]', '[2001:20::1]', '[2001:4:112::1]'],
  'a name of this machine': [
    'localhost',
    'localhost.',
    'LOCALHOST',
    'app.localhost',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'loc%61lhost',
    'local\u00adhost',
  ],
  'a name of the local network': [
    'intranet',
    'redis',
    'printer.local',
    'db.lan',
    'gateway.home.arpa',
    'kubernetes.default.svc.cluster.local',
  ],
  'a name of the cloud': [
    'metadata.google.internal',
    'metadata.google.internal.',
    'METADATA.GOOGLE.INTERNAL',
    'ip-10-0-0-1.ec2.internal',
  ],
  'a name that is an address': [
    '127.0.0.1.nip.io',
    '7f000001.nip.io',
    '10-0-0-1.sslip.io',
    'localtest.me',
    'localtest.me.',
  ],
  'a name that leads inside': [
    'plain.example',
    'six.example',
    'private.example',
    'metadata.example',
    'azure.example',
    'xn--bse-sna.example',
  ],
  'a name that leads inside through IPv6': [
    'mapped.example',
    'nat64.example',
    'nat64-local.example',
    'sixtofour.example',
    'ula.example',
    'zone.example',
  ],
  'a name with one address inside among public ones': [
    'one-of-many.example',
    'mapped-among-public.example',
    'last-of-many.example',
  ],
};

/** URLs whose text is enough to refuse them, wherever they lead; `PORT` stands for the listener's. */
export const hostileTexts: Record<string, string[]> = {
  'plain http': ['http://127.0.0.1:PORT/', 'http://crm.example:PORT/hook', 'HTTP://localhost:PORT/'],
  'another scheme': [
    'ftp://127.0.0.1:PORT/',
    'gopher://127.0.0.1:PORT/_x',
    'file:///etc/passwd',
    'file://127.0.0.1:PORT/x',
    'ws://127.0.0.1:PORT/',
    'unix:///run/docker.sock',
    'data:text/plain,x',
    'javascript:alert(1)',
    'jar:https://127.0.0.1:PORT/!/',
    'dict://127.0.0.1:PORT/x',
  ],
  credentials: [
    'https://user@crm.example:PORT/',
    'https://user:pass@crm.example:PORT/',
    'https://:pass@127.0.0.1:PORT/',
    'https://crm.example%2f@127.0.0.1:PORT/',
    'https://crm.example:443@127.0.0.1:PORT/',
  ],
  'a fragment': [
    'https://crm.example:PORT/#',
    'https://crm.example#@127.0.0.1:PORT/',
    'https://127.0.0.1:PORT/#.crm.example',
  ],
  'a backslash': [
    'https:\\\\127.0.0.1:PORT\\',
    'https://crm.example\\@127.0.0.1:PORT/',
    'https://127.0.0.1:PORT\\.crm.example/',
  ],
  'white space and controls': [
    'https://127.0.0.1\t:PORT/',
    'ht\ntps://127.0.0.1:PORT/',
    'https://127.0.0.1:PORT/\r\nX-Header: 1',
    'https://crm.example/\u0085',
  ],
  'no host where one belongs': [
    'https:127.0.0.1:PORT/',
    'https:/127.0.0.1:PORT/',
    'https:///127.0.0.1:PORT/',
    '//127.0.0.1:PORT/',
    '127.0.0.1:PORT',
  ],
  'no such port': [
    'https://crm.example:0/',
    'https://127.0.0.1:65536/',
    'https://127.0.0.1:-1/',
    'https://127.0.0.1:PORTx/',
  ],
  'no such host': [
    'https://127.0.0.1%00.crm.example:PORT/',
    'https://1.2.3.4.5:PORT/',
    'https://0x100000000:PORT/',
    'https://xn--:PORT/',
    'https://[::1:PORT/',
  ],
};

/** All of them, on one port. */
export function hostileUrls(port: number): string[] {
  const hosts = Object.values(hostileHosts)
    .flat()
    .map((host) => `https://${host}:${String(port)}/hook`);
  const texts = Object.values(hostileTexts)
    .flat()
    .map((text) => text.replaceAll('PORT', String(port)));
  return [...hosts, ...texts];
}

/** A DNS of one's own: each name has its addresses; what is not listed does not resolve. */
export function dnsOf(names: Record<string, string[]>): HostResolver {
  return (hostname) => {
    const addresses = names[hostname];
    if (addresses === undefined) return Promise.reject(new Error('ENOTFOUND'));
    return Promise.resolve(addresses.map((address) => ({ address, family: net.isIP(address) })));
  };
}

/** Knows the names above, and `crm.example` that is as it should be. */
export const hostileNames: HostResolver = dnsOf({
  'crm.example': ['93.184.215.14'],
  'plain.example': ['127.0.0.1'],
  'six.example': ['::1'],
  'private.example': ['10.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'azure.example': ['168.63.129.16'],
  'xn--bse-sna.example': ['127.0.0.1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'nat64-local.example': ['64:ff9b:1::7f00:1'],
  'sixtofour.example': ['2002:7f00:1::'],
  'ula.example': ['fd00:ec2::254'],
  'zone.example': ['fe80::1%1'],
  'one-of-many.example': ['93.184.215.14', '2606:2800:21f::1', '127.0.0.1'],
  'mapped-among-public.example': ['2606:2800:21f::1', '::ffff:127.0.0.1', '93.184.215.14'],
  'last-of-many.example': [...Array.from({ length: 60 }, (_, at) => `93.184.215.${String(at + 1)}`), '::1'],
  '127.0.0.1.nip.io': ['127.0.0.1'],
  '7f000001.nip.io': ['127.0.0.1'],
  '10-0-0-1.sslip.io': ['10.0.0.1'],
  'localtest.me': ['127.0.0.1', '::1'],
  localhost: ['127.0.0.1', '::1'],
  'app.localhost': ['127.0.0.1'],
  'metadata.google.internal': ['169.254.169.254'],
  'ip-10-0-0-1.ec2.internal': ['10.0.0.1'],
  'kubernetes.default.svc.cluster.local': ['10.96.0.1'],
  'printer.local': ['192.168.1.9'],
  'db.lan': ['192.168.1.5'],
  'gateway.home.arpa': ['192.168.1.1'],
  intranet: ['10.0.0.2'],
  redis: ['127.0.0.1'],
});
