import type { InboundPush } from '../src/contract/screenPops.ts';

type Culture = {
  country: string;
  city: string;
  given: readonly string[];
  family: readonly string[];
  /** Which name comes first. */
  order: 'given first' | 'family first';
  /** Country code and the start of a mobile number; `digits` more make it a whole one. */
  phone: { start: string; digits: number };
};

/** Names are common ones, in Latin letters beside their own script where the culture has one. */
const cultures: readonly Culture[] = [
  culture(
    'US',
    'Austin',
    'Grace Marcus Olivia Tyrone Emily Jordan',
    'Johnson Williams Carter Nguyen Brooks',
    '+15125',
    6,
  ),
  culture('GB', 'Leeds', 'Amelia Callum Priya Rhys Isla', 'Hughes Patel Clarke Evans Whitfield', '+4475', 8),
  culture('DE', 'Köln', 'Jürgen Anneliese Jonas Sabine Emre', 'Müller Groß Schäfer Yıldız Weiß', '+49151', 8),
  culture('FR', 'Lyon', 'Chloé François Zoé Théo Amélie', 'Lefèvre Dubois Bénard Garnier Moreau', '+336', 8),
  culture('NG', 'Lagos', 'Chinwe Oluwaseun Amaka Tunde Ngozi', 'Okafor Adeyemi Balogun Eze Okonkwo', '+234803', 7),
  culture('IN', 'Pune', 'Aarav Lakshmi Rohan Ananya Vikram', 'Sharma Iyer Reddy Chatterjee Deshpande', '+9198', 8),
  culture('BR', 'São Paulo', 'João Beatriz Thiago Conceição Caio', 'Silva Gonçalves Araújo Ribeiro Nunes', '+55119', 8),
  culture('MX', 'Puebla', 'Sofía José Ximena Íñigo Guadalupe', 'Hernández Muñoz Ibáñez Ortega Peña', '+5222', 8),
  culture(
    'PL',
    'Łódź',
    'Łukasz Małgorzata Świętosława Paweł Zofia',
    'Wiśniewska Nowak Wójcik Żak Dąbrowski',
    '+4860',
    7,
  ),
  culture('EG', 'القاهرة', 'محمد فاطمة أحمد نور يوسف', 'حسن السيد إبراهيم منصور', '+2010', 8),
  culture('JP', '大阪市', '美咲 翔太 陽子 蓮 さくら', '佐藤 鈴木 高橋 田中', '+8190', 8, 'family first'),
  culture('CN', '成都', '秀英 伟 芳 建国 静', '王 李 张 陈', '+86138', 8, 'family first'),
];
const tiers = ['standard', 'standard', 'standard', 'silver', 'silver', 'gold', 'platinum'] as const;
const subjects = [
  'Invoice is wrong',
  'Delivery is late',
  'Cannot sign in',
  'Wants to upgrade',
  'Warranty claim',
] as const;

/**
 * Customers as a CRM would push them: the same ones for the same count, each with a phone number of its own.
 * @param count up to 1,000,000
 */
export function makeCustomers(count: number): InboundPush[] {
  return Array.from({ length: count }, (_, index) => makeCustomer(index));
}

/** Customer number `index`, from 0. The numbers are well formed; nobody dials them, the demo has no carrier. */
function makeCustomer(index: number): InboundPush {
  const from = chooser(index);
  const { country, city, given, family, order, phone } = from(cultures);
  const names = order === 'given first' ? [from(given), from(family)] : [from(family), from(given)];
  const number = String(index + 1).padStart(6, '0');
  const tickets = Array.from({ length: Math.max(0, from([-2, -1, 0, 1, 2, 3])) }, (_, nth) => ({
    id: `T-${number}-${String(nth + 1)}`,
    subject: from(subjects),
  }));
  return {
    phone_number: phone.start + scrambled(index, phone.digits),
    data: {
      name: names.join(' '),
      email: `customer.${number}@mail.example`,
      account_number: `AC-${scrambled(index, 9)}`,
      open_tickets: tickets.length,
      ...(tickets.length === 0 ? {} : { tickets }),
      country,
      city,
      customer_since: `${String(from([2016, 2018, 2019, 2021, 2023, 2025]))}-0${String(from([1, 3, 6, 9]))}-15`,
    },
    external_system: 'demo-crm',
    external_id: `CUST-${number}`,
    tier: from(tiers),
  };
}

function culture(
  country: string,
  city: string,
  given: string,
  family: string,
  start: string,
  digits: number,
  order: Culture['order'] = 'given first',
): Culture {
  return { country, city, given: given.split(' '), family: family.split(' '), order, phone: { start, digits } };
}

/** Picks from lists by a small generator (mulberry32) that starts at the customer's number. */
function chooser(seed: number): <T>(list: readonly T[]) => T {
  let state = (seed + 1) * 0x9e3779b9;
  return (list) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    const chosen = list[((mixed ^ (mixed >>> 14)) >>> 0) % list.length];
    if (chosen === undefined) throw new Error('there is nothing to choose from');
    return chosen;
  };
}

/** Different digits for different numbers below 10^digits: the factor shares no divisor with a power of ten. */
function scrambled(number: number, digits: number): string {
  const size = 10n ** BigInt(digits);
  return String((BigInt(number) * 7_368_787n + 1_234_567n) % size).padStart(digits, '0');
}
